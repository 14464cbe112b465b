package io.forewarn.server.cluster;

import io.forewarn.core.ClockReading;
import io.forewarn.core.engine.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What the writer's thread runs: the engine of a single node, or the gateway of a cluster node. */
public interface WriterThreadTask {
    /** Returns how much it did. */
    int turn(ClockReading now);

    /** Nothing could be read for a while. */
    void stalled(Duration missed, ClockReading now);

    /** When the next turn is needed even without new commands. */
    Optional<Instant> due();

    /** Whether this node is the writer at present. */
    boolean writes();

    /** Ends it; the last call. */
    void close(ClockReading now);

    /** A writer on its own. */
    static WriterThreadTask of(Engine engine) {
        return new WriterThreadTask() {
            @Override
            public int turn(ClockReading now) {
                return engine.turn(now);
            }

            @Override
            public void stalled(Duration missed, ClockReading now) {
                engine.stalled(missed, now);
            }

            @Override
            public Optional<Instant> due() {
                return engine.due();
            }

            @Override
            public boolean writes() {
                return true;
            }

            @Override
            public void close(ClockReading now) {
                engine.close(now);
            }
        };
    }
}
