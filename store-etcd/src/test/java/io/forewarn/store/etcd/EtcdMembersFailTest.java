package io.forewarn.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commits leave while members are killed, stopped and come back. */
class EtcdMembersFailTest {
    @TempDir
    private Path folder;

    @Test
    void nothingAcknowledgedIsLostWhileMembersAreKilledAndStopped() throws Exception {
        EtcdFaultsTest.needsEtcd();
        Random random = new Random(11);
        try (EtcdCluster etcd = EtcdCluster.start(folder, 3);
                EtcdStore store = EtcdFaultsTest.open(etcd)) {
            Head head = store.claim();
            Map<String, String> expected = new TreeMap<>();
            int uncertain = 0;
            for (int round = 0; round < 9; round++) {
                int member = round % 3;
                boolean killed = random.nextBoolean();
                if (killed) {
                    etcd.kill(member);
                } else {
                    etcd.pause(member);
                }
                for (int i = 0; i < 10; i++) {
                    Commit next = EtcdFaultsTest.commit(head.seq() + 1, head.epoch());
                    try {
                        store.commit(next);
                        head = new Head(next.seq(), next.epoch());
                    } catch (StoreException problem) {
                        assertTrue(
                                problem.kind() == Kind.UNCERTAIN || problem.kind() == Kind.REJECTED,
                                problem.getMessage());
                        uncertain++;
                        head = EtcdFaultsTest.recover(store);
                    }
                    if (head.seq() == next.seq()) {
                        expected.put("k/" + next.seq(), "v" + next.seq());
                    }
                }
                if (killed) {
                    etcd.begin(member);
                    etcd.awaitPort(member);
                } else {
                    etcd.resume(member);
                }
                assertEquals(expected, EtcdFaultsTest.all(store), "round " + round + ", " + uncertain + " uncertain");
            }
            assertTrue(expected.size() > 60, expected.size() + " of 90, " + uncertain + " uncertain");
        }
    }
}
