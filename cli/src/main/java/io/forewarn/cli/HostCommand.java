package io.forewarn.cli;

import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.HostBody;
import io.forewarn.wire.control.HostWorkBody;
import io.forewarn.wire.control.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists and shows hosts, and starts work on one of them. */
@Command(
        name = "host",
        addMethodSubcommands = false,
        description = "Hosts: which machines they carry, which work comes next; work on one host.",
        footer = {
            "",
            "Examples:",
            "  forewarn host list --tenant shop          hosts that carry machines of a tenant",
            "  forewarn host show host-3                 its machines, update domains, tenants and work",
            "  forewarn host reboot host-3               with notice to all its machines; a rollout of one host",
            "  forewarn host drain host-3                move all its machines to other hosts"
        })
final class HostCommand {
    static CommandLine line(Optional<String> asked) {
        Map<String, Supplier<CommandLine>> actions = new LinkedHashMap<>();
        for (HostAction action : HostAction.values()) {
            actions.put(action.word(), () -> line(action));
        }
        return LazySubcommands.of(new HostCommand(), actions, asked);
    }

    private static CommandLine line(HostAction action) {
        CommandLine line = new CommandLine(new HostActionCommand(action));
        line.getCommandSpec()
                .name(action.word())
                .usageMessage()
                .description(action.description())
                .footer("", "Examples:", "  forewarn host " + action.word() + " " + action.example());
        return line;
    }

    @Command(
            description = "List hosts that carry machines: how many, whose, and the next work.",
            footer = {"", "Examples:", "  forewarn host list", "  forewarn host list --name 'rack-1-*' --json"})
    int list(
            @Mixin ServerCommand serverCommand,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            description = "Only those with this name; 'host-1?' is a pattern.")
                    String name,
            @Option(
                            names = "--tenant",
                            paramLabel = "NAME",
                            description = "Only those that carry this tenant's machines, and only these machines.")
                    String tenant,
            @Mixin Paging paging) {
        return serverCommand.list(
                paging,
                HostBody.class,
                Route.HOSTS,
                ServerCommand.query("host", name, "tenant", tenant),
                List.of("name", "machines", "running", "tenants", "update domains", "next work"),
                "No hosts: no machine has one.",
                h -> List.of(
                        h.name(),
                        String.valueOf(h.machines()),
                        String.valueOf(h.running()),
                        String.join(",", h.tenants()),
                        String.join(
                                ",",
                                h.updateDomains().stream()
                                        .map(DisplayNames::whole)
                                        .toList()),
                        next(h.nextWork())));
    }

    @Command(
            description = "Show a host: its machines, update domains and tenants, and the work on it.",
            footer = {"", "Examples:", "  forewarn host show host-3"})
    int show(@Mixin ServerCommand serverCommand, @Parameters(paramLabel = "NAME") String name) {
        byte[] answer = serverCommand.client().bytes(Route.HOST, List.of(name), Map.of());
        return serverCommand.one(HostBody.class, answer, h -> {
            new PropertyList()
                    .with("name", h.name())
                    .with("machines", h.machines() + ", " + h.running() + " running")
                    .with(
                            "names",
                            h.machineNames().stream().map(DisplayNames::whole).toList())
                    .with("tenants", h.tenants())
                    .with(
                            "update domains",
                            h.updateDomains().stream().map(DisplayNames::whole).toList())
                    .with(
                            "evacuation",
                            h.needsEvacuation() == null
                                    ? null
                                    : "needed before work on the whole host: it carries two update domains of one group")
                    .with("next work", h.nextWork() == null ? "none is scheduled" : next(h.nextWork()))
                    .print(serverCommand.out());
            if (!h.events().isEmpty()) {
                serverCommand.say("");
                Table table = new Table(
                        serverCommand.out(), List.of("event", "type", "status", "group", "machines", "not before"));
                h.events().forEach(e -> table.row(row(e)));
                table.end();
            }
        });
    }

    private static List<String> row(EventBody e) {
        return List.of(
                e.id(),
                e.type(),
                e.status(),
                DisplayNames.of(e.tenant(), e.group()),
                String.join(",", e.machines()),
                e.notBefore() == null || e.status().equals("started") ? "" : DisplayNames.time(e.notBefore()));
    }

    private static String next(HostWorkBody work) {
        if (work == null) {
            return "";
        }
        String when = work.notBefore() == null ? work.status() : "from " + DisplayNames.time(work.notBefore());
        return work.type()
                + (work.status().equals("planned") && work.notBefore() != null ? " planned " : " ")
                + when
                + (work.rollout() == null ? "" : " (" + work.rollout() + ")");
    }
}
