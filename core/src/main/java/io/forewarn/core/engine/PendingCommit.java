package io.forewarn.core.engine;

import io.forewarn.core.RefusedException;

/**
 * A commit with callbacks for its outcome: {@link #committed} or {@link #rejected}, once that is known. {@link #abandoned}
 * may be called before, when callers have waited long enough, or instead, when it will never be known.
 */
interface PendingCommit {
    Commit commit();

    void committed(long nanos);

    void rejected(StoreException problem);

    /** Answers callers that still wait that the outcome is unknown. */
    void abandoned(RefusedException refusal);
}
