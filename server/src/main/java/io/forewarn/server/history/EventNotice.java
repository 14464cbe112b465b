package io.forewarn.server.history;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Holds one event of the notice report.
 *
 * @param rehearsal whether nothing was done to its machines
 * @param since when it was scheduled or, if it never was, when it started or, if it never did, when it was accepted
 * @param promised null if no notice was promised
 * @param given from scheduled to started; null if it has not started
 * @param started the transition that started it, as in history; null if it has not started
 * @param approvedBy null if it was not approved
 * @param neverSaw its machines that never saw it
 * @param sawLate its machines that saw it only after it had started
 * @param ended the transition that ended it; null while it is open
 * @param endedAt null while it is open
 */
public record EventNotice(
        EventId event,
        GroupId group,
        String rollout,
        Cause cause,
        boolean rehearsal,
        List<String> machines,
        Instant since,
        Duration promised,
        Duration given,
        String started,
        Instant startedAt,
        Actor approvedBy,
        List<String> neverSaw,
        List<String> sawLate,
        String ended,
        Instant endedAt) {

    public NoticeVerdict verdict() {
        if (started == null) {
            return ended == null ? NoticeVerdict.OPEN : NoticeVerdict.CANCELLED;
        }
        if (promised == null) {
            return NoticeVerdict.NOT_PROMISED;
        }
        if (given.compareTo(promised) >= 0) {
            return NoticeVerdict.KEPT;
        }
        return approvedBy == null ? NoticeVerdict.SHORTFALL : NoticeVerdict.WAIVED;
    }

    /** Whether its machines could have seen it before it started. */
    public boolean owed() {
        return started != null && promised != null;
    }

    /** The difference between promised and given notice. */
    public Duration missing() {
        return verdict() == NoticeVerdict.SHORTFALL ? promised.minus(given) : Duration.ZERO;
    }
}
