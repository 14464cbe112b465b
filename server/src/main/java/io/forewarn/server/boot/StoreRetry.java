package io.forewarn.server.boot;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.wire.control.Durations;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Retries what a start needs from the store: etcd is another service, which may start later than this one, and
 * fail again before this one is ready. A file exists or does not.
 */
final class StoreRetry {
    /** A step that needs the store and may be repeated. */
    interface Step<T> {
        T take() throws StoreException;
    }

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    /** Short, so that this node is back soon after etcd. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

    private final boolean shared;
    private final Log log;
    private final Consumer<Duration> sleep;

    /**
     * @param shared whether the store is shared, so that waiting makes sense
     * @param log receives why it waits
     */
    StoreRetry(boolean shared, Log log) {
        this(shared, log, StoreRetry::sleep);
    }

    StoreRetry(boolean shared, Log log, Consumer<Duration> sleep) {
        this.shared = shared;
        this.log = log;
        this.sleep = sleep;
    }

    <T> T by(Step<T> step) throws StoreException {
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                return step.take();
            } catch (StoreException problem) {
                if (!shared || problem.kind() == Kind.UNREADABLE) {
                    throw problem;
                }
                log.write(LogLine.warning("waiting-for-store")
                        .with("detail", problem.getMessage())
                        .with("next-try", Durations.print(pause)));
            }
            sleep.accept(pause);
            Duration longer = pause.multipliedBy(2);
            pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
        }
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RefusedException(Problem.NOT_READY, "the start was interrupted");
        }
    }
}
