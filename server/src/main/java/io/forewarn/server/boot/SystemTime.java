package io.forewarn.server.boot;

import io.forewarn.core.Moment;
import io.forewarn.core.engine.Clock;
import java.time.Instant;

/** The machine's clock. */
final class SystemTime implements Clock {
    @Override
    public Moment now() {
        return new Moment(Instant.now(), System.nanoTime());
    }
}
