package io.forewarn.cli;

import io.forewarn.core.Problem;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.HistoryEntryBody;
import io.forewarn.wire.control.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the history of events, machines, groups and rollouts. */
@Command(
        name = "history",
        description = "Show what happened, when, why and by whom; newest first.",
        footer = {
            "",
            "Examples:",
            "  forewarn history --group web --since 2h",
            "  forewarn history --event ID --oldest-first",
            "  forewarn history --vm db-1 --json",
            "  forewarn history --kinds cancelled,postponed --text kernel",
            "  forewarn history --rollout os-1 --format csv --output os-1.csv",
            "  forewarn history --since 2030-01-01T00:00:00Z --until 2030-02-01T00:00:00Z --format jsonl"
        })
final class HistoryCommand implements Callable<Integer> {
    private static final long USUAL = 100;

    static final List<String> HEADS =
            List.of("at", "kind", "type", "group", "machines", "by", "promised", "given", "event", "detail");

    @Mixin
    private ServerCommand serverCommand;

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

    @Option(
            names = "--rollout",
            paramLabel = "NAME",
            converter = RolloutCommand.Named.class,
            description = "Only this rollout's.")
    private String rollout;

    @Option(
            names = "--kinds",
            paramLabel = "KIND,...",
            description = "Only these kinds, such as scheduled,started,failed.")
    private String kinds;

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            description = "Only entries that contain this text, in upper or lower case.")
    private String text;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "Only entries from then on: 2h (ago), 'fri 22:00', or 2030-01-01T00:00:00Z.")
    private String since;

    @Option(
            names = "--until",
            paramLabel = "WHEN",
            description = "Only entries before then: 1h (ago), or 2030-01-02T00:00:00Z.")
    private String until;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Maximum number of entries; default: 100, unlimited for exports.")
    private Long limit;

    @Option(names = "--oldest-first", description = "Oldest entries first.")
    private boolean oldestFirst;

    @Option(
            names = "--after",
            paramLabel = "CURSOR",
            description = "Continue from the 'next' of an earlier JSON response.")
    private String after;

    @Mixin
    private ExportOutput exportOutput;

    @Override
    public Integer call() {
        if (machine != null) {
            mustBeKnown(Route.MACHINE, "machine", machine);
        }
        if (group != null) {
            mustBeKnown(Route.GROUP, "group", group);
        }
        if (rollout != null) {
            mustBeKnownRollout();
        }
        Map<String, String> query = ServerCommand.query(
                "group", group,
                "machine", machine,
                "event", event == null ? null : new EventIdResolver(serverCommand).whole(event),
                "rollout", rollout,
                "kinds", kinds,
                "text", text,
                "tenant", tenant,
                "since", since,
                "until", until,
                "limit", limit == null ? null : String.valueOf(limit),
                "order", oldestFirst ? "oldest" : null,
                "after", after);
        if (exportOutput.asked()) {
            return exportOutput.export(serverCommand, Route.HISTORY, query);
        }
        long most = limit == null ? USUAL : limit;
        if (serverCommand.json()) {
            query.put("limit", String.valueOf(most));
            serverCommand.client().copy(Route.HISTORY, query, serverCommand.data());
            return ExitCode.DONE;
        }
        Table table = new Table(serverCommand.out(), HEADS);
        boolean more = follow(query, most, entry -> table.row(row(entry)));
        if (table.end() == 0) {
            serverCommand.say("No entries.");
        } else if (more) {
            serverCommand.warn(
                    "There are more entries; use --limit, --since or --until, or export all with --format csv.");
        }
        return ExitCode.DONE;
    }

    /**
     * Requests further pages as long as the server stopped only at its search limit per response.
     *
     * @return whether there are more entries than requested
     */
    private boolean follow(Map<String, String> query, long most, Consumer<HistoryEntryBody> consumer) {
        long[] got = new long[1];
        Map<String, String> asked = new HashMap<>(query);
        while (true) {
            asked.put("limit", String.valueOf(most - got[0]));
            Map<String, String> behind = serverCommand
                    .client()
                    .each(HistoryEntryBody.class, Route.HISTORY, asked, entry -> {
                        got[0]++;
                        consumer.accept(entry);
                    });
            if (behind.get("next") == null || got[0] >= most) {
                return behind.get("next") != null;
            }
            asked.put("after", behind.get("next"));
        }
    }

    /** Columns without those that are the same for all entries of an event. */
    static final List<String> HEADS_OF_ONE_EVENT = List.of("at", "kind", "by", "promised", "given", "detail");

    static List<String> rowOfOneEvent(HistoryEntryBody e) {
        return List.of(
                text(DisplayNames.time(e.at())),
                text(e.kind()),
                DisplayNames.of(e.by()),
                text(e.promised()),
                text(e.given()),
                detail(e));
    }

    /** A name is mistyped if the server neither has it nor has history for it; what was removed keeps its history. */
    private void mustBeKnown(Route route, String kind, String name) {
        String whole = tenant == null || name.contains("/") ? name : tenant + "/" + name;
        try {
            serverCommand.client().bytes(route, List.of(whole), Map.of());
        } catch (CommandRefusedException commandRefusedException) {
            if (!EnumNames.of(Problem.NOT_FOUND)
                            .equals(commandRefusedException.error().problem())
                    || !remembers(kind, whole)) {
                throw commandRefusedException;
            }
        }
    }

    /** A token for one tenant cannot read rollouts, only what they did to that tenant. */
    private void mustBeKnownRollout() {
        try {
            serverCommand.client().bytes(Route.ROLLOUT, List.of(rollout), Map.of());
        } catch (CommandRefusedException commandRefusedException) {
            if (EnumNames.of(Problem.NOT_FOUND)
                            .equals(commandRefusedException.error().problem())
                    && !remembers("rollout", rollout)) {
                throw commandRefusedException;
            }
        }
    }

    private boolean remembers(String kind, String name) {
        List<HistoryEntryBody> found = new ArrayList<>();
        follow(Map.of(kind, name), 1, found::add);
        return !found.isEmpty();
    }

    static List<String> row(HistoryEntryBody e) {
        return List.of(
                text(DisplayNames.time(e.at())),
                text(e.kind()),
                DisplayNames.work(e.type(), e.cause()),
                text(DisplayNames.of(e.tenant(), e.group())),
                e.machines() == null ? "" : String.join(",", e.machines()),
                DisplayNames.of(e.by()),
                text(e.promised()),
                text(e.given()),
                text(e.event()),
                detail(e));
    }

    /** Few entries have a reason, so that it has no column of its own. */
    private static String detail(HistoryEntryBody e) {
        if (e.reason() == null) {
            return text(e.detail());
        }
        return (e.detail() == null ? "" : e.detail() + "; ") + "reason: " + e.reason();
    }

    private static String text(String value) {
        return value == null ? "" : value;
    }
}
