package io.forewarn.server.cluster;

import io.forewarn.core.Moment;
import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.Feed;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What time it is for the whole cluster. The writer says it once a second; who follows goes on from there by its own monotonic
 * clock. A new writer goes on where the old one's time stands, and from then on draws nearer to its own wall, by a tenth of the
 * time that passes: it never goes back and never jumps. Any thread.
 */
public final class TimeLine implements Clock {
    private static final int SLEW = 10;

    private final LongSupplier elapsedNanos;
    private final Supplier<Instant> wall;
    private Instant last;
    private long lastNanos;
    private Instant said;
    private long saidNanos;
    private boolean leads;
    private boolean known;

    /** @param wall the machine's own clock */
    public TimeLine(LongSupplier elapsedNanos, Supplier<Instant> wall) {
        this.elapsedNanos = elapsedNanos;
        this.wall = wall;
    }

    /** Nobody was heard, but at this time somebody was there once: it is not earlier than that. */
    public synchronized void notBefore(Instant stored) {
        if (last == null || last.isBefore(stored)) {
            last = stored;
            lastNanos = elapsedNanos.getAsLong();
        }
    }

    /** What the writer said, and when it was heard. */
    synchronized void heard(Feed.Beat beat, long nanos) {
        said = beat.time();
        saidNanos = nanos;
        if (!known) {
            // So far it went by its own wall, which may be anything, and nobody was told: that it may take back.
            known = true;
            last = said;
            lastNanos = nanos;
        }
    }

    /** Whether this node says what time it is. */
    synchronized void leads(boolean yes) {
        now();
        known = true;
        leads = yes;
        said = null;
    }

    @Override
    public synchronized Moment now() {
        long nanos = elapsedNanos.getAsLong();
        last = last == null ? target(nanos) : advanced(nanos);
        lastNanos = nanos;
        return new Moment(last, nanos);
    }

    private Instant advanced(long nanos) {
        long passed = nanos - lastNanos;
        Instant ahead = last.plusNanos(passed);
        Instant target = target(nanos);
        if (!leads && said != null) {
            return target.isBefore(last) ? last : target;
        }
        long most = passed / SLEW;
        Duration off = Duration.between(ahead, target);
        long nudge = off.compareTo(Duration.ofNanos(most)) > 0
                ? most
                : off.compareTo(Duration.ofNanos(-most)) < 0 ? -most : off.toNanos();
        return ahead.plusNanos(nudge);
    }

    private Instant target(long nanos) {
        return leads || said == null ? wall.get() : said.plusNanos(nanos - saidNanos);
    }

    /** How far this machine's own clock is off. */
    Duration off() {
        return Duration.between(now().wall(), wall.get()).abs();
    }
}
