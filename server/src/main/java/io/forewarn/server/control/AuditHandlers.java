package io.forewarn.server.control;

import com.fasterxml.jackson.core.JsonGenerator;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.engine.AuditVerifier;
import io.forewarn.core.engine.AuditVerifier.Finding;
import io.forewarn.server.history.AuditLog;
import io.forewarn.wire.control.AuditEntryBody;
import io.forewarn.wire.control.AuditVerificationBody;
import io.forewarn.wire.control.Csv;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.ListWriter;
import java.time.Instant;

/** Handles requests for the audit log. */
final class AuditHandlers {
    private static final String DONE = "done";
    private static final String REFUSED = "refused";

    private final AuditLog audit;
    private final ControlParts parts;

    AuditHandlers(ControlParts parts) {
        this.audit = parts.audit();
        this.parts = parts;
    }

    void list(RequestContext request) {
        AuditLog.Query query = new AuditLog.Query(
                request.query("actor"),
                refused(request.query("outcome")),
                HistoryHandlers.searched(request),
                request.query("since") == null ? Instant.MIN : parts.pastTime("since", request.query("since")),
                request.query("until") == null ? Instant.MAX : parts.pastTime("until", request.query("until")),
                request.limit(Long.MAX_VALUE),
                HistoryHandlers.oldestFirst(request.query("order")));
        ListWriter format =
                ListWriter.of(request.query("format"), request.request().getHeader("Accept"));
        switch (format) {
            case JSON ->
                ControlHandlers.listOfLog(
                        request, json -> audit.read(query, (page, entry) -> json.writePOJO(body(page, entry))));
            case JSONL ->
                request.streamingLog(format.type(), out -> {
                    JsonGenerator json = HistoryHandlers.lines(out);
                    audit.read(query, (page, entry) -> json.writePOJO(body(page, entry)));
                    HistoryHandlers.end(json);
                });
            case CSV ->
                request.streamingLog(format.type(), out -> {
                    Csv csv = new Csv(out);
                    csv.line(AuditEntryBody.CELLS);
                    audit.read(
                            query, (page, entry) -> csv.line(body(page, entry).cells()));
                });
        }
    }

    private static Boolean refused(String outcome) {
        if (outcome != null && !outcome.equals(DONE) && !outcome.equals(REFUSED)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "outcome must be " + DONE + " or " + REFUSED + ", not '" + outcome + "'");
        }
        return outcome == null ? null : Boolean.valueOf(outcome.equals(REFUSED));
    }

    private static AuditEntryBody body(AuditPage page, AuditEntry entry) {
        boolean done = entry.problem() == null;
        return new AuditEntryBody(
                page.number(),
                page.at().toString(),
                BodyMapper.actor(entry.actor()),
                entry.asked(),
                done ? DONE : REFUSED,
                done ? null : EnumNames.of(entry.problem()),
                done ? null : entry.reason());
    }

    void verify(RequestContext request) {
        String noted = request.query("head");
        if (noted != null && !noted.matches("[0-9a-f]{64}")) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "head must be a hash of 64 hex digits, as 'forewarn audit verify' prints, not '" + noted + "'");
        }
        request.readingLog(() -> body(audit.verify(noted)));
    }

    private static AuditVerificationBody body(Finding found) {
        return new AuditVerificationBody(
                found.intact(),
                found.pages(),
                found.deeds(),
                found.first(),
                found.last(),
                found.since() == null ? null : found.since().toString(),
                found.until() == null ? null : found.until().toString(),
                found.head(),
                found.place(),
                found.fault(),
                found.losses().isEmpty()
                        ? null
                        : found.losses().stream().map(AuditHandlers::body).toList(),
                found.dropped().dropped().number(),
                found.dropped().at() == null ? null : found.dropped().at().toString(),
                found.dropped().before() == null
                        ? null
                        : found.dropped().before().toString());
    }

    private static AuditVerificationBody.CommitLoss body(AuditVerifier.Loss loss) {
        return new AuditVerificationBody.CommitLoss(
                loss.page(), loss.at().toString(), loss.deed().asked());
    }
}
