package io.forewarn.core.engine;

import io.forewarn.core.LostCommits;
import io.forewarn.core.StoredRecord;
import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.AuditPageHash;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.LogPage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Keeps a view current from a feed, commit by commit, as the writer's own is: no reader ever sees half of one group's change.
 *
 * <p>A large change comes in slices that nobody reads until the switch. They are put aside here, applied when
 * the switch comes, and the moves that follow it are no news any more.
 *
 * <p>When the feed begins anew the view is compared with what there is: what is equal stays, so that nobody waits for a
 * document that did not change, and what is gone is taken away.
 *
 * <p>One thread calls it, the one that owns the view; the methods that say so may be called from any.
 */
public final class Following {
    /** Is told what was read. Must not block. */
    public interface Witness {
        void committed(LogPage page);

        /**
         * Much may be different: the feed began anew, and pages of the log up to there may never have been told.
         *
         * @param head the last commit the view knows now
         */
        void reloaded(long head);

        /** The store was set back to an earlier state, and the view with it. */
        default void lost(LostCommits commits) {}
    }

    /** A beat, and when it was heard, on the clock of elapsed time. */
    public record Heard(Feed.Beat beat, long nanos) {}

    private static final List<String> PREFIXES = Stream.concat(
                    Stream.of(Staging.SWITCH, Staging.STAGED, FleetChunk.PREFIX),
                    Shelf.ALL.stream().map(Shelf::prefix))
            .toList();

    private static final long PAUSE = 1_000_000;

    private final Feed feed;
    private final Format format;
    private final View view;
    private final LongSupplier elapsedNanos;
    private final Witness witness;
    private final Store store;
    private Recall recall;

    /** Every record on a shelf from which some are taken away, by key. */
    private final Map<String, StoredRecord> shelved = new HashMap<>();

    private final NavigableMap<String, byte[]> staged = new TreeMap<>();
    private volatile Head head;
    private volatile Heard heard;
    /** The last commit this node has known, whether it followed or wrote it. */
    private long highest;

    private LostCommits lost;

    /** @param store for the answers that were given before the feed began */
    public Following(Feed feed, Store store, Format format, View view, LongSupplier elapsedNanos, Witness witness) {
        this.feed = feed;
        this.store = store;
        this.recall = new Recall(store, format);
        this.format = format;
        this.view = view;
        this.elapsedNanos = elapsedNanos;
        this.witness = witness;
    }

    /** Takes in what is new, if anything, and else some of what is old. Returns how much that was. */
    public int turn() throws StoreException {
        int taken = feed.turn(new Reading());
        return taken == 0 && recall.slice() ? 1 : taken;
    }

    /** Takes in all up to a commit that is known to be durable; false if that was not to be had in the given time. */
    boolean reach(long seq, long patienceNanos) throws StoreException {
        long since = elapsedNanos.getAsLong();
        while (head == null || head.seq() < seq) {
            if (feed.turn(new Reading()) == 0) {
                if (elapsedNanos.getAsLong() - since > patienceNanos) {
                    return false;
                }
                LockSupport.parkNanos(this, PAUSE);
            }
        }
        return true;
    }

    /** This node writes itself from now on. The next turn, once it no longer does, begins anew: the view has gone on without this. */
    public void rest() {
        feed.rest();
        head = null;
    }

    /** This node wrote itself, up to there. */
    public void wrote(Head last) {
        recall.knows(last.seq());
        highest = Math.max(highest, last.seq());
    }

    /** Whether this node has known commits that a store which stands there does not have: it was set back to an earlier state. */
    boolean isBeyond(Head stored) {
        return highest > stored.seq();
    }

    /** What the store lost, as long as no writer has written that down. */
    Optional<LostCommits> lost() {
        return Optional.ofNullable(lost);
    }

    /** The answers that were given, by whatever node. */
    Recall recall() {
        return recall;
    }

    /** Whether all is known that a writer needs: else it would have to read it when it takes over. */
    public boolean isWhole() {
        return head != null && recall.isWhole();
    }

    /** What is kept current. Any thread. */
    public View view() {
        return view;
    }

    /** Looks for another way to the store. */
    public void renew() {
        feed.renew();
    }

    /** The last commit taken in; empty before the first turn that read anything. Any thread. */
    public Optional<Head> head() {
        return Optional.ofNullable(head);
    }

    /** The writer's last word. Any thread. */
    public Optional<Heard> heard() {
        return Optional.ofNullable(heard);
    }

    private final class Reading implements Feed.Follower {
        private final Set<String> seen = new HashSet<>();
        private final Set<GroupId> groups = new HashSet<>();
        private final List<GroupChange> changes = new ArrayList<>();
        private final NavigableMap<String, byte[]> fleet = new TreeMap<>();
        private final Assembling assembling = new Assembling(this::group);
        private Slices slices;
        private boolean switched;
        private boolean fleetRead;

        @Override
        public List<String> prefixes() {
            return PREFIXES;
        }

        @Override
        public void begin() {
            staged.clear();
            shelved.clear();
            head = null;
        }

        @Override
        public void record(String key, byte[] value) throws StoreException {
            if (key.equals(Staging.SWITCH)) {
                switched = true;
            } else if (key.startsWith(Staging.STAGED)) {
                staged.put(key, value);
            } else if (!switched) {
                take(key, value);
            } else if (!slices().deletes.contains(key) && !slices().puts.containsKey(key)) {
                // Some of what is staged may have been moved already: the staged record is right in any case.
                if (key.startsWith(FleetChunk.PREFIX)) {
                    fleet.put(key, value);
                } else {
                    publishFleet();
                    take(key, value);
                }
            }
        }

        private Slices slices() {
            slices = slices == null ? new Slices(staged) : slices;
            return slices;
        }

        private void take(String key, byte[] value) throws StoreException {
            if (key.startsWith(FleetChunk.PREFIX)) {
                assembling.take(Shelf.read(format, key, value, FleetChunk.class));
            } else {
                publishFleet();
                publish(key, value);
                seen.add(key);
            }
        }

        /** At the very first beginning nothing is compared and nothing kept back. */
        private void group(GroupChange change) {
            groups.add(change.id());
            GroupView known = view.find(change.id());
            if (known == null || known.group() == null && known.machines().isEmpty()) {
                view.publish(List.of(change));
            } else if (!change.group().equals(known.group())
                    || !change.machines().equals(known.machines())) {
                changes.add(change);
            }
        }

        private void publishFleet() throws StoreException {
            if (fleetRead) {
                return;
            }
            fleetRead = true;
            if (switched) {
                fleet.putAll(under(FleetChunk.PREFIX, slices().puts));
                for (Map.Entry<String, byte[]> chunk : fleet.entrySet()) {
                    take(chunk.getKey(), chunk.getValue());
                }
            }
            assembling.end();
            view.groups().stream()
                    .filter(id -> !groups.contains(id))
                    .forEach(id -> changes.add(new GroupChange(id, null, List.of())));
            if (!changes.isEmpty()) {
                view.publish(changes);
            }
        }

        @Override
        public void whole(Head all) throws StoreException {
            publishFleet();
            for (Shelf<?> shelf : switched ? Shelf.ALL : List.<Shelf<?>>of()) {
                for (Map.Entry<String, byte[]> put :
                        under(shelf.prefix(), slices().puts).entrySet()) {
                    take(put.getKey(), put.getValue());
                }
            }
            Shelf.ALL.forEach(shelf -> shelf.removeAllBut(seen, view));
            boolean sameHistory = isAuditKept();
            new Loading(store, format, view).audit();
            if (isBeyond(all) || !sameHistory) {
                setBack(all);
            }
            head = all;
            known(all.seq());
            recall.reach(all.seq());
            witness.reloaded(all.seq());
        }

        @Override
        public void commit(Commit commit) throws StoreException {
            if (commit.seq() > head.seq()) {
                apply(commit);
                head = new Head(commit.seq(), commit.epoch());
                known(commit.seq());
                recall.knows(commit.seq());
            }
        }

        @Override
        public void beat(Feed.Beat beat) {
            heard = new Heard(beat, elapsedNanos.getAsLong());
        }
    }

    /** The next writer leaves the lost numbers out and says so: whoever knows a later commit knows that it was written down. */
    private void known(long seq) {
        highest = seq;
        if (lost != null && seq > lost.last()) {
            lost = null;
        }
    }

    /** What was answered in the lost commits was not done. */
    private void setBack(Head stored) {
        recall = new Recall(store, format);
        if (isBeyond(stored)) {
            lost = new LostCommits(stored.seq() + 1, lost == null ? highest : Math.max(highest, lost.last()));
            witness.lost(lost);
        }
    }

    /** Whether the newest page of the audit log that this node knows is still there: the chain of pages is history's own fingerprint. */
    private boolean isAuditKept() throws StoreException {
        AuditHead known = view.auditHead();
        if (known.number() <= AuditCheck.anchor(store, format).number()) {
            return true;
        }
        boolean[] kept = {false};
        store.scan(
                AuditPage.key(known.number()),
                "",
                1,
                (key, value) -> kept[0] = AuditPageHash.named(value).equals(known.hash()));
        return kept[0];
    }

    private void apply(Commit commit) throws StoreException {
        NavigableMap<String, byte[]> puts = new TreeMap<>(commit.puts());
        Set<String> deletes = new HashSet<>(commit.deletes());
        if (puts.containsKey(Staging.SWITCH)) {
            Slices slices = new Slices(staged);
            puts.putAll(slices.puts);
            deletes.addAll(slices.deletes);
        }
        for (String key : commit.deletes()) {
            // A move of what was seen at the switch is no news.
            Staging.putOf(key).ifPresent(puts::remove);
            Staging.deleteOf(key).ifPresent(deletes::remove);
        }
        commit.puts().forEach((key, value) -> {
            if (key.startsWith(Staging.STAGED)) {
                staged.put(key, value);
            }
        });
        staged.keySet().removeAll(commit.deletes());
        publishFleet(puts, deletes);
        for (Shelf<?> shelf : Shelf.ALL) {
            for (Map.Entry<String, byte[]> put : under(shelf.prefix(), puts).entrySet()) {
                publish(put.getKey(), put.getValue());
            }
        }
        deletes.forEach(this::remove);
        under(AuditPage.PREFIX, puts)
                .forEach((key, value) -> view.publish(new AuditHead(AuditPage.number(key), AuditPageHash.named(value))));
        for (Map.Entry<String, byte[]> page : under(LogPage.PREFIX, puts).entrySet()) {
            LogPage read = Shelf.read(format, page.getKey(), page.getValue(), LogPage.class);
            recall.told(read);
            witness.committed(read);
        }
    }

    /** What staged records stand for: which keys will be put, and which deleted. */
    private static final class Slices {
        final NavigableMap<String, byte[]> puts = new TreeMap<>();
        final Set<String> deletes = new HashSet<>();

        Slices(Map<String, byte[]> staged) {
            staged.forEach((key, value) -> {
                Staging.putOf(key).ifPresent(put -> puts.put(put, value));
                Staging.deleteOf(key).ifPresent(deletes::add);
            });
        }
    }

    private void publishFleet(NavigableMap<String, byte[]> puts, Collection<String> deletes) throws StoreException {
        Map<GroupId, GroupChange> changes = new LinkedHashMap<>();
        Assembling assembling = new Assembling(change -> changes.put(change.id(), change));
        for (Map.Entry<String, byte[]> put : under(FleetChunk.PREFIX, puts).entrySet()) {
            assembling.take(Shelf.read(format, put.getKey(), put.getValue(), FleetChunk.class));
        }
        assembling.end();
        for (String key : deletes) {
            FleetChunk.begunBy(key).ifPresent(id -> changes.putIfAbsent(id, new GroupChange(id, null, List.of())));
        }
        if (!changes.isEmpty()) {
            view.publish(changes.values());
        }
    }

    private void publish(String key, byte[] value) throws StoreException {
        for (Shelf<?> shelf : Shelf.ALL) {
            if (key.startsWith(shelf.prefix())) {
                StoredRecord record = shelf.publish(view, format, key, value);
                if (shelf.empties()) {
                    shelved.put(key, record);
                }
            }
        }
    }

    private void remove(String key) {
        StoredRecord record = shelved.remove(key);
        if (record != null) {
            Shelf.ALL.stream()
                    .filter(shelf -> key.startsWith(shelf.prefix()))
                    .forEach(shelf -> shelf.remove(view, record));
        }
    }

    private static NavigableMap<String, byte[]> under(String prefix, NavigableMap<String, byte[]> records) {
        return records.subMap(prefix, true, prefix + Character.MAX_VALUE, false);
    }
}
