package io.forewarn.server.settings;

import io.forewarn.core.event.EventType;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.util.Map;

/**
 * The numbers of the contract.
 *
 * @param notice the least notice per type of event
 * @param longestTerminateNotice the most notice an owner may ask for before a deletion
 * @param silence after how long without a request a group no longer gets notice; 0s: it always does
 * @param userOperations how many restarts, redeploys and deletions a tenant may have open
 * @param recovery rest between two update domains of a group taken down by platform work
 */
public record TermsSettings(
        Notice notice, Duration longestTerminateNotice, Duration silence, int userOperations, Duration recovery) {
    /**
     * The least notice per type of event.
     *
     * @param freeze the least notice of a pause of a few seconds
     * @param reboot the least notice of a restart
     * @param redeploy the least notice of a move to another host
     * @param preempt the least notice of a spot machine taken away
     * @param terminate the least notice of a deletion
     */
    public record Notice(Duration freeze, Duration reboot, Duration redeploy, Duration preempt, Duration terminate) {}

    static TermsSettings of(ServiceTerms terms) {
        return new TermsSettings(
                new Notice(
                        terms.minimumNotice(EventType.FREEZE),
                        terms.minimumNotice(EventType.REBOOT),
                        terms.minimumNotice(EventType.REDEPLOY),
                        terms.minimumNotice(EventType.PREEMPT),
                        terms.minimumNotice(EventType.TERMINATE)),
                terms.longestTerminateNotice(),
                terms.silenceAllowed().orElse(Duration.ZERO),
                terms.userOperations(),
                terms.recovery());
    }

    public ServiceTerms terms() {
        return new ServiceTerms(
                Map.of(
                        EventType.FREEZE, notice.freeze,
                        EventType.REBOOT, notice.reboot,
                        EventType.REDEPLOY, notice.redeploy,
                        EventType.PREEMPT, notice.preempt,
                        EventType.TERMINATE, notice.terminate),
                longestTerminateNotice,
                silence.isZero() ? null : silence,
                userOperations,
                recovery,
                ServiceTerms.AZURE.interruption());
    }
}
