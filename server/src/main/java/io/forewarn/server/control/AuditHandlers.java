package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.engine.AuditVerifier;
import io.forewarn.core.engine.AuditVerifier.Finding;
import io.forewarn.server.history.AuditLog;
import io.forewarn.wire.control.AuditEntryBody;
import io.forewarn.wire.control.AuditVerificationBody;
import io.forewarn.wire.control.EnumNames;
import java.time.Instant;

/** Handles requests for the audit log. */
final class AuditHandlers {
    private final AuditLog audit;
    private final ControlParts parts;

    AuditHandlers(ControlParts parts) {
        this.audit = parts.audit();
        this.parts = parts;
    }

    void list(RequestContext request) {
        AuditLog.Query query = new AuditLog.Query(
                request.query("actor"),
                request.query("since") == null ? Instant.MIN : parts.pastTime("since", request.query("since")),
                request.limit(Long.MAX_VALUE),
                HistoryHandlers.oldestFirst(request.query("order")));
        ControlHandlers.listOfLog(
                request, json -> audit.read(query, (page, entry) -> json.writePOJO(body(page, entry))));
    }

    private static AuditEntryBody body(AuditPage page, AuditEntry entry) {
        boolean done = entry.problem() == null;
        return new AuditEntryBody(
                page.number(),
                page.at().toString(),
                BodyMapper.actor(entry.actor()),
                entry.asked(),
                done ? "done" : "refused",
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
