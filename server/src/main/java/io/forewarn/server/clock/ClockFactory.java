package io.forewarn.server.clock;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoredTime;
import io.forewarn.core.rules.Command;
import io.forewarn.server.settings.ClockSettings.Kind;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Creates the configured clock and its control. */
public final class ClockFactory {
    private ClockFactory() {}

    /**
     * A manual clock continues from its stored time; the system clock must not be behind that.
     *
     * @param now the machine's own clock
     */
    public static Clock of(
            Kind kind, LongSupplier elapsedNanos, Supplier<Instant> now, Store store, RecordFormat format)
            throws StoreException {
        Optional<Instant> stored = StoredTime.manualClock(store, format);
        Instant wall = now.get();
        if (kind == Kind.MANUAL) {
            return new ManualTime(stored.orElse(wall.truncatedTo(ChronoUnit.SECONDS)));
        }
        if (stored.isPresent() && stored.get().isAfter(wall)) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "this store was used with a manual clock, which stands at " + stored.get()
                            + ", ahead of the system's " + wall.truncatedTo(ChronoUnit.SECONDS)
                            + ". Time does not go back: serve it with --clock manual, or use another store");
        }
        StoredTime last = StoredTime.read(store, format);
        // The time of a manual clock does not tell how long ago that was.
        boolean manual = stored.isPresent()
                && last.latest().filter(alive -> alive.isAfter(stored.get())).isEmpty();
        return new SteadyTime(elapsedNanos, now, new MachineUptime(), manual ? StoredTime.NONE : last);
    }

    /** A manual clock costs nothing to read; the system clock is read several times a second instead of at every poll. */
    public static LongSupplier coarse(Clock clock, Vertx vertx) {
        return clock instanceof ManualTime ? () -> clock.now().wall().toEpochMilli() : new CoarseTime(clock, vertx);
    }

    public static ClockControl hands(Clock clock, Supplier<Engine> engine, ManualClockMover.Writer writer) {
        return clock instanceof ManualTime manual
                ? new Movable(new ManualClockMover(manual, engine, writer))
                : new Fixed(clock, (RepairableClock) clock, engine);
    }

    private record Movable(ManualClockMover hands) implements ClockControl {
        @Override
        public Kind kind() {
            return Kind.MANUAL;
        }

        @Override
        public CompletionStage<Instant> advance(Duration by, Actor actor, Once once) {
            return hands.moveBy(by, actor, once);
        }

        @Override
        public CompletionStage<Instant> set(Instant to, Actor actor, Once once) {
            return hands.moveTo(to, actor, once);
        }

        /** A manual clock needs no repair. */
        @Override
        public CompletionStage<Instant> repair(String node, Actor actor, Once once) {
            return CompletableFuture.completedFuture(hands.now());
        }
    }

    private record Fixed(Clock clock, RepairableClock repairable, Supplier<Engine> engine) implements ClockControl {
        @Override
        public Kind kind() {
            return Kind.SYSTEM;
        }

        @Override
        public Optional<String> trouble() {
            return repairable.trouble();
        }

        @Override
        public CompletionStage<Instant> repair(String node, Actor actor, Once once) {
            Duration off = repairable.off(node);
            Instant to = clock.now().wall().plus(off);
            return engine.get().submit(new Command.RepairClock(to, actor), once).thenApply(written -> {
                repairable.repair(off);
                return clock.now().wall();
            });
        }

        @Override
        public CompletionStage<Instant> advance(Duration by, Actor actor, Once once) {
            return refused();
        }

        @Override
        public CompletionStage<Instant> set(Instant to, Actor actor, Once once) {
            return refused();
        }

        private static CompletionStage<Instant> refused() {
            return CompletableFuture.failedFuture(new RefusedException(
                    Problem.CONFLICT,
                    "the clock is the system's and cannot be moved; start the service with --clock manual to move it"));
        }
    }
}
