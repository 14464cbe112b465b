package io.forewarn.server.history;

import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.zip.CRC32C;

/**
 * Indexes which pages of the log contain which event, machine, group, tenant or rollout, so that filtered reads of
 * history read only these pages.
 *
 * <p><b>Location.</b> In the memory of each node, whatever the store: it is built from the log alone, so it costs a commit
 * nothing, cannot permanently disagree with the store, and needs no migration. {@link #turn} reads new commits, then a
 * slice of older ones, newest first. Parts of the log that are not indexed are read page by page.
 *
 * <p><b>Structure.</b> The log is divided into blocks of 256 commits. A block is a sorted array of ints: 24 bits of a
 * term's hash, then 8 bits for the commit of the block that contains the term. A look-up is one binary search per
 * block. A collision costs an unnecessary page read, never a wrong result: readers check every entry. The hash is
 * seeded in every process, so that users cannot choose names that collide.
 *
 * <p><b>Bounds.</b> One int per term and page, up to a limit; beyond it the oldest blocks are dropped.
 *
 * <p>One thread calls {@link #turn}; any thread may look up.
 */
public final class LogIndex {
    /**
     * The result of a look-up.
     *
     * @param pages the commits whose pages may contain the terms, in the requested order
     * @param reached how far was searched; the search continues from here
     */
    record Found(long[] pages, long reached) {}

    private static final int PAGE_BITS = 8;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;
    private static final int MOST_FOUND = 1024;
    private static final int FIRST_SLICE = 16;
    private static final int LARGEST_SLICE = 256;
    private static final int SLICE_BYTES = 1 << 20;
    /** With 512 MiB, a process indexes some two million history entries. */
    private static final int PART_OF_MEMORY = 16;

    private final Store store;
    private final RecordFormat format;
    private final long most;
    private final long seed = ThreadLocalRandom.current().nextLong();
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    // Guarded by the lock.
    private final NavigableMap<Long, int[]> blocks = new TreeMap<>();
    private long low = 1;
    private long high;
    private long size;

    // Used only by the indexing thread.
    private int slice = FIRST_SLICE;
    private long newestSum;
    private boolean begun;
    private volatile boolean complete;

    public LogIndex(Store store, RecordFormat format) {
        this(store, format, Runtime.getRuntime().maxMemory() / PART_OF_MEMORY / Integer.BYTES);
    }

    /** @param most maximum number of terms, each counted once per page */
    LogIndex(Store store, RecordFormat format, long most) {
        this.store = store;
        this.format = format;
        this.most = most;
    }

    /**
     * Reads a slice of the log.
     *
     * @return false if there is nothing more to read for now
     * @throws StoreException if the store cannot be read at present, or a page is damaged; the index stays usable
     */
    public boolean turn() throws StoreException {
        if (!begun) {
            begin();
        }
        if (forward() || backward()) {
            return true;
        }
        trim();
        return false;
    }

    private record Row(long commit, byte[] value) {}

    /** Starts at the newest page, to index forward and backward from there. */
    private void begin() throws StoreException {
        List<Row> newest = new ArrayList<>();
        store.scanDown(LogPage.PREFIX, LogPage.key(Long.MAX_VALUE), 1, (key, value) -> newest.add(row(key, value)));
        if (newest.isEmpty()) {
            return;
        }
        Row row = newest.get(0);
        add(newest, row.commit, row.commit);
        newestSum = sum(row.value);
        begun = true;
        complete = false;
    }

    private boolean forward() throws StoreException {
        if (!begun) {
            return false;
        }
        long known = high; // Only this thread changes it.
        int wanted = slice;
        List<Row> rows = new ArrayList<>();
        // The newest indexed page is read again: if it differs, the log was replaced by an older one.
        store.scan(LogPage.PREFIX, LogPage.key(known - 1), wanted, (key, value) -> rows.add(row(key, value)));
        if (rows.isEmpty() || rows.get(0).commit != known || sum(rows.get(0).value) != newestSum) {
            forget();
            return true;
        }
        Row last = rows.get(rows.size() - 1);
        if (last.commit > known) {
            add(rows.subList(1, rows.size()), low, last.commit);
            newestSum = sum(last.value);
        }
        measure(rows);
        return rows.size() == wanted;
    }

    private boolean backward() throws StoreException {
        if (!begun || complete || size > most - most / 8) {
            return false;
        }
        int wanted = slice;
        List<Row> rows = new ArrayList<>();
        store.scanDown(LogPage.PREFIX, LogPage.key(low), wanted, (key, value) -> rows.add(row(key, value)));
        boolean last = rows.size() < wanted;
        add(rows, last ? 1 : rows.get(rows.size() - 1).commit, high);
        complete = last && low == 1; // Otherwise there was no room for the oldest.
        measure(rows);
        return true;
    }

    /** Adapts the slice: a page may have hundreds of entries, and the memory in use is limited in bytes. */
    private void measure(List<Row> rows) {
        long bytes = 1;
        for (Row row : rows) {
            bytes += row.value.length;
        }
        // At least two: forward, the first one is already known.
        slice = (int) Math.max(2, Math.min(LARGEST_SLICE, (long) SLICE_BYTES * Math.max(1, rows.size()) / bytes));
    }

    /** The number of terms, each counted once per page. Thread-safe. */
    public long size() {
        lock.readLock().lock();
        try {
            return size;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Whether it covered the whole log a moment ago. Thread-safe. */
    public boolean isComplete() {
        return complete;
    }

    private void forget() {
        lock.writeLock().lock();
        try {
            blocks.clear();
            low = 1;
            high = 0;
            size = 0;
            begun = false;
            complete = false;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Drops the terms of pages that retention removed. */
    private void trim() throws StoreException {
        List<Row> oldest = new ArrayList<>();
        store.scan(LogPage.PREFIX, "", 1, (key, value) -> oldest.add(row(key, value)));
        if (oldest.isEmpty() || blocks.isEmpty() || blocks.firstKey() >= oldest.get(0).commit >> PAGE_BITS) {
            return;
        }
        lock.writeLock().lock();
        try {
            while (!blocks.isEmpty() && blocks.firstKey() < oldest.get(0).commit >> PAGE_BITS) {
                size -= blocks.pollFirstEntry().getValue().length;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void add(List<Row> rows, long from, long to) throws StoreException {
        Map<Long, List<Integer>> fresh = new HashMap<>();
        for (Row row : rows) {
            LogPage page = (LogPage) format.read(LogPage.key(row.commit), row.value);
            List<Integer> block = fresh.computeIfAbsent(row.commit >> PAGE_BITS, b -> new ArrayList<>());
            for (int term : terms(page)) {
                block.add(term | (int) row.commit & PAGE_MASK);
            }
        }
        Map<Long, int[]> merged = new HashMap<>();
        fresh.forEach((block, more) -> merged.put(block, merge(blocks.get(block), more)));
        lock.writeLock().lock();
        try {
            merged.forEach((block, postings) -> {
                int[] before = blocks.put(block, postings);
                size += postings.length - (before == null ? 0 : before.length);
            });
            low = from;
            high = to;
            while (size > most && blocks.size() > 1) {
                size -= blocks.pollFirstEntry().getValue().length;
                low = Math.max(low, blocks.firstKey() << PAGE_BITS);
                complete = false;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private static int[] merge(int[] known, List<Integer> more) {
        int before = known == null ? 0 : known.length;
        int[] all = known == null ? new int[more.size()] : Arrays.copyOf(known, before + more.size());
        for (int i = 0; i < more.size(); i++) {
            all[before + i] = more.get(i);
        }
        Arrays.sort(all);
        return all;
    }

    private Set<Integer> terms(LogPage page) {
        Set<Integer> terms = new HashSet<>();
        for (HistoryEntry entry : page.entries()) {
            if (entry.event() != null) {
                terms.add(hash(IndexTerm.event(entry.event())));
            }
            if (entry.group() != null) {
                terms.add(hash(IndexTerm.group(entry.group())));
                terms.add(hash(IndexTerm.tenant(entry.group().tenant())));
            }
            if (entry.rollout() != null) {
                terms.add(hash(IndexTerm.rollout(entry.rollout())));
            }
            entry.machines().forEach(machine -> terms.add(hash(IndexTerm.machine(machine))));
        }
        return terms;
    }

    /**
     * Finds pages next to a position that may contain all of some terms. Thread-safe.
     *
     * @param at pages before or after it are searched
     * @return null if these pages are not indexed
     */
    Found find(List<String> terms, long at, boolean up) {
        int[] hashes = terms.stream().mapToInt(this::hash).toArray();
        lock.readLock().lock();
        try {
            boolean covered = up ? at >= low - 1 && at < high : at > low && at <= high + 1;
            return covered ? search(hashes, at, up) : null;
        } finally {
            lock.readLock().unlock();
        }
    }

    private Found search(int[] hashes, long at, boolean up) {
        NavigableMap<Long, int[]> next = up
                ? blocks.tailMap(at + 1 >> PAGE_BITS, true)
                : blocks.headMap(at - 1 >> PAGE_BITS, true).descendingMap();
        long[] pages = new long[MOST_FOUND];
        int found = 0;
        for (Map.Entry<Long, int[]> block : next.entrySet()) {
            if (found > MOST_FOUND - 1 - PAGE_MASK) {
                return new Found(Arrays.copyOf(pages, found), pages[found - 1]);
            }
            long first = block.getKey() << PAGE_BITS;
            boolean[] hits = hits(block.getValue(), hashes);
            for (int i = 0; i <= PAGE_MASK; i++) {
                long commit = first + (up ? i : PAGE_MASK - i);
                boolean wanted = up ? commit > at && commit <= high : commit < at && commit >= low;
                if (wanted && hits[(int) (commit - first)]) {
                    pages[found++] = commit;
                }
            }
        }
        return new Found(Arrays.copyOf(pages, found), up ? high : low);
    }

    private static boolean[] hits(int[] block, int[] hashes) {
        boolean[] all = new boolean[PAGE_MASK + 1];
        Arrays.fill(all, true);
        for (int hash : hashes) {
            boolean[] these = new boolean[PAGE_MASK + 1];
            int at = Arrays.binarySearch(block, hash);
            for (int i = at < 0 ? -at - 1 : at; i < block.length && (block[i] & ~PAGE_MASK) == hash; i++) {
                these[block[i] & PAGE_MASK] = true;
            }
            for (int i = 0; i < all.length; i++) {
                all[i] &= these[i];
            }
        }
        return all;
    }

    /** The lowest bits are reserved for the page. */
    private int hash(String term) {
        long hash = seed;
        for (int i = 0; i < term.length(); i++) {
            hash = (hash ^ term.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        return (int) (hash >>> 32) & ~PAGE_MASK;
    }

    private static Row row(String key, byte[] value) {
        return new Row(Long.parseLong(key.substring(LogPage.PREFIX.length())), value);
    }

    private static long sum(byte[] value) {
        CRC32C sum = new CRC32C();
        sum.update(value);
        return sum.getValue();
    }
}
