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
 * Stores records in etcd, each under its own key.
 *
 * <p><b>Fencing.</b> One key, the head, contains the last commit and the newest writer. Every write is a transaction
 * that succeeds only if the head still has the expected revision, and that writes the head again. So commits follow
 * each other without gap or repetition, and a replaced writer cannot write: the claim of the next writer changed the
 * head.
 *
 * <p><b>Uncertain commits.</b> A request without a response may still be in flight, and may arrive after the next read.
 * So {@link #recover} does not only read: if the head is unchanged, it writes it again. From then on the late request
 * expects a revision that is gone, and the result of recover stays true.
 *
 * <p><b>Reading.</b> Scans read page after page as of one revision, and pass each page to the visitor before they request
 * the next. Reads are linearizable: they never miss an acknowledged commit.
 */
public final class EtcdStore implements Store {
    /**
     * etcd accepts 128 operations and 1.5 MiB per transaction; the head is one more operation, and the prefix makes
     * every key longer.
     */
    static final Limits LIMITS = new Limits(127, 1 << 20);

    private final EtcdConnection connection;
    private final EtcdKeys keys;

    /** The head after the last write or read; null if unknown. */
    private StoreHead known;

    /** The furthest head that this instance has seen. */
    private Head furthest = new Head(0, 0);

    private LongSupplier election;

    /** Whether a commit may still arrive. */
    private boolean doubtful;

    private EtcdStore(EtcdConnection connection, EtcdKeys keys) {
        this.connection = connection;
        this.keys = keys;
    }

    /**
     * Connects to etcd and checks that the store in it, if there is one, can be read.
     *
     * @throws StoreException rejected if it cannot be reached or refuses access, unreadable if a newer release or
     *     another program wrote there
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
     * From now on a claim succeeds only while this node is the elected writer: a node that was suspended since its
     * election would otherwise fence its successor.
     *
     * @param at supplies the revision of its election; 0 if it is not elected
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
            // Another writer claimed at the same time, and was first.
        }
    }

    private static StoreException notElected() {
        return new StoreException(
                Kind.FENCED, "this node is no longer the elected writer and does not claim the store");
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
                    Kind.REJECTED, "the outcome of the last commit is unknown; the store must be recovered first");
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
                        "the store in etcd was changed from outside; commit " + commit.seq() + " was not written");
            }
            // Only this writer commits in its epoch, and this is not the previous commit: the client sent it twice.
            known = now;
        }
    }

    /**
     * Reads the head that made the transaction fail. If that fails, it is unknown whether another writer or this commit
     * itself wrote it.
     */
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
                // The next commit reads the head again, and does not take it for its own.
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
                    "the store in etcd is at commit " + head.seq() + " of writer " + head.epoch() + ": commit "
                            + commit.seq() + " of writer " + commit.epoch() + " does not follow");
        }
    }

    private List<Op> operations(Commit commit) {
        List<Op> operations = new ArrayList<>();
        // etcd does not accept a key twice in one transaction.
        Set<String> deletes = new LinkedHashSet<>(commit.deletes());
        deletes.removeAll(commit.puts().keySet());
        deletes.forEach(key -> operations.add(Op.delete(keys.record(key), DeleteOption.DEFAULT)));
        commit.puts()
                .forEach((key, value) ->
                        operations.add(Op.put(keys.record(key), ByteSequence.from(value), PutOption.DEFAULT)));
        return operations;
    }

    /** Writes if the head is still the expected one; null if it is not. */
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
            // The head has moved, so that writes that expect the old one can no longer succeed.
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
                // If the late commit or another writer was faster, it moved the head: nothing can arrive any more.
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
            throw new StoreException(Kind.REJECTED, "the store in etcd is already beyond commit " + seq);
        }
    }

    /** Loading the client classes may exceed the timeout of the first request, which is therefore retried once. */
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
                            + now.head().epoch()
                            + ": perhaps a snapshot was restored. This node reads everything again");
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
