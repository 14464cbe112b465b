package io.forewarn.cli;

import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.PieceBody;
import io.forewarn.wire.control.PlanBody;
import io.forewarn.wire.control.RolloutBody;
import io.forewarn.wire.control.RolloutRequest;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.StepBody;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Rollouts. */
@Command(
        name = "rollout",
        description = "Rollouts: work over many hosts or groups, one update domain of a group at a time.",
        footer = {
            "",
            "Examples:",
            "  forewarn rollout plan  --name os-1 --type reboot --hosts '*'        who is hit when; changes nothing",
            "  forewarn rollout start --name os-1 --type reboot --hosts '*' --at-once 10%%",
            "  forewarn rollout start --name try --type freeze --groups web --drill",
            "  forewarn rollout watch os-1"
        })
final class RolloutCommand {
    private static final int BAR = 40;
    private static final long PAUSE = 500;

    /** What is wanted. */
    static final class Wanted {
        @Option(names = "--name", paramLabel = "NAME", required = true, description = "How it is called.")
        private String name;

        @Option(names = "--type", paramLabel = "TYPE", required = true, description = "freeze, reboot or redeploy.")
        private String type;

        @Option(names = "--hosts", paramLabel = "HOST", split = ",", description = "Whole hosts; '*' for all.")
        private List<String> hosts;

        @Option(
                names = "--groups",
                paramLabel = "GROUP",
                split = ",",
                description = "The machines of these groups, one update domain after the other.")
        private List<String> groups;

        @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "The machines that carry this tag.")
        private String tag;

        @Option(
                names = "--notice",
                paramLabel = "DURATION",
                description = "How long before, such as 20m; else the least there is.")
        private String notice;

        @Option(
                names = "--recovery",
                paramLabel = "DURATION",
                description = "Rest between two update domains of a group; else 30m.")
        private String recovery;

        @Option(
                names = "--at-once",
                paramLabel = "N|N%%|fault-domain",
                description = "How many hosts together; else as many as the groups allow.")
        private String atOnce;

        @Option(
                names = "--window",
                paramLabel = "WINDOW",
                description = "When its work may start, such as 'sat,sun 01:00 4h Europe/Berlin'; may be repeated.")
        private List<String> windows;

        @Option(
                names = "--passes",
                description = "Hosts with two update domains of one group: move all but one away first.")
        private boolean passes;

        @Option(names = "--drill", description = "Announce and start it; do nothing to the machines.")
        private boolean drill;

        @Option(
                names = "--self-service-until",
                paramLabel = "TIME",
                description = "Until then owners may redeploy their machines themselves, which then count as done.")
        private String selfServiceUntil;

        @Option(names = "--description", paramLabel = "TEXT", description = "What the events say of themselves.")
        private String description;

        RolloutRequest request() {
            return new RolloutRequest(
                    name,
                    type,
                    hosts,
                    groups,
                    tag,
                    notice,
                    recovery,
                    atOnce,
                    windows,
                    passes ? true : null,
                    drill ? true : null,
                    selfServiceUntil,
                    description);
        }
    }

    @Command(
            description = "Shows who would be hit when, how long it takes and what blocks it. Changes nothing.",
            footer = {"", "Examples:", "  forewarn rollout plan --name os-1 --type reboot --hosts '*' --at-once 10%%"})
    int plan(
            @Mixin Asking asking,
            @Mixin Wanted wanted,
            @Option(names = "--limit", paramLabel = "N", description = "How many steps to show; else 1000.")
                    String limit) {
        byte[] answer = asking.client()
                .bytes(
                        Route.ROLLOUT_PLAN,
                        List.of(),
                        Asking.query("limit", limit),
                        ControlClient.json(wanted.request()));
        return asking.one(PlanBody.class, answer, plan -> {
            Table table = new Table(
                    asking.out(), List.of("piece", "announced", "starts by", "ends by", "groups", "machines"));
            plan.steps().forEach(step -> table.row(row(step)));
            table.end();
            int hidden = plan.steps().size();
            asking.say("");
            asking.say(plan.pieces() + " pieces, " + plan.machines() + " machines of " + plan.groups()
                    + " groups; over by " + Naming.time(plan.ends()) + ", in " + plan.lasts() + "."
                    + (hidden < plan.pieces() ? " The first " + hidden + " steps are shown." : ""));
            plan.blocked().forEach(why -> asking.say("Blocked: " + why));
        });
    }

    private static List<String> row(StepBody step) {
        return List.of(
                step.piece() + (step.moves() == null ? "" : " (moves)"),
                Naming.time(step.announced()),
                Naming.time(step.starts()),
                Naming.time(step.ends()),
                String.join(",", step.groups()),
                String.valueOf(step.machines()));
    }

    @Command(
            description = "Starts a rollout.",
            footer = {
                "",
                "Examples:",
                "  forewarn rollout start --name os-1 --type reboot --hosts '*' --at-once 10%%",
                "  forewarn rollout start --name try --type freeze --groups web --drill"
            })
    int start(@Mixin Asking asking, @Mixin Wanted wanted) {
        RolloutBody rollout = asking.client().send(RolloutBody.class, Route.ROLLOUT_START, wanted.request());
        return tell(asking, rollout);
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
                        r.why() == null ? "" : r.why()));
    }

    @Command(
            description = "Shows a rollout and what of it is under way.",
            footer = {"", "Examples:", "  forewarn rollout show os-1"})
    int show(@Mixin Asking asking, @Parameters(paramLabel = "NAME") String name) {
        byte[] answer = asking.client().bytes(Route.ROLLOUT, List.of(name), Map.of());
        return asking.one(RolloutBody.class, answer, r -> {
            new Facts()
                    .with("name", r.name())
                    .with("type", r.type() + (r.drill() == null ? "" : " (drill)"))
                    .with("status", r.why() == null ? r.status() : r.status() + ": " + r.why())
                    .with("over", r.target())
                    .with("windows", r.windows())
                    .with("self-service until", Naming.time(r.selfServiceUntil()))
                    .with("started", Naming.time(r.createdAt()))
                    .with("ended", Naming.time(r.endedAt()))
                    .with("progress", bar(r))
                    .print(asking.out());
            underWay(asking, r);
        });
    }

    private static void underWay(Asking asking, RolloutBody rollout) {
        if (rollout.underWay() == null || rollout.underWay().isEmpty()) {
            return;
        }
        asking.say("");
        Table table = new Table(asking.out(), List.of("piece", "event", "status", "group", "machines", "not before"));
        for (PieceBody piece : rollout.underWay()) {
            for (EventBody e : piece.events()) {
                table.row(List.of(
                        piece.name() + (piece.moves() == null ? "" : " (moves)"),
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
            description = "Shows progress until the rollout is over, paused or halted.",
            footer = {"", "Examples:", "  forewarn rollout watch os-1"})
    int watch(@Mixin Asking asking, @Parameters(paramLabel = "NAME") String name) {
        String last = "";
        while (true) {
            RolloutBody rollout = asking.client().ask(RolloutBody.class, Route.ROLLOUT, name);
            String line = asking.json() ? new String(Json.write(rollout), StandardCharsets.UTF_8) : bar(rollout);
            if (!line.equals(last)) {
                asking.say(line);
                asking.out().flush();
                last = line;
            }
            if (!rollout.status().equals("running")) {
                return rollout.failed() == 0 ? Exit.DONE : Exit.REFUSED;
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new Refused("Stopped watching " + name + ".");
            }
        }
    }

    /** Done, under way, to come. */
    static String bar(RolloutBody r) {
        int over = r.done() + r.failed();
        int full = r.pieces() == 0 ? BAR : (int) ((long) BAR * over / r.pieces());
        int busy = r.pieces() == 0 ? 0 : Math.min(BAR - full, (int) Math.ceil((double) BAR * r.open() / r.pieces()));
        String bar = "#".repeat(full) + ">".repeat(busy) + ".".repeat(BAR - full - busy);
        return "[" + bar + "] " + over + "/" + r.pieces() + "  " + r.open() + " open, " + r.failed() + " failed, "
                + r.status() + (r.why() == null ? "" : ": " + r.why());
    }

    @Command(
            description = "Holds a rollout: nothing new is announced, and what is announced does not start.",
            footer = {"", "Examples:", "  forewarn rollout pause os-1"})
    int pause(@Mixin Asking asking, @Parameters(paramLabel = "NAME") String name) {
        return tell(asking, asking.client().ask(RolloutBody.class, Route.ROLLOUT_PAUSE, name));
    }

    @Command(
            description = "Lets a rollout go on that was paused or halted by a failure.",
            footer = {"", "Examples:", "  forewarn rollout resume os-1", "  forewarn rollout resume os-1 --retry"})
    int resume(
            @Mixin Asking asking,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--retry", description = "Try again what failed.") boolean retry) {
        Map<String, String> query = retry ? Map.of("retry", "true") : Map.of();
        return tell(asking, asking.client().ask(RolloutBody.class, Route.ROLLOUT_RESUME, List.of(name), query));
    }

    @Command(
            description = "Ends a rollout for good: what has not started is called off, what has is finished.",
            footer = {"", "Examples:", "  forewarn rollout abort os-1"})
    int abort(@Mixin Asking asking, @Parameters(paramLabel = "NAME") String name) {
        return tell(asking, asking.client().ask(RolloutBody.class, Route.ROLLOUT_ABORT, name));
    }

    private static int tell(Asking asking, RolloutBody rollout) {
        if (asking.json()) {
            asking.raw(Json.write(rollout));
        } else {
            asking.say(rollout.name() + " " + bar(rollout));
        }
        return Exit.DONE;
    }
}
