package io.forewarn.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class DecisionLogTest {
    private static final Instant AT = Instant.parse("2030-01-01T00:00:00Z");

    private final List<String> lines = new ArrayList<>();
    private final DecisionLog log = new DecisionLog(Log.to(lines::add, LogFormat.LOGFMT));

    @Test
    void aDecisionIsOneLine() {
        HistoryEntry entry = new HistoryEntry(
                AT,
                "STARTED_BY_TIME",
                new GroupId("default", "web"),
                new EventId(new UUID(1, 2)),
                Cause.RESTART,
                List.of("a", "b"),
                Actor.person("ci", "10.0.0.1"),
                AT,
                Duration.ofMinutes(15),
                Duration.ofSeconds(901),
                "said \"go\"\nlevel=error",
                "os-1");
        log.committed(new LogPage(1, AT, List.of(entry), List.of()), 1, 1);
        assertEquals(
                List.of("at=2030-01-01T00:00:00Z level=info what=started-by-time group=default/web"
                        + " event=00000000-0000-0001-0000-000000000002 rollout=os-1 type=reboot cause=restart machines=a,b"
                        + " not-before=2030-01-01T00:00:00Z promised=15m given=15m1s by=person name=ci from=10.0.0.1"
                        + " detail=\"said \\\"go\\\"\\nlevel=error\""),
                lines);
    }

    @Test
    void manyStepsOfARolloutInOneCommitAreOneLine() {
        List<HistoryEntry> entries = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            entries.add(ofRollout("STARTED_BY_TIME", i, Actor.SERVICE));
        }
        entries.add(ofRollout("FAILED", 30, Actor.SERVICE));
        entries.add(ofRollout("STARTED_BY_APPROVAL", 31, Actor.person("ci", "10.0.0.1")));
        log.committed(new LogPage(1, AT, entries, List.of()), 1, 1);
        assertEquals(3, lines.size(), lines.toString());
        assertEquals(
                "at=2030-01-01T00:00:00Z level=info what=started-by-time rollout=os-1 type=reboot cause=host-reboot events=30"
                        + " groups=15 machines=60 first-not-before=2030-01-01T00:00:00Z least-promised=15m least-given=15m",
                lines.get(0));
        assertTrue(lines.get(1).contains("level=warning what=failed group=default/g15"), lines.get(1));
        assertTrue(lines.get(2).contains("what=started-by-approval group=default/g15"), lines.get(2));
    }

    @Test
    void fewStepsOfARolloutAreALineEach() {
        List<HistoryEntry> entries = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            entries.add(ofRollout("STARTED_BY_TIME", i, Actor.SERVICE));
        }
        log.committed(new LogPage(1, AT, entries, List.of()), 1, 1);
        assertEquals(10, lines.size(), lines.toString());
    }

    private static HistoryEntry ofRollout(String what, int number, Actor actor) {
        return new HistoryEntry(
                AT,
                what,
                new GroupId("default", "g" + number / 2),
                new EventId(new UUID(1, number)),
                Cause.HOST_REBOOT,
                List.of("a" + number, "b" + number),
                actor,
                AT.plusSeconds(number),
                Duration.ofMinutes(15),
                Duration.ofMinutes(15).plusSeconds(number),
                "",
                "os-1");
    }

    @Test
    void failuresAreLoggedAsWarnings() {
        HistoryEntry entry =
                new HistoryEntry(AT, "FAILED", null, null, null, List.of(), Actor.SERVICE, null, null, null, "");
        log.committed(new LogPage(1, AT, List.of(entry), List.of()), 1, 1);
        assertTrue(lines.get(0).contains("level=warning what=failed"), lines.get(0));
    }

    @Test
    void troubleWithTheStoreIsALineToo() {
        log.troubled(new StoreException(StoreException.Kind.REJECTED, "disk full"));
        log.recovered();
        log.troubled(new StoreException(StoreException.Kind.FENCED, "this node does not write any more"));
        assertEquals(
                List.of(
                        "level=error what=store-troubled kind=rejected detail=\"disk full\"",
                        "level=info what=store-recovered",
                        "level=warning what=store-troubled kind=fenced detail=\"this node does not write any more\""),
                lines);
    }
}
