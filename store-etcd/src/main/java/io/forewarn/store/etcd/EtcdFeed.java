package io.forewarn.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.CommitFeed;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Follows commits with an etcd watch, for replicas.
 *
 * <p>etcd reports the changes of one revision together, and a commit is one revision that also wrote the head. So a
 * commit is recognized by its head, and a gap by its number, which must be one more than the last. If it is not, or if
 * etcd has compacted the revision to continue from, everything is read again as of one revision, and the watch begins
 * after that.
 *
 * <p>The client would repair a broken watch itself, but may then skip changes that were in flight. So a failed watch is
 * thrown away, and a new one begins after the last applied revision, at another member.
 */
public final class EtcdFeed implements CommitFeed {
    private final EtcdConnection connection;
    private final EtcdKeys keys;
    private final Runnable wake;
    private Head head;
    private Head last;
    private long revision;
    private RevisionWatch revisionWatch;

    /** @param wake called from any thread when there are changes */
    public EtcdFeed(EtcdAccess access, Runnable wake) {
        this.connection = new EtcdConnection(access);
        this.keys = new EtcdKeys(access.prefix());
        this.wake = wake;
    }

    @Override
    public synchronized int turn(Follower follower) throws StoreException {
        if (head == null) {
            load(follower);
            return 1;
        }
        if (revisionWatch == null && !isRemembered()) {
            head = null;
            return 1;
        }
        if (revisionWatch == null) {
            revisionWatch = RevisionWatch.begin(connection.client(), keys, revision + 1, wake);
        }
        int told = 0;
        for (List<WatchEvent> changes = revisionWatch.poll(); changes != null; changes = revisionWatch.poll()) {
            told += tell(changes, follower);
            if (head == null) {
                return told;
            }
        }
        if (revisionWatch.isForgotten()) {
            head = null;
        } else if (revisionWatch.failure() != null) {
            EtcdErrors etcdErrors = connection.failed(revisionWatch.failure());
            stop();
            throw etcdErrors.whileReading();
        }
        return told;
    }

    /**
     * Whether etcd still has the last applied revision unchanged. An etcd that was set back to an earlier state has
     * not, and would keep a watch waiting until it reaches that revision again, with another history.
     */
    private boolean isRemembered() throws StoreException {
        try {
            GetOption then = GetOption.builder().withRevision(revision).build();
            return StoreHead.of(connection
                            .ask(client -> client.getKVClient().get(keys.head(), then))
                            .getKvs())
                    .head()
                    .equals(head);
        } catch (StoreException problem) {
            if (EtcdErrors.codeOf(problem) == Status.Code.OUT_OF_RANGE) {
                return false; // Compacted, or in the future.
            }
            throw problem;
        }
    }

    private void load(Follower follower) throws StoreException {
        stop();
        RangeReader rangeReader = RangeReader.strict(connection);
        List<KeyValue> found = rangeReader.read(keys.head(), EtcdKeys.following(keys.head()), 1);
        Head all = StoreHead.of(found).head();
        ByteSequence records = keys.record("");
        boolean hadHead = last != null && last.epoch() > 0;
        if (found.isEmpty()
                && (hadHead
                        || !rangeReader.read(records, EtcdKeys.end(records), 1).isEmpty())) {
            throw keys.headIsMissing(hadHead ? last : null);
        }
        follower.begin();
        for (String prefix : follower.prefixes()) {
            ByteSequence from = keys.record(prefix);
            ByteSequence end = EtcdKeys.end(from);
            for (List<KeyValue> page = rangeReader.read(from, end, Integer.MAX_VALUE);
                    !page.isEmpty();
                    page = rangeReader.read(from, end, Integer.MAX_VALUE)) {
                for (KeyValue row : page) {
                    take(row, follower);
                }
                from = EtcdKeys.following(page.get(page.size() - 1).getKey());
            }
        }
        follower.whole(all);
        revision = rangeReader.revision();
        head = all;
        last = all;
    }

    private void take(KeyValue row, Follower follower) throws StoreException {
        try {
            follower.record(keys.name(row.getKey()), row.getValue().getBytes());
        } catch (StoreException unreadable) {
            if (unreadable.kind() == Kind.UNREADABLE && isForeign(row)) {
                String key = row.getKey().toString(UTF_8);
                throw new StoreException(
                        Kind.UNREADABLE,
                        "the key " + key + " in etcd was not written by Forewarn and cannot be read ("
                                + unreadable.getMessage() + "). Delete it: etcdctl del '" + key + "'",
                        unreadable);
            }
            throw unreadable;
        }
    }

    /** Every commit also writes the head: a change without it comes from outside. */
    private boolean isForeign(KeyValue row) throws StoreException {
        try {
            GetOption then =
                    GetOption.builder().withRevision(row.getModRevision()).build();
            return StoreHead.of(connection
                                    .ask(client -> client.getKVClient().get(keys.head(), then))
                                    .getKvs())
                            .revision()
                    != row.getModRevision();
        } catch (StoreException unknown) {
            return false; // Compacted, so it cannot be checked.
        }
    }

    /** Passes on the changes of one revision. */
    private int tell(List<WatchEvent> changes, Follower follower) throws StoreException {
        Map<String, byte[]> puts = new TreeMap<>();
        List<String> deletes = new ArrayList<>();
        Head next = null;
        Beat beat = null;
        for (WatchEvent change : changes) {
            KeyValue row = change.getKeyValue();
            boolean put = change.getEventType() == WatchEvent.EventType.PUT;
            if (keys.isRecord(row.getKey())) {
                if (put) {
                    puts.put(keys.name(row.getKey()), row.getValue().getBytes());
                } else {
                    deletes.add(keys.name(row.getKey()));
                }
            } else if (row.getKey().equals(keys.head())) {
                if (!put) {
                    head = null; // The next call reports what is wrong.
                    return 1;
                }
                next = StoreHead.parse(row.getKey(), row.getValue());
            } else if (put && row.getKey().equals(keys.time())) {
                beat = HeartbeatCodec.parse(row.getValue());
            }
        }
        long at = changes.get(0).getKeyValue().getModRevision();
        Head before = head;
        head = null;
        if (next != null && next.seq() == before.seq() + 1) {
            follower.commit(Commit.of(next.seq(), next.epoch(), puts, deletes));
        } else if (!puts.isEmpty() || !deletes.isEmpty() || next != null && next.seq() != before.seq()) {
            // Not one of our commits, or one is missing: the next call reads everything.
            return 1;
        }
        if (beat != null) {
            follower.beat(beat);
        }
        head = next == null ? before : next;
        last = head;
        revision = at;
        return next == null && beat == null ? 0 : 1;
    }

    @Override
    public synchronized void renew() {
        stop();
        connection.leave();
    }

    @Override
    public synchronized void rest() {
        stop();
        head = null;
    }

    private void stop() {
        if (revisionWatch != null) {
            revisionWatch.close();
            revisionWatch = null;
        }
    }

    @Override
    public synchronized void close() {
        stop();
        connection.close();
    }
}
