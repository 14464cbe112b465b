package io.forewarn.core.engine;

class SimulatedCommitFeedTest extends CommitFeedContract {
    private final SimulatedStore.Disk disk = new SimulatedStore.Disk();
    private SimulatedCommitFeed feed;

    @Override
    protected Store open() {
        return new SimulatedStore(disk, SimulatedStore.SMALL);
    }

    @Override
    protected CommitFeed follow() {
        feed = new SimulatedCommitFeed(disk);
        return feed;
    }

    @Override
    protected void beat(CommitFeed.Beat beat) {
        disk.beat(beat);
    }

    @Override
    protected void cut() {
        feed.cut(true);
    }

    @Override
    protected void mend() {
        feed.cut(false);
    }

    @Override
    protected void forget() {
        disk.forget();
    }
}
