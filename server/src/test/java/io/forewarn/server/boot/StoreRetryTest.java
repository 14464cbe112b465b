package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreRetryTest {
    private final List<Duration> pauses = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private int failures;

    private String await(boolean shared, Kind kind) throws StoreException {
        return new StoreRetry(shared, Log.to(log::add, LogFormat.LOGFMT), pauses::add).by(() -> {
            if (failures-- > 0) {
                throw new StoreException(kind, "nobody answers");
            }
            return "there";
        });
    }

    @Test
    void etcdIsAskedAgainSoonHoweverLongItWasAway() throws Exception {
        failures = 5;
        assertEquals("there", await(true, Kind.REJECTED));
        assertEquals(
                List.of(1L, 2L, 3L, 3L, 3L),
                pauses.stream().map(Duration::toSeconds).toList());
        assertEquals(
                5,
                log.stream().filter(line -> line.contains("waiting-for-store")).count());
    }

    @Test
    void aLocalOrUnreadableStoreIsNotRetried() {
        failures = 2;
        assertThrows(StoreException.class, () -> await(false, Kind.REJECTED));
        assertThrows(StoreException.class, () -> await(true, Kind.UNREADABLE));
        assertEquals(List.of(), pauses);
    }
}
