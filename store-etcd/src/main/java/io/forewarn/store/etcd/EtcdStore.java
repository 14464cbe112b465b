package io.forewarn.store.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Records in etcd, each under a key of its own.
 *
 * <p><b>Guards.</b> One key, the head, says which commit was the last and which writer the newest. Every write is a transaction
 * that holds only if the head is still the one it is founded on, by its revision, and that writes the head anew. So commits
 * follow each other without gap or repetition, and whoever was replaced can write nothing: the claim of the next writer changed
 * the head.
 *
 * <p><b>Uncertain commits.</b> A request that was not answered may still be on its way, and may arrive after the next read. So
 * {@link #recover} does not only read: if the head is the old one, it writes the head as it is. From then on the late request
 * is founded on a revision that is gone, and what recover said stays true.
 *
 * <p><b>Reading.</b> Scans ask for page after page as of one revision, and show each page to the visitor before they ask for
 * the next. They see what a majority of members has, never less than what was acknowledged.
 */
public final class EtcdStore implements Store {
    /** etcd takes 128 operations and 1.5 MiB in one transaction; the head is one more, and every key is longer by the prefix. */
    static final Limits LIMITS = new Limits(127, 1 << 20);

    private final EtcdConnection connection;
    private final EtcdKeys keys;

    /** What the last write, or reading, left; null if that is not known. */
    private StoreHead known;

    /** How far the store has been, as far as this one knows. */
    private Head furthest = new Head(0, 0);

    private LongSupplier election;

    /** A commit that may still arrive. */
    private boolean doubtful;

    private EtcdStore(EtcdConnection connection, EtcdKeys keys) {
        this.connection = connection;
        this.keys = keys;
    }

    /**
     * Finds etcd and looks whether the store in it, if there is one, can be read.
     *
     * @throws StoreException rejected if it cannot be reached or does not let us in, unreadable if a newer release or another
     *     program wrote there
     */
    public static EtcdStore open(EtcdAccess access) throws StoreException {
        EtcdConnection connection = new EtcdConnection(access);
        try {
            EtcdStore store = new EtcdStore(connection, new EtcdKeys(access.prefix()));
            store.known = store.firstLook();
            return store;
        } catch (StoreException | RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    /**
     * From now on a claim holds only while this node is the elected writer: one that was stopped since it was elected would
     * fence the node that was elected after it.
     *
     * @param at the revision of its election; 0 if it is not elected
     */
    public synchronized void claimsWhileElected(LongSupplier at) {
        election = at;
    }

    @Override
    public synchronized Head claim() throws StoreException {
        while (true) {
            long elected = election == null ? 0 : election.getAsLong();
            if (election != null && elected == 0) {
                throw notElected();
            }
            StoreHead now = readHead();
            known = now;
            Head claimed = new Head(now.head().seq(), now.head().epoch() + 1);
            List<Cmp> still = election == null
                    ? List.of()
                    : List.of(new Cmp(keys.writer(), Cmp.Op.EQUAL, CmpTarget.createRevision(elected)));
            if (write(now, claimed, List.of(), still) != null) {
                return claimed;
            }
            if (election != null && readHead().revision() == now.revision()) {
                throw notElected();
            }
            // Another claimed at the same time, and was first.
        }
    }

    private static StoreException notElected() {
        return new StoreException(
                Kind.FENCED, "this node is not the elected writer any more; it leaves the store to the one that is");
    }

    @Override
    public synchronized void commit(Commit commit) throws StoreException {
        if (commit.operations() > LIMITS.operations() || commit.bytes() > LIMITS.bytes()) {
            throw new StoreException(
                    Kind.REJECTED,
                    "the commit has " + commit.operations() + " operations and " + commit.bytes() + " bytes; at most "
                            + LIMITS.operations() + " and " + LIMITS.bytes() + " are taken at once");
        }
        if (doubtful) {
            throw new StoreException(
                    Kind.REJECTED, "what became of the last commit is not known; the store must be recovered first");
        }
        if (known == null || !follows(commit, known.head())) {
            known = readHead();
            check(commit, known.head());
        }
        Head next = new Head(commit.seq(), commit.epoch());
        if (writeNext(next, operations(commit)) == null) {
            StoreHead now = whatTheGuardMet();
            if (!next.equals(now.head())) {
                known = now;
                check(commit, now.head());
                throw new StoreException(
                        Kind.REJECTED,
                        "the store in etcd was touched from outside; commit " + commit.seq() + " was not written");
            }
            // Only this writer writes commits of its epoch, and this one is not the one before: the client sent it
            // twice.
            known = now;
        }
    }

    /** Whoever cannot look does not know whether it was another writer, or this commit itself. */
    private StoreHead whatTheGuardMet() throws StoreException {
        try {
            return readHead();
        } catch (StoreException unseen) {
            throw uncertain(unseen);
        }
    }

    private StoreHead writeNext(Head next, List<Op> operations) throws StoreException {
        try {
            return write(known, next, operations);
        } catch (StoreException problem) {
            if (problem.kind() != Kind.UNCERTAIN) {
                // The next commit looks anew where the store stands, and does not take what it finds for its own.
                known = null;
            }
            throw problem;
        }
    }

    private static boolean follows(Commit commit, Head head) {
        return commit.epoch() == head.epoch() && commit.seq() == head.seq() + 1;
    }

    private static void check(Commit commit, Head head) throws StoreException {
        if (commit.epoch() < head.epoch()) {
            throw new StoreException(
                    Kind.FENCED,
                    "writer " + commit.epoch() + " of the store in etcd was replaced by writer " + head.epoch());
        }
        if (!follows(commit, head)) {
            throw new StoreException(
                    Kind.REJECTED,
                    "the store in etcd stands at commit " + head.seq() + " of writer " + head.epoch() + ": commit "
                            + commit.seq() + " of writer " + commit.epoch() + " does not follow");
        }
    }

    private List<Op> operations(Commit commit) {
        List<Op> operations = new ArrayList<>();
        // etcd takes no key twice in one transaction.
        Set<String> deletes = new LinkedHashSet<>(commit.deletes());
        deletes.removeAll(commit.puts().keySet());
        deletes.forEach(key -> operations.add(Op.delete(keys.record(key), DeleteOption.DEFAULT)));
        commit.puts()
                .forEach((key, value) ->
                        operations.add(Op.put(keys.record(key), ByteSequence.from(value), PutOption.DEFAULT)));
        return operations;
    }

    /** Writes if the store still stands where it was thought to stand; null if it does not. */
    private StoreHead write(StoreHead before, Head after, List<Op> operations) throws StoreException {
        return write(before, after, operations, List.of());
    }

    private StoreHead write(StoreHead before, Head after, List<Op> operations, List<Cmp> conditions)
            throws StoreException {
        List<Op> all = new ArrayList<>(operations);
        all.add(Op.put(keys.head(), StoreHead.print(after), PutOption.DEFAULT));
        List<Cmp> guards = new ArrayList<>(conditions);
        guards.add(new Cmp(keys.head(), Cmp.Op.EQUAL, CmpTarget.modRevision(before.revision())));
        boolean doubtfulBefore = doubtful;
        doubtful = true;
        try {
            TxnResponse written = connection.askOnce(client -> client.getKVClient()
                    .txn()
                    .If(guards.toArray(Cmp[]::new))
                    .Then(all.toArray(Op[]::new))
                    .commit());
            // Whoever moved the head: what was founded on the old one cannot arrive any more.
            doubtful = false;
            known = written.isSucceeded()
                    ? new StoreHead(after, written.getHeader().getRevision())
                    : null;
            furthest = written.isSucceeded() ? after : furthest;
            return known;
        } catch (StoreException problem) {
            doubtful = doubtfulBefore || problem.kind() == Kind.UNCERTAIN;
            throw problem;
        }
    }

    @Override
    public synchronized Head recover() throws StoreException {
        try {
            StoreHead now = readHead();
            if (doubtful && now.revision() == known.revision()) {
                StoreHead barred = write(now, now.head(), List.of());
                // Whoever was faster, the late commit or another writer, moved the head: nothing can arrive any more.
                now = barred == null ? readHead() : barred;
            }
            doubtful = false;
            known = now;
            return now.head();
        } catch (StoreException problem) {
            throw uncertain(problem);
        }
    }

    private static StoreException uncertain(StoreException problem) {
        return problem.kind() == Kind.UNREADABLE || problem.kind() == Kind.FENCED
                ? problem
                : new StoreException(Kind.UNCERTAIN, problem.getMessage(), problem);
    }

    @Override
    public synchronized void skipTo(long seq) throws StoreException {
        StoreHead now = readHead();
        if (seq < now.head().seq() || write(now, new Head(seq, now.head().epoch()), List.of()) == null) {
            throw new StoreException(Kind.REJECTED, "the store in etcd stands beyond commit " + seq);
        }
    }

    /** Loading the client for the first time may take longer than a request: who comes late then is given a second chance. */
    private StoreHead firstLook() throws StoreException {
        try {
            return readHead();
        } catch (StoreException late) {
            return readHead();
        }
    }

    private StoreHead readHead() throws StoreException {
        StoreHead now = StoreHead.of(
                connection.ask(client -> client.getKVClient().get(keys.head())).getKvs());
        Head before = furthest;
        if (now.revision() == 0 && before.epoch() > 0) {
            throw keys.headIsMissing(before);
        }
        furthest = now.head();
        if (now.head().seq() < before.seq() || now.head().epoch() < before.epoch()) {
            known = null;
            doubtful = false;
            throw new StoreException(
                    Kind.FENCED,
                    "the store in etcd was set back from commit " + before.seq() + " of writer " + before.epoch()
                            + " to commit " + now.head().seq() + " of writer "
                            + now.head().epoch() + ": perhaps a snapshot was restored. This node reads it anew");
        }
        return now;
    }

    @Override
    public void scan(String prefix, String after, int limit, BiConsumer<String, byte[]> visitor) throws StoreException {
        ByteSequence low = keys.record(prefix);
        ByteSequence high = EtcdKeys.end(low);
        ByteSequence behind = after == null || after.isEmpty() ? low : EtcdKeys.following(keys.record(after));
        ByteSequence from = EtcdKeys.isBefore(low, behind) ? behind : low;
        RangeReader rangeReader = new RangeReader(connection);
        int left = limit;
        for (List<KeyValue> page = rangeReader.read(from, high, left);
                !page.isEmpty();
                page = rangeReader.read(from, high, left)) {
            from = EtcdKeys.following(page.get(page.size() - 1).getKey());
            left -= page.size();
            show(page, visitor);
        }
    }

    @Override
    public void scanDown(String prefix, String before, int limit, BiConsumer<String, byte[]> visitor)
            throws StoreException {
        ByteSequence low = keys.record(prefix);
        ByteSequence end = EtcdKeys.end(low);
        ByteSequence bound = before == null || before.isEmpty() ? end : keys.record(before);
        ReverseScan down =
                new ReverseScan(new RangeReader(connection), low, EtcdKeys.isBefore(bound, end) ? bound : end);
        int left = limit;
        for (List<KeyValue> page = down.read(left); !page.isEmpty(); page = down.read(left)) {
            left -= page.size();
            show(page, visitor);
        }
    }

    private void show(List<KeyValue> page, BiConsumer<String, byte[]> visitor) {
        page.forEach(
                row -> visitor.accept(keys.name(row.getKey()), row.getValue().getBytes()));
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public String toString() {
        return "etcd:" + keys.prefix();
    }
}
