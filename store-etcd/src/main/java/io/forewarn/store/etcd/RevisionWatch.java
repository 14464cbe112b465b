package io.forewarn.store.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.common.exception.CompactedException;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Watches etcd until the first failure, and queues the changes of each revision together, in order. */
final class RevisionWatch implements Watch.Listener, AutoCloseable {
    /** A follower that falls further behind reads everything again, which takes less memory than queueing. */
    private static final int MOST = 20_000;

    private final Queue<List<WatchEvent>> revisions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Runnable wake;
    private Watch.Watcher watcher;
    private volatile Throwable failure;
    private volatile boolean behind;
    private volatile boolean closed;

    private RevisionWatch(Runnable wake) {
        this.wake = wake;
    }

    static RevisionWatch begin(Client client, EtcdKeys keys, long revision, Runnable wake) {
        RevisionWatch revisionWatch = new RevisionWatch(wake);
        ByteSequence all = keys.all();
        WatchOption options = WatchOption.builder()
                .withRange(EtcdKeys.end(all))
                .withRevision(revision)
                // So that a member cut off from the others fails, instead of staying silent.
                .withRequireLeader(true)
                .build();
        revisionWatch.watch(client, all, options);
        return revisionWatch;
    }

    private void watch(Client client, ByteSequence key, WatchOption options) {
        Watch.Watcher begun = client.getWatchClient().watch(key, options, this);
        synchronized (this) {
            watcher = begun;
        }
        if (closed || failure != null) {
            begun.close();
        }
    }

    /** The changes of the next revision; null if there are none yet. */
    List<WatchEvent> poll() {
        List<WatchEvent> next = revisions.poll();
        if (next != null) {
            waiting.decrementAndGet();
        }
        return next;
    }

    /** Why the watch ended; null if it has not. */
    Throwable failure() {
        return failure;
    }

    /**
     * Whether the watch cannot continue from the last revision: etcd has compacted it, or the changes since exceed a
     * response.
     */
    boolean isForgotten() {
        return failure instanceof CompactedException || behind || EtcdErrors.isTooMuch(failure);
    }

    @Override
    public void onNext(WatchResponse response) {
        List<WatchEvent> together = new ArrayList<>();
        for (WatchEvent event : response.getEvents()) {
            if (!together.isEmpty() && revisionOf(together.get(0)) != revisionOf(event)) {
                add(together);
                together = new ArrayList<>();
            }
            together.add(event);
        }
        if (!together.isEmpty()) {
            add(together);
        }
        wake.run();
    }

    private void add(List<WatchEvent> together) {
        if (failure != null) {
            return;
        }
        if (waiting.incrementAndGet() <= MOST) {
            revisions.add(together);
        } else {
            behind = true;
            end(new IllegalStateException("more than " + MOST + " revisions wait"));
        }
    }

    private static long revisionOf(WatchEvent event) {
        return event.getKeyValue().getModRevision();
    }

    @Override
    public void onError(Throwable problem) {
        end(problem);
        wake.run();
    }

    @Override
    public void onCompleted() {
        end(new IllegalStateException("etcd ended the watch"));
        wake.run();
    }

    private void end(Throwable why) {
        if (failure == null) {
            failure = why;
        }
        close();
    }

    @Override
    public void close() {
        closed = true;
        Watch.Watcher begun;
        synchronized (this) {
            begun = watcher;
            watcher = null;
        }
        if (begun != null) {
            begun.close();
        }
    }
}
