package io.forewarn.server.cluster;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommitFeed.Beat;
import io.forewarn.core.engine.StoreException;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.ClockSettings.Kind;
import io.forewarn.store.etcd.ClusterMembership;
import io.forewarn.store.etcd.EtcdAccess;
import io.forewarn.store.etcd.EtcdCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderElectionTest {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final ElectionObserver electionObserver = new ElectionObserver();

    /** It could not tell in time that etcd had kept its lease. Nobody else can stand then, so it must. */
    @Test
    void aNodeThatLostWhileEtcdStillTakesItForTheWriterStandsAgain() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        AtomicLong ahead = new AtomicLong();
        LongSupplier elapsed = () -> System.nanoTime() + ahead.get();
        List<String> log = new CopyOnWriteArrayList<>();
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                LeaderElection election = new LeaderElection(
                        new ClusterMembership(EtcdAccess.to(etcd.urls(), "test/"), LEASE),
                        LEASE,
                        new ClusterClock(elapsed, Instant::now),
                        elapsed,
                        Log.to(log::add, LogFormat.LOGFMT),
                        electionObserver)) {
            election.join("127.0.0.1:1", "");
            election.allowCampaign();
            eventually(election::elected);
            assertFalse(election.mayStartWork());
            election.becomeLeader();
            eventually(election::mayStartWork);
            eventually(() -> {
                ahead.addAndGet(LEASE.toNanos());
                return log.stream().anyMatch(line -> line.contains("its lease expired"));
            });
            eventually(election::elected);
            assertFalse(election.mayStartWork(), "what was begun before is not let go of yet");
        }
    }

    @Test
    void aNodeWhoseKeyWasDeletedPublishesItselfAgain() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                ClusterMembership other = new ClusterMembership(patient(etcd), LONG);
                LeaderElection election = election(etcd, new AtomicLong())) {
            election.join("127.0.0.1:1", "here");
            etcd.etcdctl("del", "test/node/127.0.0.1:1");
            eventually(() -> isThere(other));
        }
    }

    private static boolean isThere(ClusterMembership other) {
        try {
            return "here".equals(other.nodes().get("127.0.0.1:1"));
        } catch (StoreException notNow) {
            return false;
        }
    }

    @Test
    void aNodeWhoseClockIsOffReportsItWhileAnotherIsTheWriter() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        AtomicLong off = new AtomicLong();
        ClusterClock time =
                new ClusterClock(System::nanoTime, () -> Instant.now().plusSeconds(off.get()));
        List<String> log = new CopyOnWriteArrayList<>();
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                LeaderElection election = new LeaderElection(
                        new ClusterMembership(EtcdAccess.to(etcd.urls(), "test/"), LEASE),
                        LEASE,
                        time,
                        System::nanoTime,
                        Log.to(log::add, LogFormat.LOGFMT),
                        electionObserver)) {
            election.join("127.0.0.1:1", "");
            time.heard(new Beat(Instant.now(), 1), System.nanoTime());
            off.set(-3600);
            eventually(() -> log.stream().anyMatch(line -> line.contains("what=clock-off by=3")));
            off.set(7200);
            eventually(() -> log.stream().anyMatch(line -> line.contains("what=clock-off by=7")));
        }
    }

    private static EtcdAccess patient(EtcdCluster etcd) {
        return new EtcdAccess(etcd.urls(), "test/", Optional.empty(), Optional.empty(), Optional.empty(), LONG);
    }

    /** Elapsed time stands still until it is moved. */
    private LeaderElection election(EtcdCluster etcd, AtomicLong elapsed) {
        return new LeaderElection(
                new ClusterMembership(patient(etcd), LONG),
                LONG,
                new ClusterClock(elapsed::get, () -> Instant.EPOCH),
                elapsed::get,
                line -> {},
                electionObserver);
    }

    @Test
    void ofTwoThatComeAtOnceOneSeesTheOtherBeforeItStands() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                ClusterMembership other = new ClusterMembership(patient(etcd), LONG);
                LeaderElection election = election(etcd, new AtomicLong())) {
            election.allowCampaign();
            JoinCheck joinCheck = new JoinCheck("127.0.0.1:1", Kind.SYSTEM);
            assertThrows(
                    RefusedException.class,
                    () -> election.join("127.0.0.1:1", "", nodes -> {
                        joinCheck.look(nodes);
                        if (nodes.isEmpty()) {
                            comesNow(other);
                        }
                    }));
            assertFalse(election.elected());
            assertEquals(Optional.empty(), other.writer());
        }
    }

    private static void comesNow(ClusterMembership other) {
        try {
            other.join("127.0.0.1:2", new NodeInfo("127.0.0.1:3", "a", "0.1", 1, "manual", null).text());
        } catch (StoreException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    /** It lost, and its key in etcd is there still; whoever wrote here gives up before this node has stood again. */
    @Test
    void resigningDuringARoundDoesNotEndTheNextTerm() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        AtomicLong elapsed = new AtomicLong();
        List<Boolean> elected = new CopyOnWriteArrayList<>();
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                LeaderElection election = election(etcd, elapsed)) {
            election.join("127.0.0.1:1", "");
            election.allowCampaign();
            eventually(election::elected);
            int before = electionObserver.changes;
            electionObserver.looks = nodes -> {
                if (electionObserver.changes > before) {
                    electionObserver.looks = next -> {
                        electionObserver.looks = later -> {};
                        elected.add(election.elected());
                    };
                    election.resign();
                }
            };
            elapsed.addAndGet(LONG.toNanos());
            eventually(() -> !elected.isEmpty());
            assertEquals(List.of(false), elected, "it takes itself for elected while etcd is told that it is not");
            eventually(election::elected);
            assertHasWhatItWasElectedTo(etcd, election);
        }
    }

    @Test
    void resigningDuringARequestToEtcdPreventsTheTerm() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                LeaderElection election = election(etcd, new AtomicLong())) {
            CompletableFuture<Thread> asking = new CompletableFuture<>();
            electionObserver.looks = nodes -> {
                electionObserver.looks = later -> {};
                pause(etcd);
                asking.complete(Thread.currentThread());
            };
            election.allowCampaign();
            election.join("127.0.0.1:1", "");
            Thread thread = asking.get(60, TimeUnit.SECONDS);
            eventually(() -> List.of(thread.getStackTrace()).stream()
                    .anyMatch(frame ->
                            frame.getClassName().equals(ClusterMembership.class.getName()) && isCampaigning(frame)));
            List<Boolean> elected = new CopyOnWriteArrayList<>();
            electionObserver.looks = nodes -> elected.add(election.elected());
            election.resign();
            etcd.resume(0);
            eventually(() -> !elected.isEmpty());
            assertFalse(elected.get(0), "it takes itself for elected after it has resigned");
            eventually(election::elected);
            assertHasWhatItWasElectedTo(etcd, election);
        }
    }

    private static boolean isCampaigning(StackTraceElement frame) {
        return frame.getMethodName().equals("campaign");
    }

    private static void pause(EtcdCluster etcd) {
        try {
            etcd.pause(0);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    private static void assertHasWhatItWasElectedTo(EtcdCluster etcd, LeaderElection election) throws Exception {
        try (ClusterMembership outside = new ClusterMembership(EtcdAccess.to(etcd.urls(), "test/"), LONG)) {
            assertEquals(Optional.of(election.name()), outside.writer());
        }
    }

    @Test
    void theFailureOfTheLeaseThreadIsReported() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                LeaderElection election = election(etcd, new AtomicLong())) {
            electionObserver.looks = nodes -> {
                throw new IllegalStateException("a bug");
            };
            election.join("127.0.0.1:1", "");
            assertEquals(
                    "a bug", electionObserver.death.get(60, TimeUnit.SECONDS).getMessage());
        }
    }

    /** Etcd keeps its lease all the same, and nobody else could stand. */
    @Test
    void aWriterWhoseWritesEtcdRejectsStepsDown() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        Duration lease = Duration.ofSeconds(2);
        List<String> log = new CopyOnWriteArrayList<>();
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                LeaderElection election = new LeaderElection(
                        new ClusterMembership(EtcdAccess.to(etcd.urls(), "test/"), lease),
                        lease,
                        new ClusterClock(System::nanoTime, Instant::now),
                        System::nanoTime,
                        Log.to(log::add, LogFormat.LOGFMT),
                        new ElectionObserver())) {
            election.join("127.0.0.1:1", "");
            election.allowCampaign();
            eventually(election::elected);
            election.becomeLeader();
            election.announceAs(1);
            etcd.etcdctl("user", "add", "root:root");
            etcd.etcdctl("auth", "enable");
            eventually(() -> log.stream()
                    .anyMatch(line -> line.contains("what=writer-lost")
                            && line.contains("etcd accepted nothing from it for two leases: etcd at")
                            && line.contains("give store.etcd.user")));
            assertFalse(election.elected());
            EtcdAccess known = new EtcdAccess(
                    etcd.urls(),
                    "test/",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(new EtcdAccess.Login("root", "root")),
                    Duration.ofSeconds(20));
            try (ClusterMembership other = new ClusterMembership(known, lease)) {
                other.join("127.0.0.1:2", "");
                eventually(() -> campaigns(other));
            }
        }
    }

    private static boolean campaigns(ClusterMembership node) {
        try {
            return node.keep() && node.campaign();
        } catch (StoreException busy) {
            return false;
        }
    }
}
