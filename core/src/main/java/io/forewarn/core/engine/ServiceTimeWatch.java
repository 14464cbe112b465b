package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Detects that service time was set, because the wall clock moved by much more or much less than the elapsed time. Nothing
 * starts, ends or is forgotten because of such a jump.
 */
final class ServiceTimeWatch {
    /** By how much the wall clock may deviate from the elapsed time before service time counts as set. */
    private static final Duration LEAP = Duration.ofSeconds(5);
    /** While service time approaches a clock it runs faster or slower, but never by this fraction. */
    private static final int SLEWED = 5;

    private ClockReading latest;
    /** Monotonic time until which no result is forgotten. */
    private Long answersKeptUntil;

    /** By how much service time was set since the last reading; empty if it was not. */
    Optional<Duration> leap(ClockReading now) {
        ClockReading before = latest;
        latest = now;
        if (before == null) {
            // Earlier results may be less than a day old, whatever the wall clock showed then.
            answersKeptUntil = now.nanos() + IdempotencyCache.KEPT.toNanos();
            return Optional.empty();
        }
        long passed = now.nanos() - before.nanos();
        Duration by = Duration.between(before.wall(), now.wall()).minusNanos(passed);
        if (by.abs().compareTo(LEAP.plusNanos(passed / SLEWED)) <= 0) {
            return Optional.empty();
        }
        answersKeptUntil = now.nanos() + IdempotencyCache.KEPT.toNanos();
        return Optional.of(by.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Whether the age of a result may be judged by the wall clock. */
    boolean mayForgetAnswers(ClockReading now) {
        if (answersKeptUntil != null && now.nanos() - answersKeptUntil >= 0) {
            answersKeptUntil = null;
        }
        return answersKeptUntil == null;
    }
}
