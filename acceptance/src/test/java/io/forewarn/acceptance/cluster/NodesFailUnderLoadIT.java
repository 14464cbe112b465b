package io.forewarn.acceptance.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes and members of etcd fail while sixty-four callers are busy; {@code bench/faults cluster} does the same many times. */
final class NodesFailUnderLoadIT {
    private static final long SEED = 2017;

    @TempDir
    private Path folder;

    @Test
    void everyPromiseOfOneNodeHoldsForAllOfThem() throws Exception {
        Tally tally = new Campaign(folder, SEED)
                .run(List.of(Fault.WRITER_IS_STOPPED, Fault.TWO_MEMBERS_ARE_KILLED, Fault.WRITER_IS_KILLED));
        assertEquals(List.of(), tally.violations());
        assertEquals(3, tally.rounds());
        assertTrue(tally.acknowledged() > 0 && tally.polls() > 0, tally::table);
        assertTrue(tally.startedByTime() > 0 && tally.startedByApproval() > 0, tally::table);
    }
}
