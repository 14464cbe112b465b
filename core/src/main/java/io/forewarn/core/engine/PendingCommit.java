package io.forewarn.core.engine;

import io.forewarn.core.RefusedException;

/** A commit and what follows from its outcome. Exactly one of the three is called, once the outcome is known. */
interface PendingCommit {
    Commit commit();

    void committed(long nanos);

    void rejected(StoreException problem);

    /** Whoever waits for the outcome is told that it is not known: nobody will find out any more. */
    void abandoned(RefusedException refusal);
}
