package io.forewarn.core.engine;

import java.time.Instant;
import java.util.List;

/**
 * Streams commits to a follower: whole commits, in order, each exactly once. If the feed was interrupted for too long to
 * guarantee that, it starts over with the complete state. Every implementation extends {@code CommitFeedContract}.
 */
public interface CommitFeed extends AutoCloseable {
    /**
     * The writer's heartbeat.
     *
     * @param time the cluster's time
     * @param epoch the epoch of the writer that sent it
     */
    record Beat(Instant time, long epoch) {}

    /** Receives the commits, on the thread that calls {@link #turn}. */
    interface Follower {
        /** Which records the snapshot contains, by key prefix, in this order. Later commits are delivered whole. */
        List<String> prefixes();

        /** A snapshot follows, which replaces everything delivered before. */
        void begin();

        /** A record of the snapshot; under each prefix in key order. */
        void record(String key, byte[] value) throws StoreException;

        /** The snapshot is complete; the commits after this one come next. */
        void whole(Store.Head head) throws StoreException;

        void commit(Commit commit) throws StoreException;

        /** All commits made before the heartbeat have been delivered. */
        void beat(Beat beat);
    }

    /**
     * Delivers what is new, if anything, and returns how much that was; the first time, everything.
     *
     * @throws StoreException if the store cannot be reached at present: nothing is lost, call again later. If the follower threw
     *     it, the next turn starts over
     */
    int turn(Follower follower) throws StoreException;

    /** Reconnects to the store, because nothing was received for too long. */
    void renew();

    /** Stops. The next turn starts over. */
    void rest();

    @Override
    void close();
}
