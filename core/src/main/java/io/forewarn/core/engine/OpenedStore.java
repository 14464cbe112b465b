package io.forewarn.core.engine;

import java.time.Duration;
import java.util.Set;

/**
 * What a writer found when it claimed the store. By then the previous writer is fenced, and a multipart commit that it left
 * unfinished is completed.
 *
 * @param head the last commit, and this writer's epoch
 * @param last the commits whose announcements may never have been readable
 */
record OpenedStore(PublishedState view, IdempotencyCache results, Store.Head head, Set<Long> last) {
    /** Claims the store and reads all of it. */
    static OpenedStore read(EngineContext context) throws StoreException {
        Store store = context.store();
        Store.Head claimed = store.claim();
        MultipartCommit.Finished finished = MultipartCommit.finish(store, claimed.seq() + 1, claimed.epoch());
        PublishedState view = new PublishedState();
        new StateLoader(store, context.format(), view).fleetAndState();
        IdempotencyLoader answers = new IdempotencyLoader(store, context.format(), context.elapsedNanos());
        return whole(context, view, answers, claimed, finished);
    }

    /**
     * Claims the store for a state that was kept current until now, called on the thread that did so.
     *
     * @param patience how long the feed may take to deliver the last commits
     */
    static OpenedStore over(EngineContext context, Replica replica, Duration patience) throws StoreException {
        Store store = context.store();
        Store.Head claimed = store.claim();
        long last = replica.catchUp(claimed, patience);
        MultipartCommit.Finished finished = MultipartCommit.finish(store, last + 1, claimed.epoch());
        return whole(context, replica.view(), replica.recall(), claimed, finished);
    }

    private static OpenedStore whole(
            EngineContext context,
            PublishedState view,
            IdempotencyLoader answers,
            Store.Head claimed,
            MultipartCommit.Finished finished)
            throws StoreException {
        answers.reach(claimed.seq());
        while (answers.slice()) {
            // Until all idempotent results are known, because a repeated request must not be carried out again.
        }
        new StateLoader(context.store(), context.format(), view).audit();
        return new OpenedStore(
                view,
                answers.answers(),
                new Store.Head(finished.next() - 1, claimed.epoch()),
                Set.of(claimed.seq(), finished.generation()));
    }
}
