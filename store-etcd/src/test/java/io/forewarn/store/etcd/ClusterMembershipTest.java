package io.forewarn.store.etcd;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.engine.CommitFeed.Beat;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterMembershipTest {
    private static final Beat BEAT = new Beat(Instant.parse("2026-03-01T12:00:00Z"), 1);

    @TempDir
    private Path folder;

    @Test
    void aLeaseWithoutAnEntryIsNotKept() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                ClusterMembership one =
                        new ClusterMembership(EtcdAccess.to(etcd.urls(), "m/"), Duration.ofSeconds(60))) {
            String tooLong = "x".repeat(4 << 20);
            assertThrows(StoreException.class, () -> one.join("a:1", tooLong));
            assertFalse(one.keep(), "nobody knows of this node");
            one.join("a:1", "one");
            assertTrue(one.keep());
            assertEquals(Map.of("a:1", "one"), one.nodes());
        }
    }

    @Test
    void aPlaceIsOneNodesAndFreeWhenThatNodesLeaseEnds() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                ClusterMembership one = new ClusterMembership(EtcdAccess.to(etcd.urls(), "m/"), Duration.ofSeconds(2));
                ClusterMembership two =
                        new ClusterMembership(EtcdAccess.to(etcd.urls(), "m/"), Duration.ofSeconds(60))) {
            assertFalse(two.isAlive("a:1"));
            assertTrue(one.join("a:1", "one"));
            assertFalse(two.join("a:1", "two"));
            assertFalse(two.keep(), "it said nothing");
            try (ClusterMembership again =
                    new ClusterMembership(EtcdAccess.to(etcd.urls(), "m/"), Duration.ofSeconds(60))) {
                assertTrue(again.join("a:1", "one"), "what it said before was its own");
                assertTrue(two.isAlive("a:1"));
            }
            assertTrue(one.join("a:1", "one"));
            // It does not keep it.
            eventually(() -> two.join("a:1", "two"));
            assertTrue(two.keep());
            assertEquals(Map.of("a:1", "two"), two.nodes());
            assertFalse(one.join("a:1", "one"));
        }
    }

    @Test
    void aFormerWriterCannotClaimTheStoreOfItsSuccessor() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                ClusterMembership one =
                        new ClusterMembership(EtcdAccess.to(etcd.urls(), "m/"), Duration.ofSeconds(60));
                ClusterMembership two =
                        new ClusterMembership(EtcdAccess.to(etcd.urls(), "m/"), Duration.ofSeconds(60));
                EtcdStore first = EtcdStore.open(EtcdAccess.to(etcd.urls(), "m/"));
                EtcdStore second = EtcdStore.open(EtcdAccess.to(etcd.urls(), "m/"))) {
            first.claimsWhileElected(one::electedAt);
            second.claimsWhileElected(two::electedAt);
            one.join("a:1", "one");
            two.join("b:2", "two");
            assertEquals(
                    Kind.FENCED,
                    assertThrows(StoreException.class, first::claim).kind(),
                    "nobody elected it");
            assertTrue(one.campaign());
            assertEquals(1, first.claim().epoch());
            // The first one does not know: it is stopped, and its lease runs out.
            etcd.etcdctl("del", "m/writer");
            assertTrue(two.campaign());
            Head claimed = second.claim();
            assertEquals(2, claimed.epoch());
            assertEquals(
                    Kind.FENCED,
                    assertThrows(StoreException.class, first::claim).kind());
            second.commit(EtcdFaultsTest.commit(claimed.seq() + 1, claimed.epoch()));
        }
    }

    @Test
    void oneOfTwoWritesAndTheOtherWhenItIsGone() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                ClusterMembership one = new ClusterMembership(EtcdAccess.to(etcd.urls(), "m/"), Duration.ofSeconds(2));
                ClusterMembership two =
                        new ClusterMembership(EtcdAccess.to(etcd.urls(), "m/"), Duration.ofSeconds(2))) {
            assertFalse(one.keep());
            one.join("a:1", "one");
            two.join("b:2", "two");
            assertEquals(Map.of("a:1", "one", "b:2", "two"), one.nodes());
            assertEquals(Optional.empty(), one.writer());
            assertTrue(one.campaign());
            assertTrue(one.campaign());
            assertFalse(two.campaign());
            assertEquals(Optional.of("a:1"), two.writer());
            assertTrue(one.beat(BEAT));
            assertFalse(two.beat(new Beat(BEAT.time(), 2)));
            assertEquals(Optional.of(BEAT), two.lastBeat());
            assertEquals(one.secret("x"), two.secret("y"));

            long revision = two.revision();
            one.forgetBefore(revision);
            one.forgetBefore(revision);
            one.forgetBefore(revision - 1);

            one.resign();
            assertFalse(one.beat(BEAT));
            assertTrue(two.campaign());
            assertFalse(one.campaign());

            eventually(() -> {
                // The first keeps its lease, the second does not.
                assertTrue(one.keep());
                return one.campaign();
            });
            assertFalse(two.keep());
            assertFalse(two.beat(BEAT));
            assertEquals(Map.of("a:1", "one"), two.nodes());
            two.join("b:2", "again");
            assertEquals(Map.of("a:1", "one", "b:2", "again"), one.nodes());
        }
    }
}
