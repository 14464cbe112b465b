package io.forewarn.acceptance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} at random moments under load; {@code bench/faults} does the same hundreds of times. */
// Takes more than 20 s: the server is started again after each kill, and every event is followed to its end.
class ServerIsKilledMidEventIT {
    private static final int ROUNDS = 10;
    private static final long SEED = 2017;

    @TempDir
    private Path folder;

    @Test
    void everyAcknowledgedCommandIsThereAndNothingStartsEarlyOrTwice() throws Exception {
        KillTotals killTotals = new KillCampaign(folder, SEED).run(ROUNDS);
        assertEquals(List.of(), killTotals.violations());
        assertTrue(killTotals.acknowledged() > ROUNDS, killTotals::table);
        assertTrue(killTotals.startedByTime() > 0 && killTotals.startedByApproval() > 0, killTotals::table);
    }
}
