package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.log.LogLine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RefusalLogTest {
    private final List<String> written = new ArrayList<>();
    private final RefusalLog refusals = new RefusalLog(Log.to(written::add, LogFormat.LOGFMT));

    @Test
    void refusalsAreLimitedPerCallerAndMinute() {
        for (int i = 0; i < 1000; i++) {
            refusals.write("noisy", LogLine.info("refused"));
        }
        assertEquals(RefusalLog.PER_CALLER, written.size());
        refusals.write("other", LogLine.info("refused"));
        assertEquals(RefusalLog.PER_CALLER + 1, written.size());
        refusals.minute();
        String count = written.get(written.size() - 1);
        assertTrue(
                count.contains("refused-left-out") && count.contains("count=" + (1000 - RefusalLog.PER_CALLER)), count);
        refusals.write("noisy", LogLine.info("refused"));
        assertEquals(RefusalLog.PER_CALLER + 3, written.size());
    }

    @Test
    void refusalsAreLimitedInTotalAndAQuietMinuteLogsNothing() {
        for (int i = 0; i < 1000; i++) {
            refusals.write("caller-" + i, LogLine.info("refused"));
        }
        assertEquals(RefusalLog.FOR_ALL, written.size());
        refusals.minute();
        refusals.minute();
        assertEquals(RefusalLog.FOR_ALL + 1, written.size());
    }
}
