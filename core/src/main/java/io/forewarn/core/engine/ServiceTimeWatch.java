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
    /** By how much the wall may differ from what the time that passed says, before service time counts as set. */
    private static final Duration LEAP = Duration.ofSeconds(5);
    /** While service time draws nearer to a clock it goes faster or slower, but never by this part. */
    private static final int SLEWED = 5;

    private ClockReading latest;
    /** Monotonic time until which no result is forgotten. */
    private Long answersKeptUntil;

    /** By how much service time was set since the last reading; empty if it was not. */
    Optional<Duration> leap(ClockReading now) {
        ClockReading before = latest;
        latest = now;
        if (before == null) {
            // What was done before may be less than a day old, whatever the wall said then.
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

    /** Whether the age of an answer may be judged by the wall. */
    boolean mayForgetAnswers(ClockReading now) {
        if (answersKeptUntil != null && now.nanos() - answersKeptUntil >= 0) {
            answersKeptUntil = null;
        }
        return answersKeptUntil == null;
    }
}
