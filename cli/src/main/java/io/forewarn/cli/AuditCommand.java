package io.forewarn.cli;

import io.forewarn.wire.control.AuditEntryBody;
import io.forewarn.wire.control.AuditVerificationBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads and verifies the audit log. */
@Command(
        name = "audit",
        addMethodSubcommands = false,
        description = "Audit log: who requested what, from where, and with what result.",
        footer = {
            "",
            "Examples:",
            "  forewarn audit list --since 2h",
            "  forewarn audit verify",
            "",
            "Each page of the log contains the hash of the previous page, so that tampering is detected. Save the head that",
            "'verify' prints elsewhere now and then: with --head, 'verify' also detects that the log was replaced as a whole."
        })
final class AuditCommand {
    private static final long USUAL = 100;

    @Command(
            description = "List requests by people and machines, accepted or refused; newest first.",
            footer = {
                "",
                "Examples:",
                "  forewarn audit list --since 2h",
                "  forewarn audit list --actor shop-team --limit 20",
                "  forewarn audit list --text os-1 --outcome refused",
                "  forewarn audit list --oldest-first --json",
                "  forewarn audit list --since 30d --format csv --output audit.csv"
            })
    int list(
            @Mixin ServerCommand serverCommand,
            @Option(
                            names = "--since",
                            paramLabel = "WHEN",
                            description = "Only entries from then on: 2h (ago), 'fri 22:00', or 2030-01-01T00:00:00Z.")
                    String since,
            @Option(
                            names = "--until",
                            paramLabel = "WHEN",
                            description = "Only entries before then: 1h (ago), or 2030-01-02T00:00:00Z.")
                    String until,
            @Option(
                            names = "--actor",
                            paramLabel = "NAME",
                            description = "Only requests by this token or machine (TENANT/NAME).")
                    String actor,
            @Option(names = "--outcome", paramLabel = "done|refused", description = "Only requests with this outcome.")
                    String outcome,
            @Option(
                            names = "--text",
                            paramLabel = "TEXT",
                            description = "Only entries that contain this text, in upper or lower case.")
                    String text,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            description = "Maximum number of entries; default: 100, unlimited for exports.")
                    Long limit,
            @Option(names = "--oldest-first", description = "Oldest entries first.") boolean oldestFirst,
            @Mixin ExportOutput exportOutput) {
        Long most = limit == null && !exportOutput.asked() ? Long.valueOf(USUAL) : limit;
        Map<String, String> query = ServerCommand.query(
                "since", since,
                "until", until,
                "actor", actor,
                "outcome", outcome,
                "text", text,
                "limit", most == null ? null : String.valueOf(most),
                "order", oldestFirst ? "oldest" : null);
        if (exportOutput.asked()) {
            return exportOutput.export(serverCommand, Route.AUDIT, query);
        }
        return serverCommand.list(
                AuditEntryBody.class,
                Route.AUDIT,
                query,
                List.of("at", "by", "request", "outcome", "page"),
                "No entries.",
                d -> List.of(
                        DisplayNames.time(d.at()),
                        DisplayNames.of(d.by()),
                        d.request(),
                        d.problem() == null ? d.outcome() : d.outcome() + ": " + d.reason(),
                        String.valueOf(d.page())));
    }

    @Command(
            description =
                    "Read the whole log and check that it is unchanged; if not, print where it differs and exit with code 1.",
            footer = {
                "",
                "Examples:",
                "  forewarn audit verify",
                "  forewarn audit verify --head $(cat head-of-last-month)"
            })
    int verify(
            @Mixin ServerCommand serverCommand,
            @Option(
                            names = "--head",
                            paramLabel = "HASH",
                            description = "A head that was printed earlier, which the log must still contain.")
                    String head) {
        AuditVerificationBody proof = serverCommand
                .client()
                .ask(AuditVerificationBody.class, Route.AUDIT_VERIFY, List.of(), ServerCommand.query("head", head));
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(proof));
        } else {
            tell(serverCommand, proof);
        }
        return proof.intact() ? ExitCode.DONE : ExitCode.REFUSED;
    }

    private static String dropped(AuditVerificationBody proof) {
        if (proof.droppedAt() == null) {
            return proof.droppedPages() == 0
                    ? null
                    : DisplayNames.count(proof.droppedPages(), "page") + " before the first";
        }
        return DisplayNames.count(proof.droppedPages(), "page") + " before the first, and history; last at "
                + proof.droppedAt() + " what was older than " + proof.droppedBefore() + ", by store.log-retention";
    }

    private static void tell(ServerCommand serverCommand, AuditVerificationBody proof) {
        new PropertyList()
                .with("intact", proof.intact() ? "yes" : "no, from " + proof.changedRecord() + " on")
                .with("fault", proof.fault())
                .with("pages", proof.pages() + (proof.intact() ? "" : " before that"))
                .with("entries", proof.entries())
                .with("first", proof.firstAt() == null ? null : "page " + proof.firstPage() + ", " + proof.firstAt())
                .with("last", proof.lastAt() == null ? null : "page " + proof.lastPage() + ", " + proof.lastAt())
                .with("dropped", dropped(proof))
                .with("head", proof.head())
                .print(serverCommand.out());
        if (proof.losses() != null) {
            proof.losses().forEach(loss -> serverCommand
                    .out()
                    .println("acknowledged records were lost: page " + loss.page() + ", " + loss.at() + ", "
                            + loss.detail()));
        }
    }
}
