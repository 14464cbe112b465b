package io.forewarn.acceptance.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes and members of etcd fail while sixty-four callers are busy; {@code bench/faults cluster} does the same many times. */
// Takes more than 20 s: after each fault, three nodes and three members of etcd must settle before the next.
final class NodesFailUnderLoadIT {
    private static final long SEED = 2017;

    @TempDir
    private Path folder;

    @Test
    void everyPromiseOfOneNodeHoldsForAllOfThem() throws Exception {
        FaultTotals faultTotals = new FaultCampaign(folder, SEED)
                .run(List.of(
                        ClusterFault.WRITER_IS_STOPPED,
                        ClusterFault.TWO_MEMBERS_ARE_KILLED,
                        ClusterFault.WRITER_IS_KILLED));
        assertEquals(List.of(), faultTotals.violations());
        assertEquals(3, faultTotals.rounds());
        assertTrue(faultTotals.acknowledged() > 0 && faultTotals.polls() > 0, faultTotals::table);
        assertTrue(faultTotals.startedByTime() > 0 && faultTotals.startedByApproval() > 0, faultTotals::table);
    }
}
