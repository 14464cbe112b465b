package io.forewarn.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Entry;
import io.forewarn.core.rules.LogPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class DecisionLogTest {
    private static final Instant AT = Instant.parse("2030-01-01T00:00:00Z");

    private final List<String> lines = new ArrayList<>();
    private final List<Runnable> tasks = new ArrayList<>();

    @Test
    void aDecisionIsOneLine() {
        Entry entry = new Entry(
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
                "said \"go\"\nlevel=error");
        assertEquals(
                "at=2030-01-01T00:00:00Z level=info what=started-by-time group=default/web"
                        + " event=00000000-0000-0001-0000-000000000002 cause=restart machines=a,b"
                        + " not-before=2030-01-01T00:00:00Z promised=15m given=15m1s by=person name=ci from=10.0.0.1"
                        + " detail=\"said \\\"go\\\" level=error\"",
                DecisionLog.line(entry));
    }

    @Test
    void aReaderWhoStoppedDoesNotStopTheWriter() {
        DecisionLog log = new DecisionLog(lines::add, tasks::add);
        LogPage page = new LogPage(
                1,
                AT,
                List.of(new Entry(AT, "ENABLED", null, null, null, List.of(), Actor.SERVICE, null, null, null, "")),
                List.of());
        for (int i = 0; i < 10_005; i++) {
            log.committed(page, 1, 1);
        }
        assertEquals(10_000, tasks.size());
        tasks.forEach(Runnable::run);
        assertTrue(lines.get(0).contains("what=log-lines-dropped commits=5"), lines.get(0));
        assertEquals(10_001, lines.size());
    }

    @Test
    void troubleWithTheStoreIsALineToo() {
        DecisionLog log = new DecisionLog(lines::add, Runnable::run);
        log.troubled(new StoreException(StoreException.Kind.REJECTED, "disk full"));
        log.recovered();
        assertEquals(
                List.of(
                        "level=error what=store-troubled kind=rejected detail=\"disk full\"",
                        "level=info what=store-recovered"),
                lines);
    }
}
