package io.forewarn.cli;

import io.forewarn.wire.control.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Asks the server again and again until something has happened, or the time for it is up. */
final class Waiting {
    private static final long FIRST_PAUSE = 100;
    private static final long LONGEST_PAUSE = 1_000;

    private final CompletableFuture<Void> timeUp;

    /** @param within real time, whatever the service's clock says; null for no limit */
    Waiting(Duration within) {
        this.timeUp = within == null
                ? new CompletableFuture<>()
                : CompletableFuture.runAsync(
                        () -> {}, CompletableFuture.delayedExecutor(within.toMillis(), TimeUnit.MILLISECONDS));
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
            boolean last = timeUp.isDone();
            T answer = ask.get();
            if (last || enough.test(answer)) {
                return answer;
            }
            pause(pause, what);
            pause = Math.min(LONGEST_PAUSE, pause * 2);
        }
    }

    private void pause(long millis, String what) {
        try {
            timeUp.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException again) {
            // The usual case: there is time left.
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new CommandRefusedException("stopped waiting for " + what);
        }
    }
}
