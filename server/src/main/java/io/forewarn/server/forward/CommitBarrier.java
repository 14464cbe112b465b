package io.forewarn.server.forward;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;

/**
 * Delays a forwarded answer until this node has applied the commit that the answer depends on, so that its caller does
 * not read older state here next. After the longest wait the answer is given anyway. Any thread.
 */
final class CommitBarrier {
    private final Vertx vertx;
    private final LongSupplier known;
    private final Duration longest;

    /** By commit. */
    private final NavigableMap<Long, Promise<Void>> waiting = new ConcurrentSkipListMap<>();

    /**
     * @param known the last commit that this node has applied
     * @param longest the longest wait
     */
    CommitBarrier(Vertx vertx, LongSupplier known, Duration longest) {
        this.vertx = vertx;
        this.known = known;
        this.longest = longest;
    }

    /** Completes when this node has applied a commit, or after the longest wait. Never fails. */
    Future<Void> of(long commit) {
        if (known.getAsLong() >= commit) {
            return Future.succeededFuture();
        }
        Promise<Void> mine = Promise.promise();
        Promise<Void> before = waiting.putIfAbsent(commit, mine);
        if (before == null) {
            long timer = vertx.setTimer(longest.toMillis(), late -> {
                waiting.remove(commit, mine);
                mine.tryComplete();
            });
            mine.future().onComplete(done -> vertx.cancelTimer(timer));
        }
        release(); // The commit may have arrived before the promise was registered.
        return (before == null ? mine : before).future();
    }

    /** Releases the answers whose commits this node has applied. They continue in their own contexts, so the caller does not wait. */
    void release() {
        if (waiting.isEmpty()) {
            return;
        }
        List<Promise<Void>> ready = new ArrayList<>();
        for (Long commit : waiting.headMap(known.getAsLong(), true).keySet()) {
            Promise<Void> one = waiting.remove(commit);
            if (one != null) {
                ready.add(one);
            }
        }
        ready.forEach(Promise::tryComplete);
    }
}
