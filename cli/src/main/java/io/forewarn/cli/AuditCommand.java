package io.forewarn.cli;

import io.forewarn.wire.control.AuditEntryBody;
import io.forewarn.wire.control.AuditVerificationBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who asked for what. */
@Command(
        name = "audit",
        addMethodSubcommands = false,
        description = "The audit log: who asked for what, from where, and what came of it.",
        footer = {
            "",
            "Examples:",
            "  forewarn audit list --since 2h",
            "  forewarn audit verify",
            "",
            "Each page of the log carries the hash of the page before, so that a change shows. Note the head that 'verify'",
            "prints somewhere else now and then: with --head, what was written until then cannot be swapped for another log."
        })
final class AuditCommand {
    @Command(
            description = "Lists what people and machines asked for, done or refused; newest first.",
            footer = {
                "",
                "Examples:",
                "  forewarn audit list --since 2h",
                "  forewarn audit list --actor shop-team --limit 20",
                "  forewarn audit list --oldest-first --json"
            })
    int list(
            @Mixin ServerCommand serverCommand,
            @Option(names = "--since", paramLabel = "WHEN", description = "Nothing older: 2h, or 2030-01-01T00:00:00Z.")
                    String since,
            @Option(
                            names = "--actor",
                            paramLabel = "NAME",
                            description = "Only what this token or machine (TENANT/NAME) asked for.")
                    String actor,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "At most so many; ${DEFAULT-VALUE} unless said.")
                    long limit,
            @Option(names = "--oldest-first", description = "In the order it happened.") boolean oldestFirst) {
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
                List.of("at", "by", "asked", "outcome", "page"),
                "Nobody asked for anything.",
                d -> List.of(
                        DisplayNames.time(d.at()),
                        DisplayNames.of(d.by()),
                        d.asked(),
                        d.problem() == null ? d.outcome() : d.outcome() + ": " + d.reason(),
                        String.valueOf(d.page())));
    }

    @Command(
            description =
                    "Reads the whole log and says whether it is what was written; exit code 1 if not, with the place.",
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
                            description = "A head that was printed earlier: the log must still contain it.")
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
                .with("intact", proof.intact() ? "yes" : "no, from " + proof.place() + " on")
                .with("fault", proof.fault())
                .with("pages", proof.pages() + (proof.intact() ? "" : " before that"))
                .with("lines", proof.lines())
                .with("first", proof.first() == null ? null : "page " + proof.firstPage() + ", " + proof.first())
                .with("last", proof.last() == null ? null : "page " + proof.lastPage() + ", " + proof.last())
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
