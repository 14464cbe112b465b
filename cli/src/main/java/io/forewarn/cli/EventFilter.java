package io.forewarn.cli;

import java.util.Map;
import picocli.CommandLine.Option;

/** The options of {@code event list} that select events. As fields: picocli reads annotations of parameters many times. */
final class EventFilter {
    @Option(names = "--group", paramLabel = "NAME", description = "Only this group's; 'shop/*' is a pattern.")
    private String group;

    @Option(names = "--vm", paramLabel = "NAME", description = "Only this machine's.")
    private String machine;

    @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.")
    private String tenant;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "Only those of machines on this host; 'host-1?' is a pattern.")
    private String host;

    @Option(names = "--rollout", paramLabel = "NAME", description = "Only this rollout's.")
    private String rollout;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only freeze, reboot, redeploy, preempt or terminate.")
    private String type;

    @Option(names = "--state", paramLabel = "STATE", description = "Only waiting, scheduled or started ones.")
    private String state;

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            description = "By group (default), not-before, state or type; -not-before reverses it.")
    private String sort;

    Map<String, String> query() {
        return ServerCommand.query(
                "group", group, "machine", machine, "tenant", tenant, "host", host, "rollout", rollout, "type", type,
                "state", state, "sort", sort);
    }
}
