package io.forewarn.cli;

import io.forewarn.wire.control.ClockBody;
import io.forewarn.wire.control.ClockRepairRequest;
import io.forewarn.wire.control.ClockRequest;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows and moves service time. */
@Command(
        name = "clock",
        addMethodSubcommands = false,
        description = "Service time. With 'serve --clock manual' you move it yourself.",
        footer = {"", "Examples:", "  forewarn clock advance 15m      returns when all work that became due is done"})
final class ClockCommand {
    @Command(
            description = "Show service time.",
            footer = {"", "Examples:", "  forewarn clock show"})
    int show(@Mixin ServerCommand serverCommand) {
        return tell(serverCommand, serverCommand.client().ask(ClockBody.class, Route.CLOCK));
    }

    @Command(
            description = "Move the manual clock forward, and return when all work that became due is done.",
            footer = {"", "Examples:", "  forewarn clock advance 15m"})
    int advance(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "DURATION", description = "Such as 9m59s or 25h.") String by) {
        return move(serverCommand, Route.CLOCK_ADVANCE, new ClockRequest(by, null));
    }

    @Command(
            description = "Move the manual clock forward to a time.",
            footer = {"", "Examples:", "  forewarn clock set 2030-01-01T00:00:00Z", "  forewarn clock set 'fri 22:00'"})
    int set(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "TIME", description = "Such as 'fri 22:00' or 2030-01-01T00:00:00Z.") String to) {
        return move(serverCommand, Route.CLOCK_SET, new ClockRequest(null, to));
    }

    @Command(
            description =
                    "Set service time to the machine's clock or, in a cluster, to the clock of the majority of nodes.",
            footer = {
                "",
                "Examples:",
                "  forewarn clock repair",
                "  forewarn clock repair --node 10.0.0.2:8170",
                "",
                "Forewarn follows a clock that jumped only after the clock has run steadily for an hour; 'forewarn doctor' reports",
                "it. This command confirms that the clock is right. No event starts by time alone for clock.resume-grace afterwards."
            })
    int repair(
            @Mixin ServerCommand serverCommand,
            @Option(
                            names = "--node",
                            paramLabel = "HOST:PORT",
                            description = "The node whose clock is right, if the nodes disagree.")
                    String node) {
        return tell(
                serverCommand,
                serverCommand.client().send(ClockBody.class, Route.CLOCK_REPAIR, new ClockRepairRequest(node)));
    }

    /** Without a subcommand, {@code clock} means {@code clock show}. */
    static String[] orShow(String... args) {
        boolean alone = args.length > 0 && args[0].equals("clock") && (args.length == 1 || isOptionOfShow(args[1]));
        if (!alone) {
            return args;
        }
        List<String> shown = new ArrayList<>(List.of(args));
        shown.add(1, "show");
        return shown.toArray(String[]::new);
    }

    private static boolean isOptionOfShow(String word) {
        return List.of("--json", "--url", "--ca").contains(word.replaceFirst("=.*", ""));
    }

    /** A long rollout takes a while: on a terminal, shows how far the clock is. */
    private static int move(ServerCommand serverCommand, Route route, ClockRequest request) {
        if (serverCommand.json() || !Terminal.here().shown()) {
            return tell(serverCommand, serverCommand.client().send(ClockBody.class, route, request));
        }
        ClockProgress progress = new ClockProgress(
                serverCommand.err(), () -> serverCommand.client().ask(ClockBody.class, Route.CLOCK));
        progress.start();
        ClockBody moved;
        try {
            moved = serverCommand.client().send(ClockBody.class, route, request);
        } finally {
            progress.stop();
        }
        return tell(serverCommand, moved);
    }

    private static int tell(ServerCommand serverCommand, ClockBody clock) {
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(clock));
        } else {
            serverCommand.say(DisplayNames.time(clock.now()) + " (" + clock.clock() + ")");
        }
        return ExitCode.DONE;
    }
}
