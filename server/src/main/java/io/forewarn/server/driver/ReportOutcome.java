package io.forewarn.server.driver;

import io.forewarn.core.RefusedException;

/** States what happened to a driver report. */
enum ReportOutcome {
    /** It is durable. */
    TAKEN,
    /** The engine does not accept it. */
    REFUSED,
    /** It must be sent again. */
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
            case BUSY, STORE_UNAVAILABLE, NOT_READY, NOT_WRITER, OUTCOME_UNKNOWN, LIMIT_EXCEEDED -> LOST;
            case BAD_INPUT, NOT_FOUND, CONFLICT, UNAUTHENTICATED, FORBIDDEN, TOO_LARGE -> REFUSED;
        };
    }
}
