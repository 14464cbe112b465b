package io.forewarn.core.engine;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;

/** The errors callers get when the store fails. */
final class StoreRefusals {
    private StoreRefusals() {}

    /** The outcome of the caller's commit will not be found out in time. */
    static RefusedException notKnown() {
        return new RefusedException(
                Problem.OUTCOME_UNKNOWN, "it is not known whether this was done; check before you repeat it");
    }

    /** @param problem what the store complains of; null if it does not, and the service is ending */
    static RefusedException nothingDone(StoreException problem) {
        if (problem == null) {
            return new RefusedException(Problem.NOT_READY, "the service is ending; try again in a moment");
        }
        return problem.kind() == StoreException.Kind.FENCED
                ? new RefusedException(
                        Problem.NOT_WRITER, "nothing was changed, try again in a moment: " + problem.getMessage())
                : new RefusedException(
                        Problem.STORE_UNAVAILABLE,
                        "nothing was changed, the store does not accept writes: " + problem.getMessage());
    }
}
