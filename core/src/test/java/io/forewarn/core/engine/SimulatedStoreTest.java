package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.SimulatedStore.Disk;
import io.forewarn.core.engine.SimulatedStore.Fault;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimulatedStoreTest extends StoreContract {
    private final Disk disk = new Disk();

    @Override
    protected Store open() {
        return new SimulatedStore(disk, SimulatedStore.SMALL);
    }

    private static Commit commit(long seq, long epoch) {
        return Commit.of(seq, epoch, Map.of("k/" + seq, new byte[] {1}), List.of());
    }

    private static Kind failure(Store store, Commit commit) {
        return assertThrows(StoreException.class, () -> store.commit(commit)).kind();
    }

    @Test
    void orderedFaultsLeaveWhatTheySay() throws StoreException {
        SimulatedStore store = new SimulatedStore(disk, SimulatedStore.SMALL);
        store.claim();
        store.fail(Fault.REJECTED, Fault.LOST, Fault.KEPT);
        assertEquals(Kind.REJECTED, failure(store, commit(1, 1)));
        assertEquals(Kind.UNCERTAIN, failure(store, commit(1, 1)));
        assertEquals(Kind.REJECTED, failure(store, commit(1, 1)));
        assertEquals(new Head(0, 1), store.recover());
        assertEquals(Kind.UNCERTAIN, failure(store, commit(1, 1)));
        store.failRecoveries(1);
        assertThrows(StoreException.class, store::recover);
        assertEquals(new Head(1, 1), store.recover());
        store.commit(commit(2, 1));
        assertEquals(new Head(2, 1), disk.head());
    }

    @Test
    void twoNodesOnOneDiskFenceEachOther() throws StoreException {
        Store one = open();
        Store two = open();
        one.claim();
        one.commit(commit(1, 1));
        assertEquals(new Head(1, 2), two.claim());
        assertEquals(Kind.FENCED, failure(one, commit(2, 1)));
        two.commit(commit(2, 2));
    }

    @Test
    void theSameSeedFailsTheSameWayAndNothingAcknowledgedIsLost() throws StoreException {
        List<String> first = run(42);
        assertEquals(first, run(42));
        assertTrue(first.containsAll(List.of("ok", "REJECTED", "UNCERTAIN kept", "UNCERTAIN lost")), first::toString);
    }

    private static List<String> run(long seed) throws StoreException {
        Disk disk = new Disk();
        SimulatedStore store = new SimulatedStore(disk, SimulatedStore.SMALL, seed, 0.3);
        long seq = store.claim().seq();
        List<String> told = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            try {
                store.commit(commit(seq + 1, 1));
                seq++;
                told.add("ok");
            } catch (StoreException e) {
                boolean kept = disk.head().seq() == seq + 1;
                told.add(
                        e.kind() == Kind.UNCERTAIN
                                ? "UNCERTAIN " + (kept ? "kept" : "lost")
                                : e.kind().name());
                seq = e.kind() == Kind.UNCERTAIN ? recover(store) : seq;
            }
            assertEquals(disk.head().seq(), seq);
        }
        return told;
    }

    private static long recover(Store store) {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        while (true) {
            try {
                return store.recover().seq();
            } catch (StoreException e) {
                kinds.add(e.kind());
                assertEquals(EnumSet.of(Kind.UNCERTAIN), kinds);
            }
        }
    }
}
