package io.forewarn.cli;

import io.forewarn.wire.control.Durations;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Asks the server again and again until something has happened, or the time for it is up. */
final class Waiting {
    private static final long FIRST_PAUSE = 100;
    private static final long LONGEST_PAUSE = 1_000;

    private final long began = System.nanoTime();
    private final Duration within;

    /** @param within real time, whatever the service's clock says; null for no limit */
    Waiting(Duration within) {
        this.within = within;
    }

    /** The duration of an option; null if it was not given. */
    static Duration within(String text) {
        return text == null
                ? null
                : Durations.parse(text)
                        .orElseThrow(() -> CommandRefusedException.wrong(
                                "--within must be " + Durations.RULE + ", not '" + text + "'"));
    }

    /** The first answer that is enough, or the last one before the time was up. */
    <T> T until(Supplier<T> ask, Predicate<T> enough, String what) {
        long pause = FIRST_PAUSE;
        while (true) {
            T answer = ask.get();
            if (enough.test(answer) || isUp()) {
                return answer;
            }
            try {
                Thread.sleep(within == null ? pause : Math.max(1, Math.min(pause, left().toMillis())));
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new CommandRefusedException("stopped waiting for " + what);
            }
            pause = Math.min(LONGEST_PAUSE, pause * 2);
        }
    }

    private boolean isUp() {
        return within != null && (left().isNegative() || left().isZero());
    }

    private Duration left() {
        return within.minusNanos(System.nanoTime() - began);
    }
}
