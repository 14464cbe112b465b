package io.forewarn.cli;

import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.RolloutUnitBody;
import io.forewarn.wire.control.PlanBody;
import io.forewarn.wire.control.RolloutBody;
import io.forewarn.wire.control.Route;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Rollouts. */
@Command(
        name = "rollout",
        addMethodSubcommands = false,
        description = "Rollouts: work over many hosts or groups, one update domain of a group at a time.",
        footer = {
            "",
            "Examples:",
            "  forewarn rollout plan --type reboot --hosts '*'      who is hit when; changes nothing",
            "  forewarn rollout start os-1 --type reboot --hosts '*' --at-once 10%%",
            "  forewarn rollout start try --type freeze --groups web --drill",
            "  forewarn rollout watch os-1"
        })
final class RolloutCommand {
    /** Nothing is no name. */
    static final class Named implements ITypeConverter<String> {
        @Override
        public String convert(String typed) {
            if (typed.isBlank()) {
                throw new TypeConversionException("it is empty; the name of a rollout would be right");
            }
            return typed;
        }
    }

    private static final long PAUSE = 500;

    @Command(
            description = "Shows who would be hit when, how long it takes and what blocks it. Changes nothing.",
            footer = {"", "Examples:", "  forewarn rollout plan --type reboot --hosts '*' --at-once 10%%"})
    int plan(
            @Mixin Asking asking,
            @Mixin RolloutWanted wanted,
            @Option(names = "--limit", paramLabel = "N", description = "How many steps to show; else 1000.")
                    String limit) {
        byte[] answer = asking.client()
                .bytes(
                        Route.ROLLOUT_PLAN,
                        List.of(),
                        Asking.query("limit", limit),
                        ControlClient.json(wanted.request()));
        return asking.one(PlanBody.class, answer, plan -> tell(asking, plan));
    }

    private static void tell(Asking asking, PlanBody plan) {
        PlanPicture.of(plan, Terminal.here().columns()).forEach(asking::say);
        asking.say("");
        asking.say(Naming.count(plan.pieces(), "piece") + ", " + Naming.count(plan.machines(), "machine") + " of "
                + Naming.count(plan.groups(), "group") + "; over by " + Naming.time(plan.ends()) + ", in "
                + Naming.length(plan.lasts()) + ".");
        if (plan.steps().size() < plan.stepCount()) {
            asking.say("The first " + plan.steps().size() + " of " + plan.stepCount()
                    + " steps are shown; --limit shows more.");
        }
        plan.blocked().forEach(why -> asking.say("Blocked: " + why));
    }

    @Command(
            description = "Starts a rollout.",
            footer = {
                "",
                "Examples:",
                "  forewarn rollout start os-1 --type reboot --hosts '*' --at-once 10%%",
                "  forewarn rollout start try --type freeze --groups web --drill"
            })
    int start(@Mixin Asking asking, @Mixin RolloutWanted wanted) {
        RolloutBody rollout = asking.client().send(RolloutBody.class, Route.ROLLOUT_START, wanted.named());
        if (asking.json()) {
            return tell(asking, rollout);
        }
        asking.say("started " + rollout.name() + ": " + Naming.count(rollout.pieces(), "piece")
                + "; 'forewarn rollout watch " + rollout.name() + "' shows how far it is");
        return Exit.DONE;
    }

    @Command(
            description = "Lists rollouts.",
            footer = {"", "Examples:", "  forewarn rollout list"})
    int list(@Mixin Asking asking) {
        return asking.list(
                RolloutBody.class,
                Route.ROLLOUTS,
                Map.of(),
                List.of("name", "type", "status", "done", "open", "failed", "pending", "started", "why"),
                "No rollouts.",
                r -> List.of(
                        r.name(),
                        r.type() + (r.drill() == null ? "" : " (drill)"),
                        r.status(),
                        String.valueOf(r.done()),
                        String.valueOf(r.open()),
                        String.valueOf(r.failed()),
                        String.valueOf(r.pending()),
                        Naming.time(r.createdAt()),
                        RolloutBar.why(whole(asking, r))));
    }

    @Command(
            description = "Shows a rollout and what of it is under way.",
            footer = {"", "Examples:", "  forewarn rollout show os-1"})
    int show(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME", converter = Named.class) String name,
            @Mixin Paging paging) {
        byte[] answer = asking.client().bytes(Route.ROLLOUT, List.of(name), Map.of());
        return asking.one(RolloutBody.class, answer, r -> {
            new Facts()
                    .with("name", r.name())
                    .with("type", r.type() + (r.drill() == null ? "" : " (drill)"))
                    .with("status", r.why() == null ? r.status() : r.status() + ": " + RolloutBar.why(r))
                    .with("over", r.target().stream().map(Naming::whole).toList())
                    .with("windows", r.windows())
                    .with("self-service until", Naming.time(r.selfServiceUntil()))
                    .with("started", Naming.time(r.createdAt()))
                    .with("ended", Naming.time(r.endedAt()))
                    .with("progress", RolloutBar.progress(r))
                    .with("waiting", waiting(r))
                    .print(asking.out());
            underWay(asking, r, paging);
        });
    }

    /** A list does not say what a rollout waits for. */
    private static RolloutBody whole(Asking asking, RolloutBody listed) {
        boolean stands = listed.status().equals("running") && listed.open() == 0 && listed.pending() > 0;
        return stands ? asking.client().ask(RolloutBody.class, Route.ROLLOUT, listed.name()) : listed;
    }

    private static String waiting(RolloutBody r) {
        return r.waiting() == null
                ? null
                : r.waiting().stream()
                        .map(w -> Naming.count(w.pieces(), "piece") + ": " + w.why())
                        .collect(Collectors.joining("; "));
    }

    private static void underWay(Asking asking, RolloutBody rollout, Paging paging) {
        if (rollout.underWay() == null || rollout.underWay().isEmpty()) {
            return;
        }
        asking.say("");
        List<String> heads = List.of("piece", "event", "status", "group", "machines", "not before");
        Paging.Rows table = paging.new Rows(asking, new Table(asking.out(), heads));
        for (RolloutUnitBody piece : rollout.underWay()) {
            for (EventBody e : piece.events()) {
                table.row(List.of(
                        Naming.whole(piece.name()) + (piece.moves() == null ? "" : " (moves)"),
                        e.id(),
                        e.status(),
                        Naming.of(e.tenant(), e.group()),
                        String.join(",", e.machines()),
                        e.notBefore() == null || e.status().equals("started") ? "" : Naming.time(e.notBefore())));
            }
        }
        table.end();
    }

    @Command(
            description = {
                "Shows how far a rollout is until it is over or halted by a failure; a pause is waited through.",
                "On a terminal one bar in place, else a line for each change."
            },
            footer = {
                "",
                "Exit codes: 0 done; 1 halted, aborted, or done except for what failed.",
                "",
                "Examples:",
                "  forewarn rollout watch os-1",
                "  forewarn rollout watch os-1 && forewarn rollout start os-2 --type reboot --groups batch"
            })
    int watch(@Mixin Asking asking, @Parameters(paramLabel = "NAME", converter = Named.class) String name) {
        Terminal terminal = Terminal.here();
        RolloutWatch watch = new RolloutWatch(
                VisibleWriter.raw(asking.out()),
                asking.json(),
                terminal.columns(),
                () -> terminal.draws() && Terminal.inFront());
        while (true) {
            RolloutBody rollout = asking.client().ask(RolloutBody.class, Route.ROLLOUT, name);
            if (watch.show(rollout)) {
                return RolloutWatch.exit(rollout);
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new Refused("Stopped watching " + name + ".");
            }
        }
    }

    @Command(
            description = "Holds a rollout: nothing new is announced, and what is announced does not start.",
            footer = {"", "Examples:", "  forewarn rollout pause os-1"})
    int pause(@Mixin Asking asking, @Parameters(paramLabel = "NAME", converter = Named.class) String name) {
        return tell(asking, asking.client().ask(RolloutBody.class, Route.ROLLOUT_PAUSE, name));
    }

    @Command(
            description = "Lets a rollout go on that was paused or halted by a failure.",
            footer = {"", "Examples:", "  forewarn rollout resume os-1", "  forewarn rollout resume os-1 --retry"})
    int resume(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME", converter = Named.class) String name,
            @Option(names = "--retry", description = "Try again what failed.") boolean retry) {
        Map<String, String> query = retry ? Map.of("retry", "true") : Map.of();
        return tell(asking, asking.client().ask(RolloutBody.class, Route.ROLLOUT_RESUME, List.of(name), query));
    }

    @Command(
            description = "Ends a rollout for good: what has not started is called off, what has is finished.",
            footer = {"", "Examples:", "  forewarn rollout abort os-1"})
    int abort(@Mixin Asking asking, @Parameters(paramLabel = "NAME", converter = Named.class) String name) {
        return tell(asking, asking.client().ask(RolloutBody.class, Route.ROLLOUT_ABORT, name));
    }

    @Command(
            description = {
                "Forgets a rollout that is over; its name can be used again, and its history stays.",
                "Left alone, it is forgotten when its history is."
            },
            footer = {"", "Examples:", "  forewarn rollout remove os-1"})
    int remove(@Mixin Asking asking, @Parameters(paramLabel = "NAME", converter = Named.class) String name) {
        CommandResultBody outcome = asking.client().ask(CommandResultBody.class, Route.ROLLOUT_REMOVE, name);
        if (asking.json()) {
            asking.raw(Json.write(outcome));
        } else {
            asking.say(name + " removed");
        }
        return Exit.DONE;
    }

    private static int tell(Asking asking, RolloutBody rollout) {
        if (asking.json()) {
            asking.raw(Json.write(rollout));
        } else {
            asking.say(rollout.name() + " " + RolloutBar.of(rollout));
        }
        return Exit.DONE;
    }
}
