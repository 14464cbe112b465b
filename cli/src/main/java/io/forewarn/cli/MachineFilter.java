package io.forewarn.cli;

import java.util.Map;
import picocli.CommandLine.Option;

/** The options of {@code vm list} that select machines. As fields: picocli reads annotations of parameters many times. */
final class MachineFilter {
    @Option(names = "--group", paramLabel = "NAME", description = "Only this group's; 'shop/*' is a pattern.")
    private String group;

    @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.")
    private String tenant;

    @Option(names = "--name", paramLabel = "NAME", description = "Only those with this name; 'web-*' is a pattern.")
    private String name;

    @Option(names = "--host", paramLabel = "NAME", description = "Only those on this host; 'host-1?' is a pattern.")
    private String host;

    @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "Only those with this tag.")
    private String tag;

    @Option(names = "--polling", paramLabel = "STATE", description = "Only never, polling or silent ones.")
    private String polling;

    @Option(names = "--silent", description = "The same as --polling silent.")
    private boolean silent;

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            description = "By group (default), name, host or last-poll; -last-poll reverses it.")
    private String sort;

    Map<String, String> query() {
        return ServerCommand.query(
                "group",
                group,
                "tenant",
                tenant,
                "name",
                name,
                "host",
                host,
                "tag",
                tag,
                "polling",
                silent ? "silent" : polling,
                "sort",
                sort);
    }
}
