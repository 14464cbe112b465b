package io.forewarn.cli;

import io.forewarn.core.Problem;
import io.forewarn.wire.control.EntryBody;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What happened. */
@Command(
        name = "history",
        description = "Tells what happened, when, why and by whom; newest first.",
        footer = {
            "",
            "Examples:",
            "  forewarn history --group web --since 2h",
            "  forewarn history --event ID --oldest-first",
            "  forewarn history --vm db-1 --json"
        })
final class HistoryCommand implements Callable<Integer> {
    static final List<String> HEADS =
            List.of("at", "what", "group", "machines", "by", "promised", "given", "event", "detail");

    @Mixin
    private Asking asking;

    @Option(names = "--group", paramLabel = "NAME", description = "Only this group's.")
    private String group;

    @Option(
            names = {"--vm", "--machine"},
            paramLabel = "NAME",
            description = "Only this machine's.")
    private String machine;

    @Option(names = "--event", paramLabel = "ID", description = "Only this event's.")
    private String event;

    @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.")
    private String tenant;

    @Option(names = "--since", paramLabel = "WHEN", description = "Nothing older: 2h, or 2030-01-01T00:00:00Z.")
    private String since;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most so many; ${DEFAULT-VALUE} unless said.")
    private long limit;

    @Option(names = "--oldest-first", description = "In the order it happened.")
    private boolean oldestFirst;

    @Override
    public Integer call() {
        if (machine != null) {
            mustBeKnown(Route.MACHINE, "machine", machine);
        }
        if (group != null) {
            mustBeKnown(Route.GROUP, "group", group);
        }
        return asking.list(
                EntryBody.class,
                Route.HISTORY,
                Asking.query(
                        "group", group,
                        "machine", machine,
                        "event", event == null ? null : new OpenEvents(asking).whole(event),
                        "tenant", tenant,
                        "since", since,
                        "limit", String.valueOf(limit),
                        "order", oldestFirst ? "oldest" : null),
                HEADS,
                "Nothing happened.",
                HistoryCommand::row);
    }

    /** Without what the event itself has said already. */
    static final List<String> HEADS_OF_ONE_EVENT = List.of("at", "what", "by", "promised", "given", "detail");

    static List<String> rowOfOneEvent(EntryBody e) {
        return List.of(
                text(Naming.time(e.at())),
                text(e.what()),
                Naming.of(e.by()),
                text(e.promised()),
                text(e.given()),
                text(e.detail()));
    }

    /** A name is mistyped if the server neither has it nor remembers it; what was removed still has its history. */
    private void mustBeKnown(Route route, String kind, String name) {
        String whole = tenant == null || name.contains("/") ? name : tenant + "/" + name;
        try {
            asking.client().bytes(route, List.of(whole), Map.of());
        } catch (Refused refused) {
            if (!Words.of(Problem.UNKNOWN_NAME).equals(refused.error().problem()) || !remembers(kind, whole)) {
                throw refused;
            }
        }
    }

    private boolean remembers(String kind, String name) {
        List<EntryBody> found = new ArrayList<>();
        asking.client().each(EntryBody.class, Route.HISTORY, Map.of(kind, name, "limit", "1"), found::add);
        return !found.isEmpty();
    }

    static List<String> row(EntryBody e) {
        return List.of(
                text(Naming.time(e.at())),
                text(e.what()),
                text(Naming.of(e.tenant(), e.group())),
                e.machines() == null ? "" : String.join(",", e.machines()),
                Naming.of(e.by()),
                text(e.promised()),
                text(e.given()),
                text(e.event()),
                text(e.detail()));
    }

    private static String text(String value) {
        return value == null ? "" : value;
    }
}
