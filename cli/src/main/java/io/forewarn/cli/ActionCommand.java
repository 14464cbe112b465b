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

/** Schedules one event per machine, for all of the machines or none. Returns once the events are durable. */
@Command
final class ActionCommand implements Callable<Integer> {
    private final Action action;

    @Mixin
    private ServerCommand serverCommand;

    @Parameters(
            paramLabel = "NAME",
            arity = "1..*",
            description = "Machines, at most 50; each gets its own event. 'web-*' is a pattern.")
    private List<String> names;

    @Option(
            names = "--notice",
            paramLabel = "DURATION",
            description =
                    "Notice to give, such as 20m; default: the minimum. Refused for a group that gets no notice"
                            + " because none of its machines is polling: without --notice, work on such a group starts at once.")
    private String notice;

    @Option(
            names = "--duration",
            paramLabel = "DURATION",
            description = "Expected downtime of a machine, from 0s to 7 days, such as 5s, shown to machines as"
                    + " DurationInSeconds; default: what the driver reports. Plans go by it only if work is simulated.")
    private String duration;

    @Option(names = "--description", paramLabel = "TEXT", description = "Description shown in the event.")
    private String description;

    @Option(
            names = "--rehearsal",
            description = "Schedule and start it like the real thing; do nothing to the machines.")
    private boolean rehearsal;

    @Option(names = "--drill", hidden = true, description = "The former name of --rehearsal.")
    private boolean drill;

    @Option(names = "--wait", description = "Wait until the events have ended; exit code 1 if the work was not done.")
    private boolean wait;

    ActionCommand(Action action) {
        this.action = action;
    }

    static String describe(Action action) {
        return switch (action) {
            case RESTART -> "Restart machines (Reboot, 15 minutes of notice).";
            case REDEPLOY -> "Move machines to other hosts (Redeploy, 10 minutes of notice).";
            case FREEZE -> "Pause machines for host maintenance (Freeze, 15 minutes of notice).";
            case PREEMPT -> "Evict spot machines (Preempt, 30 seconds of notice).";
            case TERMINATE -> "Delete machines (Terminate, 5 to 15 minutes of notice).";
            case FAIL -> "Simulate a hardware failure: Reboot, started at once.";
        };
    }

    static String[] examples(Action action) {
        List<String> lines =
                switch (action) {
                    case RESTART ->
                        List.of(
                                "FrontEnd_IN_0",
                                "FrontEnd_IN_0 db-1 --wait      one event each; wait until both have ended");
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
