package io.forewarn.core.engine;

import io.forewarn.core.LostCommits;
import io.forewarn.core.StoredRecord;
import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.AuditPageHash;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.GroupState;
import java.time.Duration;
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
 * Keeps a follower's state current from a feed, commit by commit, as the writer keeps its own: no reader ever sees half of a
 * group's change.
 *
 * <p>A large change arrives in slices that take effect only with the switch. They are set aside here and applied when the
 * switch arrives; the moves that follow it change nothing any more.
 *
 * <p>When the feed starts over, the state is compared with what it delivers: what is equal stays, so that no long poll is
 * answered with a document that did not change, and what is gone is removed.
 *
 * <p>For the one thread that owns the state, except where a method says otherwise.
 */
public final class Replica {
    /** Is called with what was read. Must not block. */
    public interface Witness {
        void committed(LogPage page);

        /**
         * Much may have changed: the feed started over, and log pages up to the head may not have been delivered.
         *
         * @param head the last commit the view knows now
         */
        void reloaded(long head);

        /** The store was set back to an earlier state, and the view with it. */
        default void lost(LostCommits commits) {}
    }

    /** A heartbeat, and when it was received, in monotonic time. */
    public record Heard(CommitFeed.Beat beat, long nanos) {}

    private static final List<String> PREFIXES = Stream.concat(
                    Stream.of(MultipartCommit.SWITCH, MultipartCommit.STAGED, FleetChunk.PREFIX),
                    RecordType.ALL.stream().map(RecordType::prefix))
            .toList();

    private static final long PAUSE = 1_000_000;

    private final CommitFeed feed;
    private final RecordFormat format;
    private final PublishedState published;
    private final LongSupplier elapsedNanos;
    private final Witness witness;
    private final Store store;
    private IdempotencyLoader idempotencyLoader;

    /** Every record of a type whose records can be deleted, by key. */
    private final Map<String, StoredRecord> shelved = new HashMap<>();

    private final NavigableMap<String, byte[]> staged = new TreeMap<>();
    private volatile Head head;
    private volatile Heard heard;
    /** The last commit this node has known, as a follower or as the writer. */
    private long highest;

    private LostCommits lost;
    /** The highest incarnations that this node has published and the store lost. */
    private final Map<GroupId, Long> incarnations = new HashMap<>();

    /** @param store for idempotent results from before the feed began */
    public Replica(
            CommitFeed feed,
            Store store,
            RecordFormat format,
            PublishedState published,
            LongSupplier elapsedNanos,
            Witness witness) {
        this.feed = feed;
        this.store = store;
        this.format = format;
        this.published = published;
        this.elapsedNanos = elapsedNanos;
        this.idempotencyLoader = new IdempotencyLoader(store, format, elapsedNanos);
        this.witness = witness;
    }

    /** Applies new commits or, if there are none, loads some older results. Returns how much it did. */
    public int turn() throws StoreException {
        int taken = feed.turn(new Reading());
        return taken == 0 && idempotencyLoader.slice() ? 1 : taken;
    }

    /**
     * Applies everything up to the head that the writer found when it claimed the store, and returns the highest commit number used so far.
     *
     * @param patience how long the feed may take to deliver the last commits
     */
    long catchUp(Head claimed, Duration patience) throws StoreException {
        if (isBeyond(claimed)) {
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    "this node knows commits later than " + claimed.seq()
                            + ", where the store stands: it was set back to an earlier state and must be read anew");
        }
        if (!reach(claimed.seq(), patience.toNanos())) {
            throw new StoreException(
                    StoreException.Kind.REJECTED, "the feed did not bring commit " + claimed.seq() + " in time");
        }
        if (lost != null && lost.last() > claimed.seq()) {
            // No commit number is used twice, because nodes that were away may know the lost commits by their numbers.
            store.skipTo(lost.last());
            return lost.last();
        }
        return claimed.seq();
    }

    /** Applies everything up to a commit that is known to be durable; returns false if it did not arrive in time. */
    private boolean reach(long seq, long patienceNanos) throws StoreException {
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

    /** This node is the writer from now on. The first turn after that starts over, because the state has changed without the feed. */
    public void rest() {
        feed.rest();
        head = null;
    }

    /** This node was the writer, up to this head. */
    public void wrote(Head last) {
        idempotencyLoader.knows(last.seq());
        highest = Math.max(highest, last.seq());
    }

    /** Whether this node has known commits that a store with this head does not contain, because it was set back to an earlier state. */
    private boolean isBeyond(Head stored) {
        return highest > stored.seq();
    }

    /** The idempotent results of all nodes. */
    IdempotencyLoader recall() {
        return idempotencyLoader;
    }

    /** Whether everything a writer needs is loaded, so that taking over needs no reads. */
    public boolean isWhole() {
        return head != null && idempotencyLoader.isWhole();
    }

    /** The state that is kept current. Any thread. */
    public PublishedState view() {
        return published;
    }

    /** Reconnects to the store. */
    public void renew() {
        feed.renew();
    }

    /** The last commit applied; empty before the first turn that read anything. Any thread. */
    public Optional<Head> head() {
        return Optional.ofNullable(head);
    }

    /** The writer's last heartbeat. Any thread. */
    public Optional<Heard> heard() {
        return Optional.ofNullable(heard);
    }

    private final class Reading implements CommitFeed.Follower {
        private final Set<String> seen = new HashSet<>();
        private final Set<GroupId> groups = new HashSet<>();
        /** The records published before the feed started over. */
        private final Map<GroupId, EventsDocument> documents = new HashMap<>();

        private final List<GroupChange> changes = new ArrayList<>();
        private final NavigableMap<String, byte[]> fleet = new TreeMap<>();
        private final FleetChunkAssembler fleetChunkAssembler = new FleetChunkAssembler(this::group);
        private Slices slices;
        private boolean switched;
        private boolean fleetRead;

        @Override
        public List<String> prefixes() {
            return PREFIXES;
        }

        @Override
        public void begin() {
            published.allGroups().forEach(group -> documents.put(group.id(), group.document()));
            staged.clear();
            shelved.clear();
            head = null;
        }

        @Override
        public void record(String key, byte[] value) throws StoreException {
            if (key.equals(MultipartCommit.SWITCH)) {
                switched = true;
            } else if (key.startsWith(MultipartCommit.STAGED)) {
                staged.put(key, value);
            } else if (!switched) {
                take(key, value);
            } else if (!slices().deletes.contains(key) && !slices().puts.containsKey(key)) {
                // Some staged records may have been moved already; the staged record is right in any case.
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
                fleetChunkAssembler.take(RecordType.read(format, key, value, FleetChunk.class));
            } else {
                publishFleet();
                publish(key, value);
                seen.add(key);
            }
        }

        /** At the first start there is nothing to compare. */
        private void group(GroupChange change) {
            groups.add(change.id());
            GroupView known = published.find(change.id());
            if (known == null || known.group() == null && known.machines().isEmpty()) {
                published.publish(List.of(change));
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
            fleetChunkAssembler.end();
            published.groups().stream()
                    .filter(id -> !groups.contains(id))
                    .forEach(id -> changes.add(new GroupChange(id, null, List.of())));
            if (!changes.isEmpty()) {
                published.publish(changes);
            }
        }

        @Override
        public void whole(Head all) throws StoreException {
            publishFleet();
            for (RecordType<?> recordType : switched ? RecordType.ALL : List.<RecordType<?>>of()) {
                for (Map.Entry<String, byte[]> put :
                        under(recordType.prefix(), slices().puts).entrySet()) {
                    take(put.getKey(), put.getValue());
                }
            }
            RecordType.ALL.forEach(recordType -> recordType.removeAllBut(seen, published));
            boolean sameHistory = isAuditKept();
            new StateLoader(store, format, published).audit();
            if (isBeyond(all) || !sameHistory) {
                documents.forEach(Replica.this::rememberLost);
                setBack(all);
            }
            head = all;
            known(all.seq());
            idempotencyLoader.reach(all.seq());
            witness.reloaded(all.seq());
        }

        @Override
        public void commit(Commit commit) throws StoreException {
            if (commit.seq() > head.seq()) {
                apply(commit);
                head = new Head(commit.seq(), commit.epoch());
                known(commit.seq());
                idempotencyLoader.knows(commit.seq());
            }
        }

        @Override
        public void beat(CommitFeed.Beat beat) {
            heard = new Heard(beat, elapsedNanos.getAsLong());
        }
    }

    /** The next writer skips the lost numbers and records that, so a node that knows a later commit knows that the loss is recorded. */
    private void known(long seq) {
        highest = seq;
        if (lost != null && seq > lost.last()) {
            lost = null;
        }
    }

    /** An incarnation that this node has published must not be used for another document. */
    private void rememberLost(GroupId group, EventsDocument document) {
        GroupState stored = published.state(group);
        boolean same = document.incarnation() == stored.incarnation()
                && document.events()
                        .equals(stored.events().stream().filter(Event::shown).toList());
        if (document.incarnation() >= stored.incarnation() && !same) {
            incarnations.merge(group, document.incarnation(), Math::max);
        }
    }

    /** The commands that a new writer runs first, so that no group reuses an incarnation that was published and lost. */
    List<Command> lostIncarnations() {
        incarnations.entrySet().removeIf(seen -> published.state(seen.getKey()).incarnation() > seen.getValue());
        return incarnations.entrySet().stream()
                .<Command>map(seen -> new Command.RaiseIncarnation(seen.getKey(), seen.getValue()))
                .toList();
    }

    /** Requests in the lost commits count as not carried out. */
    private void setBack(Head stored) {
        idempotencyLoader = new IdempotencyLoader(store, format, elapsedNanos);
        if (isBeyond(stored)) {
            lost = new LostCommits(stored.seq() + 1, lost == null ? highest : Math.max(highest, lost.last()));
            witness.lost(lost);
        }
    }

    /** Whether the newest audit page that this node knows is still stored; the hash chain identifies the history. */
    private boolean isAuditKept() throws StoreException {
        AuditHead known = published.auditHead();
        if (known.number() <= AuditVerifier.anchor(store, format).number()) {
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
        if (puts.containsKey(MultipartCommit.SWITCH)) {
            Slices slices = new Slices(staged);
            puts.putAll(slices.puts);
            deletes.addAll(slices.deletes);
        }
        for (String key : commit.deletes()) {
            // Moves of records that were applied at the switch change nothing.
            MultipartCommit.putOf(key).ifPresent(puts::remove);
            MultipartCommit.deleteOf(key).ifPresent(deletes::remove);
        }
        commit.puts().forEach((key, value) -> {
            if (key.startsWith(MultipartCommit.STAGED)) {
                staged.put(key, value);
            }
        });
        staged.keySet().removeAll(commit.deletes());
        if (!under(FleetChunk.PREFIX, puts).isEmpty()) {
            // Before machines come to their groups: they must not read a lower incarnation than they have read.
            for (Map.Entry<String, byte[]> put : under(GroupState.PREFIX, puts).entrySet()) {
                publish(put.getKey(), put.getValue());
            }
        }
        publishFleet(puts, deletes);
        for (RecordType<?> recordType : RecordType.ALL) {
            for (Map.Entry<String, byte[]> put :
                    under(recordType.prefix(), puts).entrySet()) {
                publish(put.getKey(), put.getValue());
            }
        }
        deletes.forEach(this::remove);
        under(AuditPage.PREFIX, puts)
                .forEach((key, value) ->
                        published.publish(new AuditHead(AuditPage.number(key), AuditPageHash.named(value))));
        for (Map.Entry<String, byte[]> page : under(LogPage.PREFIX, puts).entrySet()) {
            LogPage read = RecordType.read(format, page.getKey(), page.getValue(), LogPage.class);
            idempotencyLoader.add(read);
            witness.committed(read);
        }
    }

    /** The effect of staged records: which keys will be put and which deleted. */
    private static final class Slices {
        final NavigableMap<String, byte[]> puts = new TreeMap<>();
        final Set<String> deletes = new HashSet<>();

        Slices(Map<String, byte[]> staged) {
            staged.forEach((key, value) -> {
                MultipartCommit.putOf(key).ifPresent(put -> puts.put(put, value));
                MultipartCommit.deleteOf(key).ifPresent(deletes::add);
            });
        }
    }

    private void publishFleet(NavigableMap<String, byte[]> puts, Collection<String> deletes) throws StoreException {
        Map<GroupId, GroupChange> changes = new LinkedHashMap<>();
        FleetChunkAssembler fleetChunkAssembler = new FleetChunkAssembler(change -> changes.put(change.id(), change));
        for (Map.Entry<String, byte[]> put : under(FleetChunk.PREFIX, puts).entrySet()) {
            fleetChunkAssembler.take(RecordType.read(format, put.getKey(), put.getValue(), FleetChunk.class));
        }
        fleetChunkAssembler.end();
        for (String key : deletes) {
            FleetChunk.begunBy(key).ifPresent(id -> changes.putIfAbsent(id, new GroupChange(id, null, List.of())));
        }
        if (!changes.isEmpty()) {
            published.publish(changes.values());
        }
    }

    private void publish(String key, byte[] value) throws StoreException {
        for (RecordType<?> recordType : RecordType.ALL) {
            if (key.startsWith(recordType.prefix())) {
                StoredRecord record = recordType.publish(published, format, key, value);
                if (recordType.empties()) {
                    shelved.put(key, record);
                }
            }
        }
    }

    private void remove(String key) {
        StoredRecord record = shelved.remove(key);
        if (record != null) {
            RecordType.ALL.stream()
                    .filter(recordType -> key.startsWith(recordType.prefix()))
                    .forEach(recordType -> recordType.remove(published, record));
        }
    }

    private static NavigableMap<String, byte[]> under(String prefix, NavigableMap<String, byte[]> records) {
        return records.subMap(prefix, true, prefix + Character.MAX_VALUE, false);
    }
}
