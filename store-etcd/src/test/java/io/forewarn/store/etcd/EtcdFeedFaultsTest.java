package io.forewarn.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.CommitFeed;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a follower is told when members are killed, stopped and come back. */
// Takes more than 20 s: members of etcd are killed and must elect a leader before the next fault.
class EtcdFeedFaultsTest {
    @TempDir
    private Path folder;

    /** What a follower was told: the sum of the commits, whatever became of the connection. */
    private static final class Told implements CommitFeed.Follower {
        private final Map<String, String> records = new TreeMap<>();
        private Head head = new Head(0, 0);
        private int beginnings;

        @Override
        public List<String> prefixes() {
            return List.of("");
        }

        @Override
        public void begin() {
            records.clear();
        }

        @Override
        public void record(String key, byte[] value) {
            records.put(key, new String(value, UTF_8));
        }

        @Override
        public void whole(Head all) {
            head = all;
            beginnings++;
        }

        @Override
        public void commit(Commit commit) {
            assertEquals(head.seq() + 1, commit.seq());
            head = new Head(commit.seq(), commit.epoch());
            commit.puts().forEach((key, value) -> records.put(key, new String(value, UTF_8)));
        }

        @Override
        public void beat(CommitFeed.Beat beat) {}
    }

    /** As a node does: now and then it hears nothing for too long, and looks for another way. */
    private static void follow(EtcdFeed feed, Told told, long seq) throws Exception {
        for (int silent = 0; told.head.seq() < seq; silent++) {
            try {
                silent = feed.turn(told) > 0 ? 0 : silent;
            } catch (StoreException notNow) {
                assertEquals(Kind.REJECTED, notNow.kind(), notNow.getMessage());
            }
            if (silent % 100 == 99) {
                feed.renew();
            }
            assertTrue(silent < 3000, "commit " + seq + " never came; the last was " + told.head);
            Thread.sleep(10);
        }
    }

    @Test
    void aFollowerMissesNothingWhileMembersAreKilledAndStopped() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 3);
                EtcdStore store = EtcdFaultsTest.open(etcd);
                EtcdFeed feed = new EtcdFeed(EtcdFaultsTest.access(etcd), () -> {})) {
            Head head = store.claim();
            Told told = new Told();
            for (int round = 0; round < 6; round++) {
                int member = round % 3;
                if (round < 3) {
                    etcd.kill(member);
                } else {
                    etcd.pause(member);
                }
                for (int i = 0; i < 10; i++) {
                    try {
                        Commit next = EtcdFaultsTest.commit(head.seq() + 1, head.epoch());
                        store.commit(next);
                        head = new Head(next.seq(), next.epoch());
                    } catch (StoreException problem) {
                        head = EtcdFaultsTest.recover(store);
                    }
                }
                follow(feed, told, head.seq());
                assertEquals(EtcdFaultsTest.all(store), told.records);
                if (round < 3) {
                    etcd.begin(member);
                    etcd.awaitPort(member);
                } else {
                    etcd.resume(member);
                }
            }
            assertEquals(1, told.beginnings);
        }
    }

    /** etcd tells who comes back all that was missed at once. */
    @Test
    void aFollowerThatMissedTooMuchReadsEverythingAgain() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                EtcdStore store = EtcdFaultsTest.open(etcd);
                EtcdFeed feed = new EtcdFeed(EtcdFaultsTest.access(etcd), () -> {})) {
            Head head = store.claim();
            store.commit(EtcdFaultsTest.commit(head.seq() + 1, head.epoch()));
            Told told = new Told();
            follow(feed, told, head.seq() + 1);
            feed.renew();
            byte[] large = new byte[1_000_000];
            long last = head.seq() + 1;
            for (int megabytes = 0; megabytes < 70; megabytes++) {
                store.commit(Commit.of(++last, head.epoch(), Map.of("large", large), List.of()));
            }
            follow(feed, told, last);
            assertEquals(2, told.beginnings);
            assertEquals(EtcdFaultsTest.all(store), told.records);
        }
    }
}
