package io.forewarn.core.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.core.engine.StoreException.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The simulator's store: a real one that keeps its records on a {@link Disk} in memory, with faults from a seed or on demand.
 * It has the limits of the smallest store, and passes {@link StoreContract}. A process that dies is one that forgets
 * its store and opens another on the same disk; several open at once are several nodes.
 */
public final class SimulatedStore implements Store {
    /** As etcd has them. */
    public static final Limits SMALL = new Limits(128, 1 << 20);

    /** How a commit can go wrong. */
    public enum Fault {
        /** Nothing is written, and it says so. */
        REJECTED,
        /** It does not know, and nothing was written. */
        LOST,
        /** It does not know, and all was written. */
        KEPT
    }

    /** What outlives the process. */
    public static final class Disk {
        private final NavigableMap<String, byte[]> records =
                new TreeMap<>(Comparator.comparing(key -> key.getBytes(UTF_8), Arrays::compareUnsigned));
        private final List<Object> told = new ArrayList<>();
        private long forgotten;
        private Head head = new Head(0, 0);

        /** What was told since a place, which is counted from the very beginning; null if some of it is forgotten. */
        synchronized List<Object> since(long place) {
            return place < forgotten ? null : List.copyOf(told.subList((int) (place - forgotten), told.size()));
        }

        /** The writer's word that it is there. */
        public synchronized void beat(CommitFeed.Beat beat) {
            told.add(beat);
        }

        /** As etcd does when it is compacted: whoever is behind must begin anew. */
        public synchronized void forget() {
            forgotten += told.size();
            told.clear();
        }

        /** All there is, under each prefix in key order. Returns the place from where to go on. */
        synchronized long read(CommitFeed.Follower follower) throws StoreException {
            follower.begin();
            for (String prefix : follower.prefixes()) {
                for (Map.Entry<String, byte[]> record : records.entrySet()) {
                    if (record.getKey().startsWith(prefix)) {
                        follower.record(record.getKey(), record.getValue().clone());
                    }
                }
            }
            follower.whole(head);
            return forgotten + told.size();
        }

        /** As etcd can be backed up. */
        public synchronized Disk copy() {
            Disk copy = new Disk();
            copy.records.putAll(records);
            copy.head = head;
            return copy;
        }

        /** As etcd is when somebody restores a backup under running nodes. */
        public synchronized void restore(Disk backup) {
            forget();
            forgotten++; // Also who was told everything begins anew.
            records.clear();
            records.putAll(backup.records);
            head = backup.head;
        }

        public synchronized Head head() {
            return head;
        }
    }

    private final Disk disk;
    private final Limits limits;
    private final Random random;
    private final double faultRate;
    private final Deque<Fault> ordered = new ArrayDeque<>();
    private int failingRecoveries;
    private boolean uncertain;
    private boolean vanished;
    private boolean closed;

    /** Without faults but those that are {@linkplain #fail ordered}. */
    public SimulatedStore(Disk disk, Limits limits) {
        this(disk, limits, 0, 0.0);
    }

    /** @param faultRate how many commits, and recoveries, of all go wrong: 0 to 1 */
    public SimulatedStore(Disk disk, Limits limits, long seed, double faultRate) {
        this.disk = disk;
        this.limits = limits;
        this.random = new Random(seed);
        this.faultRate = faultRate;
    }

    /** Has the next commits go wrong like this, one each. */
    public void fail(Fault... faults) {
        synchronized (disk) {
            ordered.addAll(List.of(faults));
        }
    }

    /** Has the next recoveries fail. */
    public void failRecoveries(int times) {
        synchronized (disk) {
            failingRecoveries = times;
        }
    }

    /** Has the store be gone from where it was, as a file that was deleted; or be back. */
    public void vanish(boolean gone) {
        synchronized (disk) {
            vanished = gone;
        }
    }

    @Override
    public void check() throws StoreException {
        synchronized (disk) {
            if (vanished) {
                throw new StoreException(Kind.REJECTED, "Simulated: the store is gone.");
            }
        }
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public Head claim() throws StoreException {
        synchronized (disk) {
            checkWritable();
            disk.head = new Head(disk.head.seq(), disk.head.epoch() + 1);
            return disk.head;
        }
    }

    @Override
    public void commit(Commit commit) throws StoreException {
        synchronized (disk) {
            checkWritable();
            if (commit.operations() > limits.operations() || commit.bytes() > limits.bytes()) {
                throw new StoreException(
                        Kind.REJECTED,
                        "The commit has " + commit.operations() + " operations and " + commit.bytes() + " bytes: over "
                                + limits);
            }
            checkFollows(commit);
            Fault fault = nextFault();
            if (fault == Fault.REJECTED) {
                throw new StoreException(Kind.REJECTED, "Simulated: commit " + commit.seq() + " was rejected.");
            }
            if (fault != Fault.LOST) {
                commit.deletes().forEach(disk.records::remove);
                commit.puts().forEach((key, value) -> disk.records.put(key, value.clone()));
                disk.head = new Head(commit.seq(), commit.epoch());
                disk.told.add(commit);
            }
            if (fault != null) {
                uncertain = true;
                throw new StoreException(
                        Kind.UNCERTAIN, "Simulated: what became of commit " + commit.seq() + " is not known.");
            }
        }
    }

    private void checkFollows(Commit commit) throws StoreException {
        if (commit.epoch() < disk.head.epoch()) {
            throw new StoreException(
                    Kind.FENCED, "Writer " + commit.epoch() + " was replaced by writer " + disk.head.epoch() + ".");
        }
        if (commit.epoch() != disk.head.epoch() || commit.seq() != disk.head.seq() + 1) {
            throw new StoreException(
                    Kind.REJECTED,
                    "Commit " + commit.seq() + " of writer " + commit.epoch() + " does not follow " + disk.head + ".");
        }
    }

    private Fault nextFault() {
        if (!ordered.isEmpty()) {
            return ordered.poll();
        }
        return random.nextDouble() < faultRate ? Fault.values()[random.nextInt(Fault.values().length)] : null;
    }

    private void checkWritable() throws StoreException {
        checkOpen();
        if (uncertain) {
            throw new StoreException(Kind.REJECTED, "Simulated: recover before writing again.");
        }
    }

    private void checkOpen() throws StoreException {
        if (closed) {
            throw new StoreException(Kind.REJECTED, "The store is not open.");
        }
    }

    @Override
    public Head recover() throws StoreException {
        synchronized (disk) {
            checkOpen();
            if (failingRecoveries > 0 || random.nextDouble() < faultRate) {
                failingRecoveries = Math.max(0, failingRecoveries - 1);
                throw new StoreException(Kind.UNCERTAIN, "Simulated: the store cannot be reached.");
            }
            uncertain = false;
            return disk.head;
        }
    }

    @Override
    public void skipTo(long seq) throws StoreException {
        synchronized (disk) {
            checkWritable();
            if (seq < disk.head.seq()) {
                throw new StoreException(Kind.REJECTED, "The store is already beyond commit " + seq + ".");
            }
            disk.head = new Head(seq, disk.head.epoch());
            disk.forget();
        }
    }

    @Override
    public void scan(String prefix, String after, int limit, BiConsumer<String, byte[]> visitor) throws StoreException {
        boolean bounded = after != null && !after.isEmpty();
        visit(bounded ? disk.records : disk.records.tailMap(prefix, true), prefix, after, limit, visitor);
    }

    @Override
    public void scanDown(String prefix, String before, int limit, BiConsumer<String, byte[]> visitor)
            throws StoreException {
        visit(disk.records.descendingMap(), prefix, before, limit, visitor);
    }

    private void visit(
            NavigableMap<String, byte[]> records,
            String prefix,
            String from,
            int limit,
            BiConsumer<String, byte[]> visitor)
            throws StoreException {
        List<Map.Entry<String, byte[]>> found = new ArrayList<>();
        synchronized (disk) {
            checkOpen();
            boolean bounded = from != null && !from.isEmpty();
            Map<String, byte[]> rest = bounded ? records.tailMap(from, false) : records;
            for (Map.Entry<String, byte[]> record : rest.entrySet()) {
                if (found.size() >= limit) {
                    break;
                }
                if (record.getKey().startsWith(prefix)) {
                    found.add(Map.entry(record.getKey(), record.getValue().clone()));
                } else if (!found.isEmpty()) {
                    break; // Keys with the same prefix are next to each other.
                }
            }
        }
        found.forEach(record -> visitor.accept(record.getKey(), record.getValue()));
    }

    @Override
    public void close() {
        synchronized (disk) {
            closed = true;
        }
    }
}
