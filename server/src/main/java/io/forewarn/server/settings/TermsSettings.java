package io.forewarn.server.settings;

import io.forewarn.core.event.EventType;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.wire.control.Durations;
import java.time.Duration;
import java.util.Map;

/**
 * Settings of the service terms.
 *
 * @param notice minimum notice per event type
 * @param maxTerminateNotice longest notice an owner may ask for before a deletion
 * @param disableAfter time without polls after which a group no longer gets notice; it begins anew whenever the service starts, another
 *     node becomes the writer, or service time jumps. With 0s, groups always get notice
 * @param userOperations how many restarts, redeploys and deletions a tenant may have open, rehearsals included
 * @param recovery recovery time: how long platform work waits after one update domain of a group before it takes down the next
 * @param slipTolerance how late a unit of a rollout may start before it gets a later turn; 0s to 1d
 */
public record TermsSettings(
        Notice notice,
        Duration maxTerminateNotice,
        Duration disableAfter,
        int userOperations,
        Duration recovery,
        Duration slipTolerance) {
    private static final Duration MOST_TOLERATED = Duration.ofDays(1);

    public TermsSettings {
        if (slipTolerance.compareTo(MOST_TOLERATED) > 0) {
            throw new IllegalArgumentException(
                    "slip-tolerance must be from 0s to 1d, not " + Durations.print(slipTolerance));
        }
    }

    /**
     * Minimum notice per event type.
     *
     * @param freeze minimum notice before a freeze, a pause of a few seconds
     * @param reboot minimum notice before a restart
     * @param redeploy minimum notice before a move to another host
     * @param preempt minimum notice before a spot machine is preempted
     * @param terminate minimum notice before a deletion
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
                terms.recovery(),
                terms.tolerance());
    }

    public ServiceTerms terms() {
        return new ServiceTerms(
                        Map.of(
                                EventType.FREEZE, notice.freeze,
                                EventType.REBOOT, notice.reboot,
                                EventType.REDEPLOY, notice.redeploy,
                                EventType.PREEMPT, notice.preempt,
                                EventType.TERMINATE, notice.terminate),
                        maxTerminateNotice,
                        disableAfter.isZero() ? null : disableAfter,
                        userOperations,
                        recovery,
                        ServiceTerms.AZURE.interruption())
                .tolerating(slipTolerance);
    }
}
