package io.forewarn.core.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * Writes commits one at a time and tracks whether the store accepts them. When the outcome of a commit is uncertain, no caller
 * is answered until the store has been reopened and its contents decide; callers that wait longer than a few seconds are
 * told that the outcome is unknown.
 *
 * <p>For the writer's thread, except where a method says otherwise.
 */
final class Committer {
    private static final long PAUSE_BETWEEN_TRIES = Duration.ofSeconds(1).toNanos();
    /** How long callers wait for the outcome of an uncertain commit. */
    private static final long LONGEST_DOUBT = Duration.ofSeconds(3).toNanos();

    private final EngineContext context;
    private final long epoch;
    private final Runnable onSuccess;
    private final Runnable onTrouble;

    private volatile long seq;
    private volatile StoreException trouble;
    /** The commit in progress, or whose outcome is unknown. */
    private volatile PendingCommit attempted;

    private PendingCommit uncertain;
    private long uncertainSince;
    private boolean doubtTold;
    private long nextTry;
    private long nextLook;
    private volatile boolean missing;

    /**
     * @param onSuccess runs when the store has accepted a commit, before it is published
     * @param onTrouble runs when the store did not accept it
     */
    Committer(EngineContext context, Store.Head head, Runnable onSuccess, Runnable onTrouble) {
        this.context = context;
        this.epoch = head.epoch();
        this.seq = head.seq();
        this.onSuccess = onSuccess;
        this.onTrouble = onTrouble;
    }

    /** The last commit, and the writer's epoch. Any thread. */
    Store.Head head() {
        return new Store.Head(seq, epoch);
    }

    /** The number of the next commit. */
    long next() {
        return seq + 1;
    }

    /** Why the store does not accept writes at present. Any thread. */
    Optional<StoreException> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Whether another node is the writer now. Any thread. */
    boolean isFenced() {
        StoreException known = trouble;
        return known != null && known.kind() == StoreException.Kind.FENCED;
    }

    boolean isUncertain() {
        return uncertain != null;
    }

    /** Whether the store was missing at the last check. Any thread. */
    boolean isStoreMissing() {
        return missing;
    }

    /** Whether the pause after a failure is over. */
    boolean mayTry() {
        return context.elapsedNanos().getAsLong() - nextTry >= 0;
    }

    /** Tries to commit, and calls back with the outcome if it is certain. An empty commit succeeds at once. */
    void attempt(PendingCommit pendingCommit) {
        long before = context.elapsedNanos().getAsLong();
        try {
            if (pendingCommit.commit() != null) {
                attempted = pendingCommit;
                context.store().commit(pendingCommit.commit());
                seq = pendingCommit.commit().seq();
                settled();
            }
        } catch (StoreException problem) {
            failed(pendingCommit, problem);
            return;
        } finally {
            attempted = uncertain;
        }
        pendingCommit.committed(context.elapsedNanos().getAsLong() - before);
    }

    private void failed(PendingCommit pendingCommit, StoreException problem) {
        troubled(problem);
        if (problem.kind() == StoreException.Kind.UNCERTAIN || problem.kind() == StoreException.Kind.UNREADABLE) {
            uncertain = pendingCommit;
            uncertainSince = context.elapsedNanos().getAsLong();
            doubtTold = false;
            nextTry = uncertainSince;
        } else {
            pendingCommit.rejected(problem);
        }
    }

    /** The store could not be used. */
    void troubled(StoreException problem) {
        trouble = problem;
        onTrouble.run();
        nextTry = context.elapsedNanos().getAsLong() + PAUSE_BETWEEN_TRIES;
        context.listener().troubled(problem);
    }

    private void settled() {
        onSuccess.run();
        if (trouble != null) {
            trouble = null;
            context.listener().recovered();
        }
    }

    /** Tries to resolve the outcome of an uncertain commit. Returns how much was done. */
    int resolve() {
        return recover() + tellDoubt();
    }

    private int recover() {
        long now = context.elapsedNanos().getAsLong();
        if (now - nextTry < 0) {
            return 0;
        }
        PendingCommit pendingCommit = uncertain;
        try {
            Store.Head head = context.store().recover();
            uncertain = null;
            attempted = null;
            if (head.epoch() != epoch) {
                troubled(new StoreException(StoreException.Kind.FENCED, "another writer has taken the store over"));
                pendingCommit.abandoned(StoreRefusals.notKnown());
            } else if (head.seq() == pendingCommit.commit().seq()) {
                seq = head.seq();
                settled();
                pendingCommit.committed(context.elapsedNanos().getAsLong() - now);
            } else {
                StoreException problem = trouble;
                settled();
                pendingCommit.rejected(problem);
            }
            return 1;
        } catch (StoreException problem) {
            troubled(problem);
            return 0;
        }
    }

    /** Callers do not wait as long as the store is unavailable; the outcome of the commit is still resolved. */
    private int tellDoubt() {
        if (uncertain == null || doubtTold || context.elapsedNanos().getAsLong() - uncertainSince < LONGEST_DOUBT) {
            return 0;
        }
        doubtTold = true;
        abandonUncertain();
        return 1;
    }

    /** Answers the callers of an uncertain commit that its outcome is unknown. */
    void abandonUncertain() {
        if (uncertain != null) {
            uncertain.abandoned(StoreRefusals.notKnown());
        }
    }

    /** Checks from time to time whether the store still exists, so that a deleted one is noticed even without writes. */
    void checkStore() {
        long now = context.elapsedNanos().getAsLong();
        if (now - nextLook < 0) {
            return;
        }
        nextLook = now + PAUSE_BETWEEN_TRIES;
        try {
            context.store().check();
            if (missing) {
                missing = false;
                settled();
            }
        } catch (StoreException gone) {
            if (!missing || trouble == null) {
                troubled(gone);
            }
            missing = true;
        }
    }

    /** Counts as fenced from now on. Any thread, even during a commit. */
    void release(StoreException fenced) {
        trouble = fenced;
    }

    /** Answers the callers of the commit in progress that its outcome is unknown. Any thread. */
    void abandonAttempted() {
        PendingCommit doubtful = attempted;
        if (doubtful != null) {
            doubtful.abandoned(StoreRefusals.notKnown());
        }
    }
}
