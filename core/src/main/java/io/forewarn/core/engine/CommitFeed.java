package io.forewarn.core.engine;

import java.time.Instant;
import java.util.List;

/**
 * What becomes durable, for a node that does not write itself: whole commits, in their order, each once and none left out.
 * Where that cannot be kept, because the feed was cut off for too long, it begins anew with all there is. Every implementation
 * extends {@code CommitFeedContract}.
 */
public interface CommitFeed extends AutoCloseable {
    /**
     * The writer's word that it is there.
     *
     * @param time what time it is for the whole cluster
     * @param epoch which writer says so
     */
    record Beat(Instant time, long epoch) {}

    /** Who is told. One thread at a time: the one that calls {@link #turn}. */
    interface Follower {
        /** Which records to begin with, by how their keys begin, in this order. Of later commits all is told. */
        List<String> prefixes();

        /** All there is at one moment follows, and what was told before no longer counts. */
        void begin();

        /** A record of the beginning; under each prefix in key order. */
        void record(String key, byte[] value) throws StoreException;

        /** That was all; commits that follow this one come next. */
        void whole(Store.Head head) throws StoreException;

        void commit(Commit commit) throws StoreException;

        /** All commits made before the beat have been told. */
        void beat(Beat beat);
    }

    /**
     * Tells what is new, if anything, and returns how much that was. The first time, all there is.
     *
     * @throws StoreException if the store cannot be reached at present: nothing is lost, call again later. If the follower threw
     *     it, the next turn begins anew
     */
    int turn(Follower follower) throws StoreException;

    /** Looks for another way to the store: nothing was heard for longer than it should take. */
    void renew();

    /** Stops listening. The next turn begins anew. */
    void rest();

    @Override
    void close();
}
