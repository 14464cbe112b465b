package io.forewarn.server.driver;

import io.forewarn.core.RefusedException;

/** What became of a report. */
enum ReportOutcome {
    /** It is durable. */
    TAKEN,
    /** The engine will never want it. */
    REFUSED,
    /** It must be made again. */
    LOST;

    static ReportOutcome of(Throwable failure) {
        if (failure == null) {
            return TAKEN;
        }
        Throwable cause = RefusedException.causeOf(failure);
        if (!(cause instanceof RefusedException refusal)) {
            return LOST;
        }
        return switch (refusal.problem()) {
            case BUSY, STORE_DOWN, NOT_READY, NOT_WRITER, NOT_KNOWN, TOO_MANY -> LOST;
            case BAD_INPUT, UNKNOWN_NAME, CONFLICT, UNAUTHENTICATED, FORBIDDEN, TOO_LARGE -> REFUSED;
        };
    }
}
