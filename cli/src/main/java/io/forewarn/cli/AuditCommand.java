package io.forewarn.cli;

import io.forewarn.wire.control.AuditEntryBody;
import io.forewarn.wire.control.AuditVerificationBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.util.List;
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
    @Command(
            description = "List requests by people and machines, accepted or refused; newest first.",
            footer = {
                "",
                "Examples:",
                "  forewarn audit list --since 2h",
                "  forewarn audit list --actor shop-team --limit 20",
                "  forewarn audit list --oldest-first --json"
            })
    int list(
            @Mixin ServerCommand serverCommand,
            @Option(
                            names = "--since",
                            paramLabel = "WHEN",
                            description = "Only entries from then on: 2h (ago), 'fri 22:00', or 2030-01-01T00:00:00Z.")
                    String since,
            @Option(
                            names = "--actor",
                            paramLabel = "NAME",
                            description = "Only requests by this token or machine (TENANT/NAME).")
                    String actor,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "Maximum number of entries; default: ${DEFAULT-VALUE}.")
                    long limit,
            @Option(names = "--oldest-first", description = "Oldest entries first.") boolean oldestFirst) {
        return serverCommand.list(
                AuditEntryBody.class,
                Route.AUDIT,
                ServerCommand.query(
                        "since",
                        since,
                        "actor",
                        actor,
                        "limit",
                        String.valueOf(limit),
                        "order",
                        oldestFirst ? "oldest" : null),
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
