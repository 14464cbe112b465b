package io.forewarn.cli;

import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.GroupBody;
import io.forewarn.wire.control.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists, shows, adds and removes groups. */
@Command(
        name = "group",
        addMethodSubcommands = false,
        description = "Groups: the machines that see each other's events.",
        footer = {
            "",
            "Examples:",
            "  forewarn group add web --kind availability-set --update-domains 5 --fault-domains 2"
        })
final class GroupCommand {
    @Command(
            description = "List groups: whether they are enabled, and when one of their machines last polled.",
            footer = {"", "Examples:", "  forewarn group list --tenant shop", "  forewarn group list --name 'shop/web*'"
            })
    int list(
            @Mixin ServerCommand serverCommand,
            @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.") String tenant,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            description = "Only those with this name; 'shop/*' is a pattern.")
                    String name,
            @Mixin Paging paging) {
        return serverCommand.list(
                paging,
                GroupBody.class,
                Route.GROUPS,
                ServerCommand.query("tenant", tenant, "group", name),
                List.of("name", "kind", "machines", "ud", "fd", "enabled", "incarnation", "events", "last poll"),
                "No groups.",
                g -> List.of(
                        DisplayNames.of(g.tenant(), g.name()),
                        g.kind(),
                        String.valueOf(g.machines()),
                        String.valueOf(g.updateDomains()),
                        String.valueOf(g.faultDomains()),
                        g.enabled() ? "yes" : "no",
                        String.valueOf(g.incarnation()),
                        String.valueOf(g.events()),
                        g.lastPoll() == null ? "" : DisplayNames.time(g.lastPoll())));
    }

    @Command(
            description = "Show a group.",
            footer = {"", "Examples:", "  forewarn group show web"})
    int show(@Mixin ServerCommand serverCommand, @Parameters(paramLabel = "NAME") String name) {
        byte[] answer = serverCommand.client().bytes(Route.GROUP, List.of(name), Map.of());
        return serverCommand.one(GroupBody.class, answer, g -> new PropertyList()
                .with("name", DisplayNames.of(g.tenant(), g.name()))
                .with("kind", g.kind())
                .with("machines", g.machines())
                .with("update domains", g.updateDomains())
                .with("fault domains", g.faultDomains())
                .with("enabled", g.enabled() ? "yes" : "no: work on it starts without notice until a machine polls")
                .with("enabled since", DisplayNames.time(g.enabledAt()))
                .with("incarnation", g.incarnation())
                .with("open events", g.events())
                .with("last poll", g.lastPoll() == null ? "never" : DisplayNames.time(g.lastPoll()))
                .print(serverCommand.out()));
    }

    @Command(
            description = "Add or change a group.",
            footer = {
                "",
                "Examples:",
                "  forewarn group add web --kind availability-set --update-domains 5 --fault-domains 2"
            })
    int add(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--kind",
                            paramLabel = "KIND",
                            description = "cloud-service, availability-set, scale-set or single.")
                    String kind,
            @Option(names = "--update-domains", paramLabel = "N") Integer updateDomains,
            @Option(names = "--fault-domains", paramLabel = "N") Integer faultDomains) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("kind", kind);
        body.put("update-domains", updateDomains);
        body.put("fault-domains", faultDomains);
        body.values().removeIf(v -> v == null);
        return ActionResultPrinter.changes(
                serverCommand, serverCommand.client().send(CommandResultBody.class, Route.GROUP_PUT, body, name));
    }

    @Command(
            description =
                    "Remove a group and its machines; none may have an open event, but scheduled events of rollouts do not"
                            + " count.",
            footer = {"", "Examples:", "  forewarn group remove web"})
    int remove(@Mixin ServerCommand serverCommand, @Parameters(paramLabel = "NAME") String name) {
        return ActionResultPrinter.changes(
                serverCommand, serverCommand.client().ask(CommandResultBody.class, Route.GROUP_REMOVE, name));
    }
}
