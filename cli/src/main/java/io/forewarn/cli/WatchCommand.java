package io.forewarn.cli;

import io.forewarn.wire.control.HistoryEntryBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints history entries as they are recorded. */
@Command(
        name = "watch",
        description = "Print what happens as it happens, until interrupted.",
        footer = {
            "",
            "Examples:",
            "  forewarn watch",
            "  forewarn watch --group web --kind scheduled,started,failed",
            "  forewarn watch --since 0.0 --no-follow --json      the whole log, one CloudEvent per line"
        })
final class WatchCommand implements Callable<Integer> {
    private static final int TRIES = 30;

    /** The members of a CloudEvent that are printed. */
    record PrintedEvent(String type, String subject, HistoryEntryBody data) {}

    @Mixin
    private ServerCommand serverCommand;

    @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant.")
    private String tenant;

    @Option(names = "--group", paramLabel = "NAME", description = "Only this group.")
    private String group;

    @Option(
            names = "--kind",
            paramLabel = "KINDS",
            description = "Only these kinds, such as scheduled,started; 'all' for every kind.")
    private String kinds;

    @Option(
            names = "--since",
            paramLabel = "ID",
            description = "Start after this id; 0.0 for the whole log; default: from now on.")
    private String since;

    @Option(
            names = "--follow",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Keep watching after the past entries are printed; this is the default.")
    private boolean follow;

    private boolean began;

    @Override
    public Integer call() {
        TenantCommand.warnOfNew(serverCommand, tenant);
        for (int failed = 0; ; failed++) {
            try {
                serverCommand.client().lines(Route.STREAM, query(), this::line);
                if (!follow) {
                    return ExitCode.DONE;
                }
            } catch (ServerUnreachableException gone) {
                if (!began || failed >= TRIES) {
                    throw gone;
                }
            }
            // The server stopped or the connection broke: continue after the last id, so that nothing is missed.
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
    }

    private Map<String, String> query() {
        return ServerCommand.query(
                "tenant", tenant, "group", group, "kinds", kinds, "since", since, "follow", follow ? null : "false");
    }

    private void line(String line) {
        began = true;
        if (line.startsWith("id: ")) {
            since = line.substring("id: ".length());
        } else if (line.startsWith("data: ")) {
            tell(line.substring("data: ".length()));
        }
    }

    private void tell(String json) {
        if (serverCommand.json()) {
            serverCommand.say(json);
            return;
        }
        try {
            PrintedEvent event = Json.answer(PrintedEvent.class, json.getBytes(StandardCharsets.UTF_8));
            HistoryEntryBody entry = event.data();
            serverCommand.say(String.join(
                            "  ",
                            DisplayNames.time(entry.at()),
                            entry.kind(),
                            entry.cause() == null ? "-" : DisplayNames.work(entry.type(), entry.cause()),
                            entry.group() == null ? "-" : DisplayNames.of(entry.tenant(), entry.group()),
                            entry.machines() == null ? "-" : String.join(",", entry.machines()),
                            DisplayNames.of(entry.by()),
                            event.subject() == null ? "-" : event.subject(),
                            entry.detail() == null ? "" : entry.detail())
                    .stripTrailing());
        } catch (IOException strange) {
            throw new ServerUnreachableException(
                    serverCommand.client().url(), "its response is not one of a Forewarn server");
        }
    }
}
