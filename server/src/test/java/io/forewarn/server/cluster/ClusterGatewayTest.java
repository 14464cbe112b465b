package io.forewarn.server.cluster;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.CommitFeed.Beat;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.engine.Replica;
import io.forewarn.core.engine.SimulatedCommitFeed;
import io.forewarn.core.engine.SimulatedStore;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.core.engine.StoredTime;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.Rules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.records.JsonFormat;
import io.forewarn.server.forward.ReportForwarder;
import io.forewarn.server.forward.RequestSigner;
import io.forewarn.server.forward.WriterClient;
import io.forewarn.server.forward.WriterForwarder;
import io.forewarn.server.forward.WriterLocator;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.store.etcd.ClusterMembership;
import io.forewarn.store.etcd.EtcdAccess;
import io.forewarn.store.etcd.EtcdCluster;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who writes is chosen in a real etcd, what is written is simulated, and elapsed time stands still until it is moved. */
class ClusterGatewayTest {
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final String TOKEN = "token/eyes";

    @TempDir
    private Path folder;

    private final SimulatedStore.Disk disk = new SimulatedStore.Disk();
    private final List<LeaderElection> tenures = new ArrayList<>();
    private EtcdCluster etcd;

    @BeforeEach
    void startEtcd() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        etcd = EtcdCluster.start(folder, 1);
    }

    @AfterEach
    void end() {
        tenures.forEach(LeaderElection::close);
        if (etcd != null) {
            etcd.close();
        }
    }

    /** A node with its gateway and its election. */
    private final class Node implements Replica.Witness, EngineListener, MaintenanceDriver, ClusterGateway.TakeOver {
        final AtomicLong elapsed = new AtomicLong();
        final SimulatedStore store = new SimulatedStore(disk, SimulatedStore.SMALL);
        final ClusterClock time = new ClusterClock(elapsed::get, () -> Instant.EPOCH.plusNanos(elapsed.get()));
        final Log log = Log.to(line -> {}, LogFormat.LOGFMT);
        final ElectionObserver electionObserver = new ElectionObserver();
        final LeaderElection election =
                new LeaderElection(membership(), LEASE, time, elapsed::get, log, electionObserver);
        final Supplier<EventId> ids = () -> new EventId(UUID.randomUUID());
        final JsonFormat format = new JsonFormat();
        final ClusterGateway gateway = new ClusterGateway(
                new Replica(new SimulatedCommitFeed(disk), store, format, new PublishedState(), elapsed::get, this),
                new Rules(ServiceTerms.AZURE, ids),
                this,
                engine -> {},
                mark -> {},
                election,
                time,
                LEASE,
                elapsed::get,
                log);
        StoreException failure;
        Runnable meanwhile = () -> {};

        Node(String name) throws StoreException {
            tenures.add(election);
            election.join(name, "");
        }

        int turn() {
            return gateway.turn(new ClockReading(Instant.EPOCH, elapsed.get()));
        }

        @Override
        public Engine open(Replica replica, Duration timeout) throws StoreException {
            if (failure != null) {
                throw failure;
            }
            meanwhile.run();
            return Engine.over(
                    new Engine.Settings(ServiceTerms.AZURE, Duration.ZERO, Duration.ofDays(90)),
                    ids,
                    engineContext(),
                    replica,
                    timeout);
        }

        private EngineContext engineContext() {
            return new EngineContext(store, format, this, time, elapsed::get, this, () -> {});
        }

        @Override
        public void committed(LogPage page) {}

        @Override
        public void committed(LogPage page, int commands, long nanos) {}

        @Override
        public void reloaded(long head) {}

        @Override
        public void troubled(StoreException problem) {}

        @Override
        public void recovered() {}

        @Override
        public void start(DriverTask task) {}

        @Override
        public void status(DriverTask task) {}
    }

    private ClusterMembership membership() {
        return new ClusterMembership(EtcdAccess.to(etcd.urls(), "test/"), LEASE);
    }

    /** Waits until a node has looked at all there is in etcd once more, and did what follows. */
    private void awaitRound(Node node) throws Exception {
        for (String witness : List.of("first", "second")) {
            try (ClusterMembership other = membership()) {
                other.join(witness, "");
                eventually(() -> node.election.nodes().containsKey(witness));
            }
        }
    }

    @Test
    void aWriterWhoseLeaseRanOutIsAsOldAsTheLastBeatThatEtcdTook() throws Exception {
        Node node = new Node("one:1");
        disk.beat(new Beat(Instant.EPOCH, 0));
        node.turn();
        disk.beat(new Beat(Instant.EPOCH, 0));
        node.turn();
        assertEquals(Duration.ZERO, node.gateway.lag().orElseThrow());
        eventually(() -> {
            node.turn();
            return node.gateway.writes();
        });
        assertEquals(0, node.gateway.age());
        eventually(() -> node.election.lastBeatNanos() != null);
        node.elapsed.addAndGet(Duration.ofHours(1).toNanos());
        assertFalse(node.gateway.fresh(), "it slept, and another may have written since");
        assertEquals(3600, node.gateway.age());
        eventually(() -> {
            node.turn();
            return !node.gateway.writes();
        });
        assertEquals(Duration.ofHours(1), node.gateway.lag().orElseThrow());
    }

    /** Nobody answered meanwhile, so that no notice ran. */
    @Test
    void aWriterThatWasStoppedForLongerThanItsLeaseCountsThatWhenItWritesAgain() throws Exception {
        Node node = new Node("one:1");
        eventually(() -> {
            node.turn();
            return node.gateway.writes();
        });
        Duration stop = Duration.ofMinutes(5);
        node.elapsed.addAndGet(stop.toNanos());
        node.gateway.stalled(stop, node.time.now());
        node.turn();
        assertFalse(node.gateway.writes());
        AtomicReference<Duration> missed = new AtomicReference<>();
        node.meanwhile = () -> missed.set(Duration.between(
                node.time.unreadableSince(StoredTime.NONE).orElseThrow(),
                node.time.now().wall()));
        eventually(() -> {
            node.turn();
            return node.gateway.writes();
        });
        assertEquals(stop, missed.get());
        node.turn();
        node.turn();
        assertTrue(node.time.unreadableSince(StoredTime.NONE).isEmpty(), "it is written down");
    }

    @Test
    void messagesToAWriterThatStepsDownAreResentToTheNextOne() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            HttpServer next = vertx.createHttpServer()
                    .requestHandler(request -> request.response().end("{\"told\":[{\"events\":[],\"changes\":7}]}"))
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            String writer = "127.0.0.1:" + next.actualPort();
            Node node = new Node("one:1");
            WriterClient client = new WriterClient(
                    vertx,
                    new HttpClientOptions(),
                    new WriterLocator(
                            node.election::name, () -> Optional.of(writer), () -> false, n -> "a-life", () -> 0),
                    new RequestSigner(RequestSigner.fresh(), node.election::name, Instant::now));
            node.gateway.setForwarders(
                    client,
                    new WriterForwarder(vertx, client, Duration.ofHours(1), System::nanoTime),
                    new ReportForwarder(vertx, client));
            eventually(() -> {
                node.turn();
                return node.gateway.writes();
            });
            Actor machine = Actor.machine("default/web-1", "");
            CompletableFuture<CommandResult> said =
                    node.gateway.submit(new Command.Enable(new GroupId("default", "web"), machine));
            node.elapsed.addAndGet(Duration.ofHours(1).toNanos());
            node.turn();
            assertFalse(node.gateway.writes());
            assertEquals(CommandResult.NOTHING, said.get(60, TimeUnit.SECONDS));
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aNodeThatCannotTakeOverDoesNotStandForOneLease() throws Exception {
        Node one = new Node("one:1");
        one.failure = new StoreException(Kind.REJECTED, "not today");
        one.turn();
        one.turn();
        eventually(one.election::elected);
        one.turn();
        assertFalse(one.election.elected());
        Node two = new Node("two:2");
        two.election.allowCampaign();
        eventually(() -> {
            one.turn();
            return two.election.elected();
        });
        two.election.close();
        tenures.remove(two.election);
        one.elapsed.addAndGet(LEASE.toNanos());
        one.failure = null;
        eventually(() -> {
            one.turn();
            return one.gateway.writes();
        });
    }

    /** Else it would write, and never have a driver begin anything. */
    @Test
    void aNodeReelectedDuringTakeoverTakesOverAgain() throws Exception {
        Node node = new Node("one:1");
        node.meanwhile = () -> {
            node.meanwhile = () -> {};
            int before = node.electionObserver.changes;
            node.elapsed.addAndGet(LEASE.toNanos());
            eventually(() -> node.electionObserver.changes >= before + 2);
        };
        eventually(() -> {
            node.turn();
            return node.gateway.writes() && node.election.mayStartWork();
        });
    }

    @Test
    void aNodeThatCannotReadTheRecordsDoesNotStandForElection() throws Exception {
        Node two = new Node("two:2");
        two.election.allowCampaign();
        eventually(two.election::elected);
        Node one = new Node("one:1");
        one.turn();
        one.turn();
        SimulatedStore newer = new SimulatedStore(disk, SimulatedStore.SMALL);
        Head head = newer.claim();
        byte[] odd = "{\"of\":\"a newer release\"}".getBytes(StandardCharsets.UTF_8);
        newer.commit(Commit.of(head.seq() + 1, head.epoch(), Map.of(TOKEN, odd), List.of()));
        one.turn();
        assertEquals(Kind.UNREADABLE, one.gateway.trouble().orElseThrow().kind());
        two.election.close();
        tenures.remove(two.election);
        eventually(() -> one.election.writer().isEmpty());
        awaitRound(one);
        assertFalse(one.election.elected());
        newer.commit(Commit.of(head.seq() + 2, head.epoch(), Map.of(), List.of(TOKEN)));
        one.elapsed.addAndGet(LEASE.toNanos());
        eventually(() -> {
            one.turn();
            return one.gateway.writes();
        });
    }

    @Test
    void aReelectedWriterDoesNotCompactEtcdAtOnce() throws Exception {
        try (ClusterMembership outside = membership()) {
            outside.join("outside", "");
            long before = outside.revision();
            Node node = new Node("one:1");
            node.election.allowCampaign();
            eventually(node.election::elected);
            awaitRound(node);
            node.elapsed.addAndGet(LEASE.toNanos() + 1);
            eventually(node.election::elected);
            awaitRound(node);
            etcd.etcdctl("get", "anything", "--rev=" + before);
        }
    }
}
