package io.forewarn.cli;

import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.NoticeBody;
import io.forewarn.wire.control.NoticeSummaryBody;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Prints reports over past events. */
@Command(
        name = "report",
        addMethodSubcommands = false,
        description = "Reports over past events.",
        footer = {"", "Examples:", "  forewarn report notice --since 30d"})
final class ReportCommand {
    private static final List<String> HEADS = List.of(
            "scheduled",
            "group",
            "machines",
            "type",
            "promised",
            "given",
            "verdict",
            "started by",
            "never saw it",
            "event");

    @Command(
            description = {
                "Compare promised with given notice, event by event: whether time or whose approval started it, and which of its"
                        + " machines never saw it.",
                "",
                "kept: all of it was given; waived: the event was approved earlier; shortfall: neither; not-promised: none was promised,"
                        + " for a failure or a group that does not poll."
            },
            footer = {
                "",
                "Examples:",
                "  forewarn report notice --since 30d",
                "  forewarn report notice --rollout os-1 --format csv --output os-1.csv",
                "  forewarn report notice --group web --summary"
            })
    int notice(
            @Mixin ServerCommand serverCommand,
            @Mixin ExportOutput exportOutput,
            @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's events.") String tenant,
            @Option(names = "--group", paramLabel = "NAME", description = "Only this group's.") String group,
            @Option(
                            names = {"--vm", "--machine"},
                            paramLabel = "NAME",
                            description = "Only events of this machine.")
                    String machine,
            @Option(names = "--rollout", paramLabel = "NAME", description = "Only this rollout's.") String rollout,
            @Option(
                            names = "--since",
                            paramLabel = "WHEN",
                            description =
                                    "Only events scheduled from then on: 30d (ago), 'fri 22:00', or 2030-01-01T00:00:00Z.")
                    String since,
            @Option(
                            names = "--until",
                            paramLabel = "WHEN",
                            description = "Only events scheduled before then: 1d (ago), or a time.")
                    String until,
            @Option(names = "--summary", description = "Only totals.") boolean summary,
            @Mixin Paging paging) {
        Map<String, String> query = ServerCommand.query(
                "tenant", tenant,
                "group", group,
                "machine", machine,
                "rollout", rollout,
                "since", since,
                "until", until);
        if (exportOutput.asked()) {
            if (summary) {
                throw new ParameterException(
                        serverCommand.commandLine(),
                        "--summary has no rows to export; leave --format out, or use --json");
            }
            return exportOutput.export(serverCommand, Route.REPORT_NOTICE, query);
        }
        if (serverCommand.json() && !summary) {
            serverCommand.client().copy(Route.REPORT_NOTICE, query, serverCommand.data());
            return ExitCode.DONE;
        }
        Paging.Rows table = paging.new Rows(serverCommand, new Table(serverCommand.out(), HEADS));
        Map<String, String> behind = serverCommand
                .client()
                .each(NoticeBody.class, Route.REPORT_NOTICE, query, notice -> {
                    if (!summary) {
                        table.row(row(notice));
                    }
                });
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(figures(serverCommand, behind.get("summary"))));
            return ExitCode.DONE;
        }
        if (table.end() > 0) {
            serverCommand.say("");
        }
        NoticeChart.of(figures(serverCommand, behind.get("summary"))).forEach(serverCommand::say);
        return ExitCode.DONE;
    }

    private static NoticeSummaryBody figures(ServerCommand serverCommand, String json) {
        try {
            return Json.answer(NoticeSummaryBody.class, (json == null ? "" : json).getBytes(StandardCharsets.UTF_8));
        } catch (IOException strange) {
            throw new ServerUnreachableException(
                    serverCommand.client().url(), "its response is not one of a Forewarn server");
        }
    }

    private static List<String> row(NoticeBody n) {
        return List.of(
                text(DisplayNames.time(n.at())),
                text(DisplayNames.of(n.tenant(), n.group())),
                String.join(",", n.machines()),
                DisplayNames.work(n.type(), n.cause()) + (n.rehearsal() == null ? "" : ", rehearsal"),
                text(n.promised()),
                text(n.given()),
                text(n.verdict()),
                startedBy(n),
                never(n),
                text(n.event()));
    }

    private static String startedBy(NoticeBody n) {
        if (n.startTrigger() == null) {
            return text(n.outcome());
        }
        return n.approvedBy() == null
                ? n.startTrigger().replaceFirst("started-(by-)?", "")
                : "approval of " + DisplayNames.of(n.approvedBy());
    }

    private static String never(NoticeBody n) {
        if (n.promised() == null) {
            return "";
        }
        String late = n.sawLate() == null ? "" : " (late: " + String.join(",", n.sawLate()) + ")";
        return (n.neverSaw() == null ? "" : String.join(",", n.neverSaw())) + late;
    }

    private static String text(String value) {
        return value == null ? "" : value;
    }
}
