package io.forewarn.core.engine;

class SimulatedFeedTest extends FeedContract {
    private final SimulatedStore.Disk disk = new SimulatedStore.Disk();
    private SimulatedFeed feed;

    @Override
    protected Store open() {
        return new SimulatedStore(disk, SimulatedStore.SMALL);
    }

    @Override
    protected Feed follow() {
        feed = new SimulatedFeed(disk);
        return feed;
    }

    @Override
    protected void beat(Feed.Beat beat) {
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
