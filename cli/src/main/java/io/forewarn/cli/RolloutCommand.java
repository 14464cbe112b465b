package io.forewarn.cli;

import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.PlanBody;
import io.forewarn.wire.control.PlanStepBody;
import io.forewarn.wire.control.PlannedUnitBody;
import io.forewarn.wire.control.RolloutBody;
import io.forewarn.wire.control.RolloutUnitBody;
import io.forewarn.wire.control.Route;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Plans, starts, watches and controls rollouts. */
@Command(
        name = "rollout",
        addMethodSubcommands = false,
        description = "Rollouts: maintenance of many hosts or groups, one update domain of a group at a time.",
        footer = {
            "",
            "Examples:",
            "  forewarn rollout plan --type reboot --hosts '*'      who is affected and when; changes nothing",
            "  forewarn rollout start os-1 --type reboot --hosts '*' --at-once 10%%",
            "  forewarn rollout start try --type freeze --groups web --rehearsal",
            "  forewarn rollout start os-2 --type reboot --hosts 'rack-1-*' --exclude rack-1-7 --except-tenant bank",
            "  forewarn rollout watch os-1"
        })
final class RolloutCommand {
    /** Refuses an empty name. */
    static final class Named implements ITypeConverter<String> {
        @Override
        public String convert(String typed) {
            if (typed.isBlank()) {
                throw new TypeConversionException("it is empty; give the name of a rollout");
            }
            return typed;
        }
    }

    private static final long PAUSE = 500;
    private static final int MOST_REASONS = 10;

    @Command(
            description =
                    "Show which machines would be affected and when, how long it takes and what blocks it. Changes nothing.",
            footer = {
                "",
                "Examples:",
                "  forewarn rollout plan --type reboot --hosts '*' --at-once 10%%",
                "  forewarn rollout plan --type reboot --hosts '*' --at 'fri 22:00 Europe/Berlin' --until 'sat 06:00'"
            })
    int plan(
            @Mixin ServerCommand serverCommand,
            @Mixin RolloutOptions wanted,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            description = "Maximum number of steps to show; default: 1000.")
                    String limit) {
        byte[] answer = serverCommand
                .client()
                .bytes(
                        Route.ROLLOUT_PLAN,
                        List.of(),
                        ServerCommand.query("limit", limit),
                        ControlClient.json(wanted.request()));
        return serverCommand.one(PlanBody.class, answer, plan -> tell(serverCommand, plan));
    }

    private static void tell(ServerCommand serverCommand, PlanBody plan) {
        PlanChart.of(plan, Terminal.here().columns()).forEach(serverCommand::say);
        serverCommand.say("");
        serverCommand.say(DisplayNames.count(plan.units(), "unit") + ", "
                + DisplayNames.count(plan.machines(), "machine") + " of "
                + DisplayNames.count(plan.groups(), "group") + "; over by " + DisplayNames.time(plan.endsAt()) + ", in "
                + DisplayNames.length(plan.duration()) + ".");
        if (plan.steps().size() < plan.stepCount()) {
            serverCommand.say("The first " + plan.steps().size() + " of " + plan.stepCount()
                    + " steps are shown; --limit shows more.");
        }
        reasons(serverCommand, plan);
        plan.blocked().forEach(why -> serverCommand.say("Blocked: " + why));
        if (plan.warnings() != null) {
            plan.warnings().forEach(warning -> serverCommand.say("Warning: " + warning));
        }
        if (plan.late() != null) {
            plan.late()
                    .forEach(step -> serverCommand.say("Too late: " + DisplayNames.whole(step.unit()) + " at "
                            + DisplayNames.time(step.startsAt())
                            + (step.reason() == null ? "" : ", because " + step.reason())));
            serverCommand.say(
                    "A start would be refused. Choose a later --until, or let the late ones start afterwards with"
                            + " --late any or --late next-window.");
        }
        if (plan.windows() != null) {
            serverCommand.say("Windows: '" + String.join("', '", plan.windows()) + "'");
        }
        if (plan.excluded() != null) {
            plan.excluded()
                    .forEach(out ->
                            serverCommand.say("Left out: " + DisplayNames.whole(out.name()) + " " + out.reason()));
            if (plan.excludedCount() > plan.excluded().size()) {
                serverCommand.say(
                        "Left out: " + (plan.excludedCount() - plan.excluded().size()) + " more");
            }
        }
    }

    /** Why steps do not start at once, each reason with the first step it holds. */
    private static void reasons(ServerCommand serverCommand, PlanBody plan) {
        Map<String, PlanStepBody> first = new LinkedHashMap<>();
        Map<String, Integer> count = new HashMap<>();
        for (PlanStepBody step : plan.steps()) {
            if (step.reason() != null) {
                first.putIfAbsent(step.reason(), step);
                count.merge(step.reason(), 1, Integer::sum);
            }
        }
        first.entrySet().stream().limit(MOST_REASONS).forEach(reason -> {
            int more = count.get(reason.getKey()) - 1;
            serverCommand.say("Why " + DisplayNames.whole(reason.getValue().unit()) + " at "
                    + DisplayNames.time(reason.getValue().startsAt())
                    + (more == 0 ? "" : ", and " + DisplayNames.count(more, "other unit")) + ": " + reason.getKey());
        });
        if (first.size() > MOST_REASONS) {
            serverCommand.say("and " + (first.size() - MOST_REASONS) + " more reasons; --json shows all.");
        }
    }

    @Command(
            description = "Start a rollout.",
            footer = {
                "",
                "Examples:",
                "  forewarn rollout start os-1 --type reboot --hosts '*' --at-once 10%%",
                "  forewarn rollout start try --type freeze --groups web --rehearsal",
                "  forewarn rollout start os-nov --type reboot --hosts '*' --at 'fri 22:00' --until 'sat 06:00' --notice 48h"
            })
    int start(@Mixin ServerCommand serverCommand, @Mixin RolloutOptions wanted) {
        RolloutBody rollout = serverCommand.client().send(RolloutBody.class, Route.ROLLOUT_START, wanted.named());
        if (serverCommand.json()) {
            return tell(serverCommand, rollout);
        }
        tellStarted(serverCommand, rollout);
        return ExitCode.DONE;
    }

    static void tellStarted(ServerCommand serverCommand, RolloutBody rollout) {
        String windows = rollout.windows() == null ? "" : " in '" + String.join("', '", rollout.windows()) + "'";
        serverCommand.say("started " + rollout.name() + ": " + DisplayNames.count(rollout.units(), "unit") + windows
                + "; 'forewarn rollout watch " + rollout.name() + "' shows its progress");
    }

    @Command(
            description = "List rollouts.",
            footer = {"", "Examples:", "  forewarn rollout list"})
    int list(@Mixin ServerCommand serverCommand) {
        return serverCommand.list(
                RolloutBody.class,
                Route.ROLLOUTS,
                Map.of(),
                List.of("name", "type", "status", "done", "active", "failed", "pending", "started", "reason"),
                "No rollouts.",
                r -> List.of(
                        r.name(),
                        r.type() + (r.rehearsal() == null ? "" : " (rehearsal)"),
                        r.status(),
                        String.valueOf(r.done()),
                        String.valueOf(r.active()),
                        String.valueOf(r.failed()),
                        String.valueOf(r.pending()),
                        DisplayNames.time(r.createdAt()),
                        RolloutProgressBar.reason(whole(serverCommand, r))));
    }

    @Command(
            description = "Show a rollout and its active units.",
            footer = {"", "Examples:", "  forewarn rollout show os-1"})
    int show(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME", converter = Named.class) String name,
            @Mixin Paging paging) {
        byte[] answer = serverCommand.client().bytes(Route.ROLLOUT, List.of(name), Map.of());
        return serverCommand.one(RolloutBody.class, answer, r -> {
            new PropertyList()
                    .with("name", r.name())
                    .with("type", r.type() + (r.rehearsal() == null ? "" : " (rehearsal)"))
                    .with("status", r.reason() == null ? r.status() : r.status() + ": " + RolloutProgressBar.reason(r))
                    .with("over", r.target().stream().map(DisplayNames::whole).toList())
                    .with("without", r.exclude())
                    .with("only tenants", r.tenants())
                    .with("except tenants", r.exceptTenants())
                    .with("windows", r.windows())
                    .with("self-service until", DisplayNames.time(r.selfServiceUntil()))
                    .with("starts", starts(r))
                    .with("started", DisplayNames.time(r.createdAt()))
                    .with("ended", DisplayNames.time(r.endedAt()))
                    .with("planned end", DisplayNames.time(r.plannedEnd()))
                    .with("expected end", expected(r))
                    .with("progress", RolloutProgressBar.progress(r))
                    .with("blocked", blocked(r))
                    .with("incomplete", incomplete(r))
                    .print(serverCommand.out());
            if (r.nextUnits() != null && !r.nextUnits().isEmpty()) {
                serverCommand.say("");
                next(serverCommand, r.nextUnits());
                if (r.nextUnits().size() < r.pending() + r.active()) {
                    serverCommand.say("'forewarn rollout units " + r.name() + "' lists all units.");
                }
            }
            activeUnits(serverCommand, r, paging);
        });
    }

    private static String starts(RolloutBody r) {
        if (r.at() == null && r.until() == null) {
            return null;
        }
        return ((r.at() == null ? "" : "from " + DisplayNames.time(r.at()) + " ")
                        + (r.until() == null
                                ? ""
                                : "until " + DisplayNames.time(r.until()) + ", late ones: " + r.late()))
                .strip();
    }

    private static String expected(RolloutBody r) {
        return r.expectedEnd() == null
                ? null
                : DisplayNames.time(r.expectedEnd())
                        + (r.movedUnits() == null || r.movedUnits() == 0
                                ? ""
                                : "; " + DisplayNames.count(r.movedUnits(), "unit") + " moved since the first plan");
    }

    private static void next(ServerCommand serverCommand, List<PlannedUnitBody> units) {
        Table table = new Table(serverCommand.out(), List.of("unit", "state", "starts", "first planned", "reason"));
        for (PlannedUnitBody unit : units) {
            table.row(List.of(
                    DisplayNames.whole(unit.name()),
                    unit.state(),
                    unit.startsAt() == null ? "" : DisplayNames.time(unit.startsAt()),
                    unit.firstPlannedAt() == null ? "" : DisplayNames.time(unit.firstPlannedAt()),
                    reason(unit)));
        }
        table.end();
    }

    private static String reason(PlannedUnitBody unit) {
        String why = unit.reason() == null ? "" : unit.reason();
        if (unit.evacuatesAt() == null || unit.evacuatesAt().isEmpty()) {
            return why;
        }
        String times = unit.evacuatesAt().stream().map(DisplayNames::time).collect(Collectors.joining(" and "));
        return "machines are evacuated at " + times + (why.isEmpty() ? "" : "; " + why);
    }

    @Command(
            description = "List the units of a rollout with their planned starts, soonest first.",
            footer = {"", "Examples:", "  forewarn rollout units os-1", "  forewarn rollout units os-1 --state failed"})
    int units(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME", converter = Named.class) String name,
            @Option(
                            names = "--state",
                            paramLabel = "STATE",
                            description =
                                    "Only units in this state: pending, scheduled, started, done, failed, skipped.")
                    String state,
            @Option(names = "--limit", paramLabel = "N", description = "Maximum number of units; default: 1000.")
                    String limit) {
        Map<String, String> query = new HashMap<>(ServerCommand.query("limit", limit));
        if (state != null) {
            query.put("state", state);
        }
        return serverCommand.list(
                PlannedUnitBody.class,
                Route.ROLLOUT_UNITS,
                List.of(name),
                query,
                List.of("unit", "state", "starts", "first planned", "machines", "reason"),
                "No units.",
                unit -> List.of(
                        DisplayNames.whole(unit.name()),
                        unit.state(),
                        unit.startsAt() == null ? "" : DisplayNames.time(unit.startsAt()),
                        unit.firstPlannedAt() == null ? "" : DisplayNames.time(unit.firstPlannedAt()),
                        unit.machines().stream().map(DisplayNames::whole).collect(Collectors.joining(",")),
                        reason(unit)));
    }

    /** Fetches the rollout alone, because a list does not say what a rollout waits for. */
    private static RolloutBody whole(ServerCommand serverCommand, RolloutBody listed) {
        boolean stalled = listed.status().equals("running") && listed.active() == 0 && listed.pending() > 0;
        return stalled ? serverCommand.client().ask(RolloutBody.class, Route.ROLLOUT, listed.name()) : listed;
    }

    private static String blocked(RolloutBody r) {
        return r.blockedUnits() == null
                ? null
                : r.blockedUnits().stream()
                        .map(w -> DisplayNames.count(w.count(), "unit") + ": " + w.reason())
                        .collect(Collectors.joining("; "));
    }

    private static List<String> incomplete(RolloutBody r) {
        return r.incompleteUnits() == null
                ? null
                : r.incompleteUnits().stream()
                        .map(u -> DisplayNames.whole(u.name()) + " " + u.state()
                                + (u.reason() == null ? "" : ": " + DisplayNames.whole(u.reason())))
                        .toList();
    }

    private static void activeUnits(ServerCommand serverCommand, RolloutBody rollout, Paging paging) {
        if (rollout.activeUnits() == null || rollout.activeUnits().isEmpty()) {
            return;
        }
        serverCommand.say("");
        List<String> heads = List.of("unit", "event", "status", "group", "machines", "not before");
        Paging.Rows table = paging.new Rows(serverCommand, new Table(serverCommand.out(), heads));
        for (RolloutUnitBody unit : rollout.activeUnits()) {
            for (EventBody e : unit.events()) {
                table.row(List.of(
                        DisplayNames.whole(unit.name()) + (unit.evacuation() == null ? "" : " (evacuation)"),
                        e.id(),
                        e.status(),
                        DisplayNames.of(e.tenant(), e.group()),
                        String.join(",", e.machines()),
                        e.notBefore() == null || e.status().equals("started") ? "" : DisplayNames.time(e.notBefore())));
            }
        }
        table.end();
    }

    @Command(
            description = {
                "Show the progress of a rollout until it has ended or a failure halts it; keeps waiting while it is paused.",
                "Draws a progress bar on a terminal, and prints a line for each change elsewhere."
            },
            footer = {
                "",
                "Exit codes: 0 done; 1 halted, aborted, or done except for what failed.",
                "",
                "Examples:",
                "  forewarn rollout watch os-1",
                "  forewarn rollout watch os-1 && forewarn rollout start os-2 --type reboot --groups batch"
            })
    int watch(
            @Mixin ServerCommand serverCommand, @Parameters(paramLabel = "NAME", converter = Named.class) String name) {
        Terminal terminal = Terminal.here();
        RolloutWatch watch = new RolloutWatch(
                ControlCharacterWriter.raw(serverCommand.out()),
                serverCommand.json(),
                terminal.columns(),
                () -> terminal.draws() && Terminal.inFront());
        while (true) {
            RolloutBody rollout = serverCommand.client().ask(RolloutBody.class, Route.ROLLOUT, name);
            if (watch.show(rollout)) {
                return RolloutWatch.exit(rollout);
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new CommandRefusedException("Stopped watching " + name + ".");
            }
        }
    }

    @Command(
            description = {
                "Wait until a rollout is done; keeps waiting while it is paused.",
                "Counts real time, whatever the service's clock says."
            },
            footer = {
                "",
                "Exit codes: 0 done; 1 halted, aborted, or done except for what failed; 5 the time was up.",
                "",
                "Examples:",
                "  forewarn rollout wait os-1 --within 8h"
            })
    int wait(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME", converter = Named.class) String name,
            @Option(names = "--within", paramLabel = "DURATION", description = "At most this long, such as 8h.")
                    String within) {
        return wait(serverCommand, name, new Waiting(Waiting.within(within)));
    }

    static int wait(ServerCommand serverCommand, String name, Waiting waiting) {
        RolloutBody rollout = waiting.until(
                () -> serverCommand.client().ask(RolloutBody.class, Route.ROLLOUT, name), RolloutWatch::isOver, name);
        tell(serverCommand, rollout);
        return RolloutWatch.isOver(rollout) ? RolloutWatch.exit(rollout) : ExitCode.TIME_UP;
    }

    @Command(
            description = "Pause a rollout: nothing starts; dates stay as they are until it is resumed.",
            footer = {
                "",
                "Examples:",
                "  forewarn rollout pause os-1",
                "  forewarn rollout pause os-1 --reason 'the storage team looks at host-7'"
            })
    int pause(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME", converter = Named.class) String name,
            @Mixin ReasonOption reason) {
        return tell(
                serverCommand,
                serverCommand.client().send(RolloutBody.class, Route.ROLLOUT_PAUSE, reason.request(), name));
    }

    @Command(
            description = {
                "Resume a rollout that was paused or halted.",
                "Units whose date has passed meanwhile get another, with at least the minimum notice."
            },
            footer = {"", "Examples:", "  forewarn rollout resume os-1", "  forewarn rollout resume os-1 --retry"})
    int resume(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME", converter = Named.class) String name,
            @Option(names = "--retry", description = "Retry what failed.") boolean retry,
            @Option(
                            names = "--notice",
                            paramLabel = "DURATION",
                            description = "Notice for what is retried, such as 1h; default: the minimum.")
                    String notice,
            @Option(
                            names = "--until",
                            paramLabel = "TIME",
                            description = "Another latest start of a unit, such as 'sun 06:00'.")
                    String until,
            @Option(
                            names = "--late",
                            paramLabel = "refuse|next-window|any",
                            description = "What becomes of units that cannot start by then.")
                    String late) {
        Map<String, String> query = new HashMap<>();
        put(query, "retry", retry ? "true" : null);
        put(query, "notice", notice);
        put(query, "until", until);
        put(query, "late", late);
        return tell(
                serverCommand,
                serverCommand.client().ask(RolloutBody.class, Route.ROLLOUT_RESUME, List.of(name), query));
    }

    private static void put(Map<String, String> query, String name, String value) {
        if (value != null) {
            query.put(name, value);
        }
    }

    @Command(
            description = "Abort a rollout: events that have not started are cancelled, started ones are completed.",
            footer = {
                "",
                "Examples:",
                "  forewarn rollout abort os-1",
                "  forewarn rollout abort os-1 --reason 'a newer kernel comes next week'"
            })
    int abort(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME", converter = Named.class) String name,
            @Mixin ReasonOption reason) {
        return tell(
                serverCommand,
                serverCommand.client().send(RolloutBody.class, Route.ROLLOUT_ABORT, reason.request(), name));
    }

    @Command(
            description = {
                "Remove a rollout that has ended; its name can be used again, and its history stays.",
                "Otherwise it is removed together with its history."
            },
            footer = {"", "Examples:", "  forewarn rollout remove os-1"})
    int remove(
            @Mixin ServerCommand serverCommand, @Parameters(paramLabel = "NAME", converter = Named.class) String name) {
        CommandResultBody outcome = serverCommand.client().ask(CommandResultBody.class, Route.ROLLOUT_REMOVE, name);
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(outcome));
        } else {
            serverCommand.say(name + " removed");
        }
        return ExitCode.DONE;
    }

    private static int tell(ServerCommand serverCommand, RolloutBody rollout) {
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(rollout));
        } else {
            serverCommand.say(rollout.name() + " " + RolloutProgressBar.of(rollout));
        }
        return ExitCode.DONE;
    }
}
