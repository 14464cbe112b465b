package io.forewarn.cli;

import io.forewarn.core.fleet.NamePattern;
import io.forewarn.wire.control.Action;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.MachineBody;
import io.forewarn.wire.control.Route;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Lists, shows, adds, changes and removes machines, and schedules work on them. */
@Command(
        name = "vm",
        addMethodSubcommands = false,
        description = "Machines: list, add and remove them, schedule maintenance.",
        footer = {
            "",
            "Examples:",
            "  forewarn vm list --group web           which poll, and which have stopped",
            "  forewarn vm restart FrontEnd_IN_0      schedule a restart; it starts when approved or after 15 minutes",
            "  forewarn vm restart A B --wait         one event each; wait until both have ended",
            "  forewarn vm add cache-1 --host host-9 --address 10.0.0.9",
            "  forewarn vm set cache-1 --host host-4  change only the host",
            "NAME may be tenant/name. Where several may be given, 'web-*' and 'web-1?' are patterns."
        })
final class VmCommand {
    /** Azure's portal calls it a restart, its event type a reboot. */
    private static final Map<String, String> ALIASES = Map.of("reboot", Action.RESTART.word());

    static CommandLine line(Optional<String> asked) {
        Map<String, Supplier<CommandLine>> actions = new LinkedHashMap<>();
        for (Action action : Action.values()) {
            actions.put(action.word(), () -> line(action));
        }
        return LazySubcommands.of(new VmCommand(), actions, asked.map(word -> ALIASES.getOrDefault(word, word)));
    }

    private static CommandLine line(Action action) {
        CommandLine line = new CommandLine(new ActionCommand(action));
        line.getCommandSpec()
                .name(action.word())
                .aliases(ALIASES.entrySet().stream()
                        .filter(alias -> alias.getValue().equals(action.word()))
                        .map(Map.Entry::getKey)
                        .toArray(String[]::new))
                .usageMessage()
                .description(ActionCommand.describe(action))
                .footer(ActionCommand.examples(action));
        return line;
    }

    @Command(
            description =
                    "List machines: their state, which of them poll with which api-version, and which have stopped polling.",
            footer = {
                "",
                "Examples:",
                "  forewarn vm list --group web",
                "  forewarn vm list --silent              which have stopped polling",
                "  forewarn vm list --host 'host-1?' --tag env=prod --sort name"
            })
    int list(@Mixin ServerCommand serverCommand, @Mixin MachineFilter filter, @Mixin Paging paging) {
        return serverCommand.list(
                paging,
                MachineBody.class,
                Route.MACHINES,
                filter.query(),
                List.of(
                        "name",
                        "group",
                        "ud",
                        "fd",
                        "host",
                        "state",
                        "boots",
                        "event",
                        "polling",
                        "api-version",
                        "last poll"),
                "No machines.",
                m -> List.of(
                        text(DisplayNames.of(m.tenant(), m.name())),
                        text(m.group()),
                        String.valueOf(m.updateDomain()),
                        String.valueOf(m.faultDomain()),
                        text(m.host()),
                        text(m.state()),
                        String.valueOf(m.boots()),
                        text(m.eventStatus()),
                        text(m.polling()),
                        text(m.apiVersion()),
                        text(DisplayNames.time(m.lastPoll()))));
    }

    @Command(
            description = "Show a machine.",
            footer = {"", "Examples:", "  forewarn vm show FrontEnd_IN_0", "  forewarn vm show shop/db-1 --json"})
    int show(@Mixin ServerCommand serverCommand, @Parameters(paramLabel = "NAME") String name) {
        byte[] answer = serverCommand.client().bytes(Route.MACHINE, List.of(name), Map.of());
        return serverCommand.one(MachineBody.class, answer, m -> new PropertyList()
                .with("name", DisplayNames.of(m.tenant(), m.name()))
                .with("group", m.group())
                .with("update domain", m.updateDomain())
                .with("fault domain", m.faultDomain())
                .with("host", m.host())
                .with("addresses", m.addresses())
                .with("listener", m.listen())
                .with("spot", m.spot() ? "yes" : null)
                .with("tags", m.tags())
                .with("state", m.since() == null ? m.state() : m.state() + " since " + DisplayNames.time(m.since()))
                .with("detail", m.detail())
                .with("boots", m.boots())
                .with("open event", m.event() == null ? "none" : m.event() + ", " + m.eventStatus())
                .with("polling", m.polling())
                .with("last poll", DisplayNames.time(m.lastPoll()))
                .with("api-version", m.apiVersion())
                .print(serverCommand.out()));
    }

    @Command(
            description = "Add a machine. Without --group it forms its own group. Use 'vm set' to change one.",
            footer = {
                "",
                "Examples:",
                "  forewarn vm add web-7 --group web --host host-2 --address 10.0.0.7 --tag env=prod"
            })
    int add(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Mixin MachineOptions wanted) {
        return put(serverCommand, name, "new", connection -> {
            connection.setRequestProperty("If-None-Match", "*");
            ControlClient.json(wanted.body()).to(connection);
        });
    }

    @Command(
            description = "Change a machine. Values and tags not given stay unchanged.",
            footer = {
                "",
                "Examples:",
                "  forewarn vm set web-7 --host host-3 --tag env=test",
                "  forewarn vm set web-7 --tag env=      removes the tag"
            })
    int set(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Mixin MachineOptions wanted) {
        if (wanted.body().isEmpty()) {
            throw new ParameterException(
                    serverCommand.commandLine(), "no change is given; use --host NAME, for example");
        }
        return put(serverCommand, name, "existing", ControlClient.json(wanted.body()));
    }

    private static int put(ServerCommand serverCommand, String name, String only, ControlClient.Sending sending) {
        byte[] answer = serverCommand
                .client()
                .bytes(Route.MACHINE_PUT, List.of(name), ServerCommand.query("only", only), sending);
        return serverCommand.one(
                CommandResultBody.class, answer, outcome -> ActionResultPrinter.changes(serverCommand, outcome));
    }

    @Command(
            description = "Remove machines that have no open event; scheduled events of rollouts do not count.",
            footer = {"", "Examples:", "  forewarn vm remove cache-1 cache-2", "  forewarn vm remove 'cache-*'"})
    int remove(
            @Mixin ServerCommand serverCommand, @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names) {
        int changes = 0;
        for (String name : matching(serverCommand, names)) {
            changes += serverCommand
                    .client()
                    .ask(CommandResultBody.class, Route.MACHINE_REMOVE, name)
                    .changes();
        }
        return ActionResultPrinter.changes(serverCommand, new CommandResultBody(List.of(), changes));
    }

    /** Replaces patterns by the names of the machines that match them. */
    private static Set<String> matching(ServerCommand serverCommand, List<String> typed) {
        Set<String> names = new LinkedHashSet<>();
        for (String name : typed) {
            if (new NamePattern(name).isPlain()) {
                names.add(name);
                continue;
            }
            int before = names.size();
            serverCommand
                    .client()
                    .each(
                            MachineBody.class,
                            Route.MACHINES,
                            Map.of("name", name),
                            m -> names.add(m.tenant() + "/" + m.name()));
            if (names.size() == before) {
                throw new CommandRefusedException("no machine matches '" + name + "'; 'forewarn vm list' shows them");
            }
        }
        return names;
    }

    private static String text(String value) {
        return value == null ? "" : value;
    }
}
