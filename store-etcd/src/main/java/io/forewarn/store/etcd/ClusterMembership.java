package io.forewarn.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.lease.LeaseTimeToLiveResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.LeaseOption;
import io.etcd.jetcd.options.PutOption;
import io.forewarn.core.LostCommits;
import io.forewarn.core.engine.CommitFeed.Beat;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A node's place in the cluster: its lease, who else is there, and who writes. All that a node says of itself hangs on its lease
 * and is gone when the lease is. It has connections of its own, so that a commit that hangs does not hold up the lease.
 *
 * <p>Being the writer here only means that the others do not stand: what keeps an old writer from writing is the epoch in the
 * store's head. One thread at a time.
 */
public final class ClusterMembership implements AutoCloseable {
    private static final long NONE = 0;
    /** Who lives renews its lease twice a second. */
    private static final long RENEWED_SECONDS = 2;

    private final EtcdConnection connection;
    private final EtcdKeys keys;
    private final long ttl;
    private String name;
    private long lease = NONE;
    private volatile long elected = NONE;
    private long furthest;
    private boolean setBack;
    private boolean hadHead;
    private long commit = Long.MAX_VALUE;
    private Head stood;
    private String secret;
    private String damage;
    private String reported;

    /** @param lease how long this node counts as there after it was heard last; whole seconds */
    public ClusterMembership(EtcdAccess access, Duration lease) {
        this.connection = new EtcdConnection(access);
        this.keys = new EtcdKeys(access.prefix());
        this.ttl = lease.toSeconds();
    }

    /**
     * Takes a lease, and says under it where this node is. False if another node says that it is there: then nothing is said.
     *
     * @param about what no other node says of itself
     */
    public boolean join(String node, String about) throws StoreException {
        name = node;
        elected = NONE;
        lease = NONE;
        Optional<KeyValue> held = row(keys.node(node));
        // What this node said itself may be there still: in an attempt that was not answered, or under a lease that was
        // lost.
        if (held.isPresent() && !held.get().getValue().equals(EtcdKeys.of(about))) {
            return false;
        }
        Cmp unchanged = new Cmp(
                keys.node(node),
                Cmp.Op.EQUAL,
                CmpTarget.modRevision(held.map(KeyValue::getModRevision).orElse(0L)));
        long granted =
                connection.ask(client -> client.getLeaseClient().grant(ttl)).getID();
        boolean said = connection
                .ask(client -> client.getKVClient()
                        .txn()
                        .If(unchanged)
                        .Then(Op.put(keys.node(node), EtcdKeys.of(about), under(granted)))
                        .commit())
                .isSucceeded();
        if (said) {
            // Only now: a lease under which nothing was said is not worth keeping.
            lease = granted;
        } else {
            connection.ask(client -> client.getLeaseClient().revoke(granted));
        }
        return said;
    }

    /** Says once more, under the lease there is, where this node is: somebody took it away. Not if another says so now. */
    public void sayAgain(String about) throws StoreException {
        Cmp vacant = new Cmp(keys.node(name), Cmp.Op.EQUAL, CmpTarget.createRevision(0));
        connection.ask(client -> client.getKVClient()
                .txn()
                .If(vacant)
                .Then(Op.put(keys.node(name), EtcdKeys.of(about), under(lease)))
                .commit());
    }

    /** Whether a node that says it is there was heard within the last seconds: most of its lease is left. */
    public boolean isHeard(String node) throws StoreException {
        Optional<KeyValue> held = row(keys.node(node));
        if (held.isEmpty()) {
            return false;
        }
        long its = held.get().getLease();
        if (its == NONE) {
            return true; // Put there by hand: it does not end.
        }
        LeaseTimeToLiveResponse rest =
                connection.ask(client -> client.getLeaseClient().timeToLive(its, LeaseOption.DEFAULT));
        return rest.getTTL() >= Math.max(1, rest.getGrantedTTL() - RENEWED_SECONDS);
    }

    private static PutOption under(long lease) {
        return PutOption.builder().withLeaseId(lease).build();
    }

    /** Keeps the lease. False if it is gone, and with it all that was said: join again. */
    public boolean keep() throws StoreException {
        if (lease == NONE) {
            return false;
        }
        try {
            long kept = connection
                    .ask(client -> client.getLeaseClient().keepAliveOnce(lease))
                    .getTTL();
            if (kept > 0) {
                return true;
            }
        } catch (StoreException problem) {
            if (!isGone(problem)) {
                throw problem;
            }
        }
        lease = NONE;
        elected = NONE;
        return false;
    }

    /** The client says it without a code. */
    private static boolean isGone(StoreException problem) {
        return problem.getCause() != null
                && String.valueOf(problem.getCause().getMessage()).contains("lease not found");
    }

    /** Becomes the writer if there is none. True if this node is the writer now. */
    public boolean stand() throws StoreException {
        Cmp vacant = new Cmp(keys.writer(), Cmp.Op.EQUAL, CmpTarget.createRevision(0));
        TxnResponse answer = connection.ask(client -> client.getKVClient()
                .txn()
                .If(vacant)
                .Then(Op.put(keys.writer(), EtcdKeys.of(name), under(lease)))
                .Else(Op.get(keys.writer(), GetOption.DEFAULT))
                .commit());
        if (answer.isSucceeded()) {
            elected = answer.getHeader().getRevision();
        } else {
            // It may have been this node, in an attempt that was not answered.
            elected = answer.getGetResponses().get(0).getKvs().stream()
                    .filter(writer -> writer.getLease() == lease)
                    .map(KeyValue::getCreateRevision)
                    .findFirst()
                    .orElse(NONE);
        }
        return elected != NONE;
    }

    /** The revision at which this node was elected; 0 if it is not. Any thread. */
    public long electedAt() {
        return elected;
    }

    /** Tells all what time it is. False if this node is the writer no more. */
    public boolean beat(Beat beat) throws StoreException {
        Cmp still = new Cmp(keys.writer(), Cmp.Op.EQUAL, CmpTarget.createRevision(elected));
        return elected != NONE
                && connection
                        .ask(client -> client.getKVClient()
                                .txn()
                                .If(still)
                                .Then(Op.put(keys.time(), HeartbeatCodec.print(beat), PutOption.DEFAULT))
                                .commit())
                        .isSucceeded();
    }

    /** Which revision etcd is at. */
    public long revision() throws StoreException {
        return connection
                .ask(client -> client.getKVClient().get(keys.writer()))
                .getHeader()
                .getRevision();
    }

    /** Has etcd forget what was before a revision. Whoever is that far behind reads anew. */
    public void forgetBefore(long revision) throws StoreException {
        try {
            connection.ask(client -> client.getKVClient().compact(revision));
        } catch (StoreException problem) {
            if (EtcdErrors.codeOf(problem) != Status.Code.OUT_OF_RANGE) {
                throw problem;
            }
            // Somebody else was faster.
        }
    }

    /** Lets another write, without waiting for the lease to run out. */
    public void resign() throws StoreException {
        if (elected != NONE) {
            Cmp still = new Cmp(keys.writer(), Cmp.Op.EQUAL, CmpTarget.createRevision(elected));
            connection.ask(client -> client.getKVClient()
                    .txn()
                    .If(still)
                    .Then(Op.delete(keys.writer(), DeleteOption.DEFAULT))
                    .commit());
            elected = NONE;
        }
    }

    /** Who writes, if anybody does. Looks at the same time whether etcd still is what it was. */
    public Optional<String> writer() throws StoreException {
        TxnResponse seen = connection.ask(client -> client.getKVClient()
                .txn()
                .Then(
                        Op.get(keys.writer(), GetOption.DEFAULT),
                        Op.get(keys.head(), GetOption.DEFAULT),
                        Op.get(keys.secret(), GetOption.DEFAULT),
                        Op.get(keys.lost(), GetOption.DEFAULT))
                .commit());
        // Reads like this one are of what a majority has: they never go back by themselves.
        long revision = seen.getHeader().getRevision();
        setBack |= revision < furthest;
        furthest = revision;
        boolean hasHead = !seen.getGetResponses().get(1).getKvs().isEmpty();
        hadHead |= hasHead;
        damage = hadHead && !hasHead ? keys.headIsMissing(stood).getMessage() : null;
        commit = hasHead ? commit(seen.getGetResponses().get(1).getKvs()) : Long.MAX_VALUE;
        lookAfterSecret(text(seen, 2));
        reported = text(seen, 3)
                .filter(text -> text.matches("\\d{1,18} \\d{1,18}"))
                .orElse(null);
        return text(seen, 0);
    }

    /** What cannot be read is told by who reads the records. */
    private long commit(List<KeyValue> head) {
        try {
            stood = StoreHead.of(head).head();
            return stood.seq();
        } catch (StoreException unreadable) {
            return Long.MAX_VALUE;
        }
    }

    private static Optional<String> text(TxnResponse seen, int which) {
        return seen.getGetResponses().get(which).getKvs().stream().findFirst().map(row -> row.getValue()
                .toString(UTF_8));
    }

    /** A node that finds none makes another one, and is believed by nobody who knows the first. */
    private void lookAfterSecret(Optional<String> found) throws StoreException {
        if (secret == null) {
            return;
        }
        if (found.isEmpty()) {
            put(secret);
        } else if (!found.get().equals(secret) && damage == null) {
            damage = "the key " + keys.prefix()
                    + "secret in etcd was replaced: nodes started before that do not believe those started after. Restart all nodes, one after the other";
        }
    }

    /**
     * Whether etcd was set back to an earlier state since this was last asked.
     *
     * @param committed a commit that was known to be there before {@link #writer} was last asked
     */
    public boolean wasSetBack(long committed) {
        boolean was = setBack || commit < committed;
        setBack = false;
        return was;
    }

    /** Says for all to hear that the store lost commits: the node that writes may be one that never knew them. */
    public void reportLoss(LostCommits lost) throws StoreException {
        long first = reportedLoss().map(LostCommits::first).orElse(Long.MAX_VALUE);
        long last = reportedLoss().map(LostCommits::last).orElse(0L);
        String text = Math.min(first, lost.first()) + " " + Math.max(last, lost.last());
        connection.ask(client -> client.getKVClient().put(keys.lost(), EtcdKeys.of(text)));
        reported = text;
    }

    /** What some node said to be lost and no writer has written down; as of the last {@link #writer}. */
    public Optional<LostCommits> reportedLoss() {
        return Optional.ofNullable(reported)
                .map(text -> text.split(" "))
                .map(range -> new LostCommits(Long.parseLong(range[0]), Long.parseLong(range[1])));
    }

    /** It is written down now, unless more was said to be lost meanwhile. */
    public void forgetLoss(LostCommits noted) throws StoreException {
        Cmp same = new Cmp(keys.lost(), Cmp.Op.EQUAL, CmpTarget.value(EtcdKeys.of(noted.first() + " " + noted.last())));
        connection.ask(client -> client.getKVClient()
                .txn()
                .If(same)
                .Then(Op.delete(keys.lost(), DeleteOption.DEFAULT))
                .commit());
    }

    /** What is wrong with the keys that all nodes share; empty if nothing is. */
    public Optional<String> damage() {
        return Optional.ofNullable(damage);
    }

    /** What the last writer said, whenever that was. */
    public Optional<Beat> lastBeat() throws StoreException {
        List<KeyValue> found =
                connection.ask(client -> client.getKVClient().get(keys.time())).getKvs();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(HeartbeatCodec.parse(found.get(0).getValue()));
    }

    /** All nodes that are there, with what each says of itself. */
    public Map<String, String> nodes() throws StoreException {
        return under(keys.node(""));
    }

    /** Says what this node's clock says; gone with its lease. */
    public void sayClock(String text) throws StoreException {
        if (lease != NONE) {
            connection.ask(client -> client.getKVClient().put(keys.clock(name), EtcdKeys.of(text), under(lease)));
        }
    }

    /** What each node's clock says, by node. */
    public Map<String, String> clocks() throws StoreException {
        return under(keys.clock(""));
    }

    private Map<String, String> under(ByteSequence low) throws StoreException {
        Map<String, String> nodes = new TreeMap<>();
        for (KeyValue row : new RangeReader(connection).all(low, EtcdKeys.end(low))) {
            nodes.put(
                    row.getKey().toString(UTF_8).substring(low.toString(UTF_8).length()),
                    row.getValue().toString(UTF_8));
        }
        return nodes;
    }

    /** What all nodes know and nobody else. The first node makes it. */
    public String secret(String fresh) throws StoreException {
        put(fresh);
        secret = value(keys.secret())
                .orElseThrow(() -> new StoreException(Kind.REJECTED, "the secret of the cluster is gone from etcd"));
        return secret;
    }

    /** If there is no secret. */
    private void put(String fresh) throws StoreException {
        Cmp vacant = new Cmp(keys.secret(), Cmp.Op.EQUAL, CmpTarget.createRevision(0));
        connection.ask(client -> client.getKVClient()
                .txn()
                .If(vacant)
                .Then(Op.put(keys.secret(), EtcdKeys.of(fresh), PutOption.DEFAULT))
                .commit());
    }

    private Optional<String> value(ByteSequence key) throws StoreException {
        return row(key).map(row -> row.getValue().toString(UTF_8));
    }

    private Optional<KeyValue> row(ByteSequence key) throws StoreException {
        return connection.ask(client -> client.getKVClient().get(key)).getKvs().stream()
                .findFirst();
    }

    /** Keeps the lease no more: what was said under it is gone when it runs out. For who can take nothing back himself. */
    public void abandon() {
        lease = NONE;
        elected = NONE;
    }

    /** Gives the lease back: the others need not wait until it runs out. */
    @Override
    public void close() {
        try {
            if (lease != NONE) {
                connection.ask(client -> client.getLeaseClient().revoke(lease));
            }
        } catch (StoreException gone) {
            // It runs out by itself.
        } finally {
            connection.close();
        }
    }
}
