package io.forewarn.cli;

import io.forewarn.core.fleet.NamePattern;
import io.forewarn.wire.control.ClockBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.RolloutBody;
import io.forewarn.wire.control.RolloutRequest;
import io.forewarn.wire.control.Route;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a rollout over one host, with a name made of the host, the work and the service time. */
@Command
final class HostActionCommand implements Callable<Integer> {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmm").withZone(ZoneOffset.UTC);
    private static final int LONGEST_NAME = 63;

    private final HostAction action;

    @Mixin
    private ServerCommand serverCommand;

    @Parameters(paramLabel = "HOST", description = "One host; 'rollout start --hosts' works on several.")
    private String host;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the rollout; default: such as host-3-reboot-20261120-2200.")
    private String name;

    @Mixin
    private RolloutWorkOptions work;

    @Option(names = "--wait", description = "Wait until the work is done; exit code 1 if it was not.")
    private boolean wait;

    HostActionCommand(HostAction action) {
        this.action = action;
    }

    @Override
    public Integer call() {
        if (!new NamePattern(host).isPlain()) {
            throw CommandRefusedException.wrong("'" + host + "' is a pattern, and this works on one host; use"
                    + " 'forewarn rollout start NAME --type " + action.type() + " --hosts '" + host + "''");
        }
        RolloutRequest request = work.request(
                name == null ? unusedName() : name,
                action.type(),
                RolloutWorkOptions.Target.host(host),
                action.evacuates());
        RolloutBody rollout = serverCommand.client().send(RolloutBody.class, Route.ROLLOUT_START, request);
        if (wait) {
            return RolloutCommand.wait(serverCommand, rollout.name(), new Waiting(null));
        }
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(rollout));
        } else {
            RolloutCommand.tellStarted(serverCommand, rollout);
        }
        return ExitCode.DONE;
    }

    private String unusedName() {
        Instant now = Instant.parse(
                serverCommand.client().ask(ClockBody.class, Route.CLOCK).now());
        String end = "-" + action.word() + "-" + MINUTE.format(now);
        Set<String> used = new HashSet<>();
        serverCommand.client().each(RolloutBody.class, Route.ROLLOUTS, Map.of(), rollout -> used.add(rollout.name()));
        String unused = begin(end) + end;
        for (int i = 2; used.contains(unused); i++) {
            unused = begin(end + "-" + i) + end + "-" + i;
        }
        return unused;
    }

    /** Host names may be longer than names of rollouts. */
    private String begin(String end) {
        return host.substring(0, Math.min(host.length(), LONGEST_NAME - end.length()));
    }
}
