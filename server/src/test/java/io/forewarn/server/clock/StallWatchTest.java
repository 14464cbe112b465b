package io.forewarn.server.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StallWatchTest {
    private long nanos;
    private final StallWatch watch = new StallWatch(() -> nanos);

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void aRunningLoopIsNoStallHoweverLongItIsNotChecked() {
        for (int i = 0; i < 100; i++) {
            pass(Duration.ofSeconds(4));
            watch.tick();
        }
        assertEquals(Optional.empty(), watch.take());
    }

    @Test
    void aSuspendedProcessIsDetectedWhicheverThreadWakesFirst() {
        pass(Duration.ofSeconds(40));
        watch.tick();
        assertEquals(Optional.of(Duration.ofSeconds(40)), watch.take(), "an event loop");
        assertEquals(Optional.empty(), watch.take());
        pass(Duration.ofSeconds(40));
        assertEquals(Optional.of(Duration.ofSeconds(40)), watch.take(), "the writer");
        watch.tick();
        assertEquals(Optional.empty(), watch.take());
    }

    @Test
    void askingOftenDoesNotHideThatNoLoopTurns() {
        Duration told = Duration.ZERO;
        for (int i = 0; i < 23; i++) {
            pass(Duration.ofSeconds(1));
            told = told.plus(watch.take().orElse(Duration.ZERO));
        }
        assertEquals(Duration.ofSeconds(18), told, "each time more than five seconds are over");
        pass(Duration.ofSeconds(1));
        watch.tick();
        assertEquals(Optional.of(Duration.ofSeconds(6)), watch.take());
    }
}
