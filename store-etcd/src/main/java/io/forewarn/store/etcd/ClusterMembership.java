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
 * Manages a node's membership in the cluster: its lease, the other nodes, and the election of the writer. All that a
 * node publishes is bound to its lease and expires with it. Uses its own connections, so that a commit that hangs does
 * not delay the renewal of the lease.
 *
 * <p>Being elected here only means that no other node is: what fences an old writer is the epoch in the
 * store's head. Not thread-safe.
 */
public final class ClusterMembership implements AutoCloseable {
    private static final long NONE = 0;
    /** A running node renews its lease twice a second. */
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

    /** @param lease how long this node counts as alive after its last renewal; whole seconds */
    public ClusterMembership(EtcdAccess access, Duration lease) {
        this.connection = new EtcdConnection(access);
        this.keys = new EtcdKeys(access.prefix());
        this.ttl = lease.toSeconds();
    }

    /**
     * Acquires a lease and publishes this node under it. False if another node has published the same name; then
     * nothing is published.
     *
     * @param about the description of this node, which is unique
     */
    public boolean join(String node, String about) throws StoreException {
        name = node;
        elected = NONE;
        lease = NONE;
        Optional<KeyValue> held = row(keys.node(node));
        // This node's own entry may still exist: from an attempt without a response, or under a lost lease.
        if (held.isPresent() && !held.get().getValue().equals(EtcdKeys.of(about))) {
            return false;
        }
        Cmp unchanged = new Cmp(
                keys.node(node),
                Cmp.Op.EQUAL,
                CmpTarget.modRevision(held.map(KeyValue::getModRevision).orElse(0L)));
        long granted =
                connection.ask(client -> client.getLeaseClient().grant(ttl)).getID();
        boolean published = connection
                .ask(client -> client.getKVClient()
                        .txn()
                        .If(unchanged)
                        .Then(Op.put(keys.node(node), EtcdKeys.of(about), under(granted)))
                        .commit())
                .isSucceeded();
        if (published) {
            // Only now: a lease without an entry is not worth keeping.
            lease = granted;
        } else {
            connection.ask(client -> client.getLeaseClient().revoke(granted));
        }
        return published;
    }

    /**
     * Publishes this node again under its current lease, after its entry was deleted from outside. Does nothing if
     * another node has published the same name.
     */
    public void publishAgain(String about) throws StoreException {
        Cmp vacant = new Cmp(keys.node(name), Cmp.Op.EQUAL, CmpTarget.createRevision(0));
        connection.ask(client -> client.getKVClient()
                .txn()
                .If(vacant)
                .Then(Op.put(keys.node(name), EtcdKeys.of(about), under(lease)))
                .commit());
    }

    /** Whether a published node renewed its lease within the last seconds: most of the lease is left. */
    public boolean isAlive(String node) throws StoreException {
        Optional<KeyValue> held = row(keys.node(node));
        if (held.isEmpty()) {
            return false;
        }
        long its = held.get().getLease();
        if (its == NONE) {
            return true; // Written by hand, without a lease: it does not expire.
        }
        LeaseTimeToLiveResponse rest =
                connection.ask(client -> client.getLeaseClient().timeToLive(its, LeaseOption.DEFAULT));
        return rest.getTTL() >= Math.max(1, rest.getGrantedTTL() - RENEWED_SECONDS);
    }

    private static PutOption under(long lease) {
        return PutOption.builder().withLeaseId(lease).build();
    }

    /** Renews the lease. False if it has expired, and with it all published entries: the node has to join again. */
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

    /** The client reports it without a status code. */
    private static boolean isGone(StoreException problem) {
        return problem.getCause() != null
                && String.valueOf(problem.getCause().getMessage()).contains("lease not found");
    }

    /** Stands for election. True if this node is the writer now. */
    public boolean campaign() throws StoreException {
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
            // This node may have been elected in an attempt without a response.
            elected = answer.getGetResponses().get(0).getKvs().stream()
                    .filter(writer -> writer.getLease() == lease)
                    .map(KeyValue::getCreateRevision)
                    .findFirst()
                    .orElse(NONE);
        }
        return elected != NONE;
    }

    /** The revision at which this node was elected; 0 if it is not. Thread-safe. */
    public long electedAt() {
        return elected;
    }

    /** Publishes the writer's heartbeat, with the time. False if this node is no longer the writer. */
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

    /** The current revision of etcd. */
    public long revision() throws StoreException {
        return connection
                .ask(client -> client.getKVClient().get(keys.writer()))
                .getHeader()
                .getRevision();
    }

    /** Compacts etcd up to a revision. Followers that are further behind read everything again. */
    public void forgetBefore(long revision) throws StoreException {
        try {
            connection.ask(client -> client.getKVClient().compact(revision));
        } catch (StoreException problem) {
            if (EtcdErrors.codeOf(problem) != Status.Code.OUT_OF_RANGE) {
                throw problem;
            }
            // Another node was faster.
        }
    }

    /** Resigns as the writer, so that another node can take over before the lease expires. */
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

    /** The current writer, if any. Also checks whether etcd was set back or its keys were changed. */
    public Optional<String> writer() throws StoreException {
        TxnResponse seen = connection.ask(client -> client.getKVClient()
                .txn()
                .Then(
                        Op.get(keys.writer(), GetOption.DEFAULT),
                        Op.get(keys.head(), GetOption.DEFAULT),
                        Op.get(keys.secret(), GetOption.DEFAULT),
                        Op.get(keys.lost(), GetOption.DEFAULT))
                .commit());
        // Linearizable reads never go back by themselves.
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

    /** An unreadable head is reported by the reader of the records. */
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

    /** A node that finds no secret creates another one, which nodes with the first one do not accept. */
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
     * Whether etcd was set back to an earlier state since the last call.
     *
     * @param committed a commit that was known to exist before {@link #writer} was last called
     */
    public boolean wasSetBack(long committed) {
        boolean was = setBack || commit < committed;
        setBack = false;
        return was;
    }

    /** Publishes that the store lost commits: the writer may be a node that never knew them. */
    public void reportLoss(LostCommits lost) throws StoreException {
        long first = reportedLoss().map(LostCommits::first).orElse(Long.MAX_VALUE);
        long last = reportedLoss().map(LostCommits::last).orElse(0L);
        String text = Math.min(first, lost.first()) + " " + Math.max(last, lost.last());
        connection.ask(client -> client.getKVClient().put(keys.lost(), EtcdKeys.of(text)));
        reported = text;
    }

    /** A published loss that no writer has recorded yet; as of the last {@link #writer}. */
    public Optional<LostCommits> reportedLoss() {
        return Optional.ofNullable(reported)
                .map(text -> text.split(" "))
                .map(range -> new LostCommits(Long.parseLong(range[0]), Long.parseLong(range[1])));
    }

    /** Removes a published loss once it is recorded, unless more losses were published meanwhile. */
    public void forgetLoss(LostCommits noted) throws StoreException {
        Cmp same = new Cmp(keys.lost(), Cmp.Op.EQUAL, CmpTarget.value(EtcdKeys.of(noted.first() + " " + noted.last())));
        connection.ask(client -> client.getKVClient()
                .txn()
                .If(same)
                .Then(Op.delete(keys.lost(), DeleteOption.DEFAULT))
                .commit());
    }

    /** What is wrong with the keys that all nodes share; empty if nothing. */
    public Optional<String> damage() {
        return Optional.ofNullable(damage);
    }

    /** The last heartbeat of a writer, however old. */
    public Optional<Beat> lastBeat() throws StoreException {
        List<KeyValue> found =
                connection.ask(client -> client.getKVClient().get(keys.time())).getKvs();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(HeartbeatCodec.parse(found.get(0).getValue()));
    }

    /** All published nodes with their descriptions. */
    public Map<String, String> nodes() throws StoreException {
        return under(keys.node(""));
    }

    /** Publishes the time of this node's clock; expires with its lease. */
    public void publishClock(String text) throws StoreException {
        if (lease != NONE) {
            connection.ask(client -> client.getKVClient().put(keys.clock(name), EtcdKeys.of(text), under(lease)));
        }
    }

    /** The published clock readings, by node. */
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

    /** The secret that only the nodes of the cluster know. The first node creates it. */
    public String secret(String fresh) throws StoreException {
        put(fresh);
        secret = value(keys.secret())
                .orElseThrow(() -> new StoreException(Kind.REJECTED, "the secret of the cluster is gone from etcd"));
        return secret;
    }

    /** Creates the secret if there is none. */
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

    /** Stops renewing the lease, so that all entries expire with it. For a node that cannot delete them itself. */
    public void abandon() {
        lease = NONE;
        elected = NONE;
    }

    /** Revokes the lease, so that other nodes need not wait until it expires. */
    @Override
    public void close() {
        try {
            if (lease != NONE) {
                connection.ask(client -> client.getLeaseClient().revoke(lease));
            }
        } catch (StoreException gone) {
            // It expires by itself.
        } finally {
            connection.close();
        }
    }
}
