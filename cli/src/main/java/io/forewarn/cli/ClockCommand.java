package io.forewarn.cli;

import io.forewarn.wire.control.ClockBody;
import io.forewarn.wire.control.ClockRepairRequest;
import io.forewarn.wire.control.ClockRequest;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Service time. */
@Command(
        name = "clock",
        addMethodSubcommands = false,
        description = "Service time. 'serve --clock manual' puts it into your hands.",
        footer = {"", "Examples:", "  forewarn clock advance 15m      returns when everything that fell due has settled"
        })
final class ClockCommand {
    @Command(
            description = "Shows service time.",
            footer = {"", "Examples:", "  forewarn clock show"})
    int show(@Mixin ServerCommand serverCommand) {
        return tell(serverCommand, serverCommand.client().ask(ClockBody.class, Route.CLOCK));
    }

    @Command(
            description = "Moves the manual clock forward, and returns when everything that fell due has settled.",
            footer = {"", "Examples:", "  forewarn clock advance 15m"})
    int advance(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "DURATION", description = "A sum, such as 9m59s or 25h.") String by) {
        return tell(
                serverCommand,
                serverCommand.client().send(ClockBody.class, Route.CLOCK_ADVANCE, new ClockRequest(by, null)));
    }

    @Command(
            description = "Moves the manual clock forward to a time.",
            footer = {"", "Examples:", "  forewarn clock set 2030-01-01T00:00:00Z"})
    int set(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "TIME", description = "Such as 2030-01-01T00:00:00Z.") String to) {
        return tell(
                serverCommand,
                serverCommand.client().send(ClockBody.class, Route.CLOCK_SET, new ClockRequest(null, to)));
    }

    @Command(
            description =
                    "Has service time leap to what the machine's clock says, or more than half of the nodes' clocks.",
            footer = {
                "",
                "Examples:",
                "  forewarn clock repair",
                "  forewarn clock repair --node 10.0.0.2:8170",
                "",
                "A clock that jumps is followed only after it has run in step for an hour; 'forewarn doctor' says so. This",
                "says that it is right now. Nothing starts by time for resume-grace after it."
            })
    int repair(
            @Mixin ServerCommand serverCommand,
            @Option(
                            names = "--node",
                            paramLabel = "HOST:PORT",
                            description = "The node whose clock is right, if they do not agree.")
                    String node) {
        return tell(
                serverCommand,
                serverCommand.client().send(ClockBody.class, Route.CLOCK_REPAIR, new ClockRepairRequest(node)));
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
