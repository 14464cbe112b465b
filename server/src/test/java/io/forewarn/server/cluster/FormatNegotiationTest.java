package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Formats that there may be one day. */
class FormatNegotiationTest {
    private static final String OLD = "{\"metadata\":\"10.0.0.1:80\"}";

    private final List<Integer> written = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final AtomicLong elapsed = new AtomicLong(-5);

    private FormatNegotiation dialect(int oldest, int newest) {
        return new FormatNegotiation(
                new FormatNegotiation.Range(oldest, newest),
                written::add,
                elapsed::get,
                Log.to(log::add, LogFormat.LOGFMT));
    }

    private static String reads(int format) {
        return new NodeInfo("10.0.0.1:80", "a-life", "0." + format, format, null, null).text();
    }

    private void pass(Duration time) {
        elapsed.addAndGet(time.toNanos());
    }

    @Test
    void theNewestThatAllReadIsWritten() {
        FormatNegotiation.Range range = new FormatNegotiation.Range(3, 4);
        assertEquals(4, range.common(List.of()));
        assertEquals(4, range.common(List.of(4, 4)));
        assertEquals(3, range.common(List.of(4, 3, 4)));
        assertEquals(4, range.common(List.of(4, 5)), "nobody writes what it does not know");
        assertEquals(3, range.common(List.of(4, 2)), "nor what it knows no longer");
        assertEquals(1, new FormatNegotiation.Range(1, 1).common(List.of(1, 7)));
    }

    @Test
    void aNodeThatDoesNotSayReadsTheFirst() {
        assertEquals(1, NodeInfo.of(OLD).reads());
        assertEquals("10.0.0.1:80", NodeInfo.of(OLD).metadata());
        assertNull(NodeInfo.of(OLD).release());
        assertEquals(
                2,
                NodeInfo.of("{\"format\":2,\"release\":\"9.9\",\"colour\":\"blue\"}")
                        .reads());
        for (String odd : List.of("", "null", "[]", "what?", "{\"format\":\"two\"}")) {
            assertEquals(1, NodeInfo.of(odd).reads(), odd);
        }
        assertEquals(
                new NodeInfo("a:1", "b", "9.9", 2, "manual", Map.of("a", "b")),
                NodeInfo.of(new NodeInfo("a:1", "b", "9.9", 2, "manual", Map.of("a", "b")).text()));
    }

    @Test
    void anUpgradeOneNodeAfterTheOtherEndsWithTheNewFormat() {
        FormatNegotiation one = dialect(1, 2);
        one.seen(Map.of("a", reads(2), "b", OLD, "c", OLD));
        one.seen(Map.of("a", reads(2), "b", reads(2), "c", OLD));
        pass(Duration.ofHours(1));
        one.seen(Map.of("a", reads(2), "b", reads(2), "c", OLD));
        assertEquals(List.of(1), written);
        // The last one is restarted, and back.
        one.seen(Map.of("a", reads(2), "b", reads(2)));
        pass(FormatNegotiation.BEFORE_RAISING.minusNanos(1));
        one.seen(Map.of("a", reads(2), "b", reads(2)));
        one.seen(Map.of("a", reads(2), "b", reads(2), "c", OLD));
        pass(FormatNegotiation.BEFORE_RAISING);
        one.seen(Map.of("a", reads(2), "b", reads(2), "c", reads(2)));
        assertEquals(List.of(1), written);
        pass(FormatNegotiation.BEFORE_RAISING);
        one.seen(Map.of("a", reads(2), "b", reads(2), "c", reads(2)));
        assertEquals(List.of(1, 2), written);
        // One that is old comes.
        one.seen(Map.of("a", reads(2), "d", OLD));
        assertEquals(List.of(1, 2, 1), written);
        assertEquals(List.of(), log);
    }

    /** All nodes were down, and this one is the first that is back. */
    @Test
    void aNodeAloneWaitsForOthersBeforeItWritesANewerFormat() {
        FormatNegotiation one = dialect(1, 2);
        assertEquals(List.of(1), written);
        one.seen(Map.of("a", reads(2)));
        pass(FormatNegotiation.BEFORE_RAISING.minusNanos(1));
        one.seen(Map.of("a", reads(2)));
        assertEquals(List.of(1), written);
        pass(Duration.ofNanos(1));
        one.seen(Map.of("a", reads(2)));
        assertEquals(List.of(1, 2), written);
    }

    @Test
    void aNodeThatIsTooOldIsReportedOnceAndDoesNotDelayOthers() {
        FormatNegotiation one = dialect(2, 3);
        for (int looks = 0; looks < 3; looks++) {
            one.seen(Map.of("10.0.0.1:8170", OLD, "b", reads(3)));
        }
        assertEquals(List.of(2), written);
        assertEquals(1, log.size(), log::toString);
        assertTrue(log.get(0).contains("node=10.0.0.1:8170"), log.get(0));
        assertTrue(
                log.get(0).contains("it reads records up to format 1, and none older than 2 are written"), log.get(0));
        assertNull(one.problem(NodeInfo.of(reads(2))));
        one.seen(Map.of("b", reads(3)));
        one.seen(Map.of("10.0.0.1:8170", OLD, "b", reads(3)));
        assertEquals(2, log.size(), "it has come back");
    }
}
