package io.forewarn.cli;

import io.forewarn.wire.control.Action;
import io.forewarn.wire.control.ActionRequest;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Route;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Something done to machines, one event each, all or none. Returns once it is scheduled and durable. */
@Command
final class ActionCommand implements Callable<Integer> {
    private final Action action;

    @Mixin
    private ServerCommand serverCommand;

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Machines; one event each.")
    private List<String> names;

    @Option(
            names = "--notice",
            paramLabel = "DURATION",
            description =
                    "How long before, such as 20m; else the least there is. Refused for a group that gets no notice,"
                            + " because none of its machines asked lately: left out, the work on it starts at once.")
    private String notice;

    @Option(
            names = "--duration",
            paramLabel = "DURATION",
            description = "How long a machine will be away, such as 5s, which machines read as DurationInSeconds;"
                    + " else what the driver says.")
    private String duration;

    @Option(names = "--description", paramLabel = "TEXT", description = "What the event says of itself.")
    private String description;

    @Option(
            names = "--rehearsal",
            description = "Schedule and start it like the real thing; do nothing to the machines.")
    private boolean rehearsal;

    @Option(names = "--drill", hidden = true, description = "The former name of --rehearsal.")
    private boolean drill;

    @Option(names = "--wait", description = "Wait until the events are over; exit code 1 if the work was not done.")
    private boolean wait;

    ActionCommand(Action action) {
        this.action = action;
    }

    static String describe(Action action) {
        return switch (action) {
            case RESTART -> "Restarts machines (Reboot, 15 minutes of notice).";
            case REDEPLOY -> "Moves machines to other hosts (Redeploy, 10 minutes of notice).";
            case FREEZE -> "Pauses machines for host maintenance (Freeze, 15 minutes of notice).";
            case PREEMPT -> "Takes spot machines away (Preempt, 30 seconds of notice).";
            case TERMINATE -> "Deletes machines (Terminate, 5 to 15 minutes of notice).";
            case FAIL -> "Lets machines break down: Reboot, started at once.";
        };
    }

    static String[] examples(Action action) {
        List<String> lines =
                switch (action) {
                    case RESTART ->
                        List.of(
                                "FrontEnd_IN_0",
                                "FrontEnd_IN_0 db-1 --wait      one event each, and wait until both are over");
                    case REDEPLOY -> List.of("FrontEnd_IN_0 --notice 20m");
                    case FREEZE ->
                        List.of(
                                "FrontEnd_IN_0 --duration 3s      machines read DurationInSeconds 3",
                                "FrontEnd_IN_0 --rehearsal      scheduled and started, nothing done");
                    case PREEMPT -> List.of("spot-1");
                    case TERMINATE -> List.of("FrontEnd_IN_0 --description 'scaling in'");
                    case FAIL -> List.of("BackEnd_IN_0");
                };
        return Stream.concat(
                        Stream.of("", "Examples:"),
                        lines.stream().map(line -> "  forewarn vm " + action.word() + " " + line))
                .toArray(String[]::new);
    }

    @Override
    public Integer call() {
        ActionRequest request =
                new ActionRequest(names, notice, description, rehearsal || drill ? true : null, duration);
        CommandResultBody outcome =
                serverCommand.client().send(CommandResultBody.class, Route.ACTION, request, action.word());
        return ActionResultPrinter.tell(serverCommand, outcome.events(), wait, "scheduled");
    }
}
