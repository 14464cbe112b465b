package io.forewarn.core.engine;

import io.forewarn.core.engine.StoreException.Kind;
import java.util.List;

/** The simulator's feed: what a simulated disk was told. It can be cut off, and made to begin anew. */
public final class SimulatedCommitFeed implements CommitFeed {
    private static final long NOWHERE = -1;

    private final SimulatedStore.Disk disk;
    private long place = NOWHERE;
    private boolean cut;

    public SimulatedCommitFeed(SimulatedStore.Disk disk) {
        this.disk = disk;
    }

    /** Whether nothing comes through. */
    public void cut(boolean cut) {
        this.cut = cut;
    }

    @Override
    public int turn(Follower follower) throws StoreException {
        if (cut) {
            throw new StoreException(Kind.REJECTED, "Simulated: the store cannot be reached.");
        }
        List<Object> news = place == NOWHERE ? null : disk.since(place);
        if (news == null) {
            place = NOWHERE;
            place = disk.read(follower);
            return 1;
        }
        long next = place + news.size();
        place = NOWHERE;
        for (Object each : news) {
            if (each instanceof Commit commit) {
                follower.commit(commit);
            } else {
                follower.beat((Beat) each);
            }
        }
        place = next;
        return news.size();
    }

    @Override
    public void renew() {
        cut = false;
    }

    @Override
    public void rest() {
        place = NOWHERE;
    }

    @Override
    public void close() {
        cut = true;
    }
}
