package io.forewarn.core;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits in tests until something holds that happens elsewhere, long enough for a loaded machine. */
public final class Eventually {
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

    private Eventually() {}

    /** A condition, which may have to ask a server. */
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Returns when the condition holds, and fails if it never does. */
    public static void eventually(Condition condition) {
        eventually(() -> "it never came", condition);
    }

    /** @param otherwise what to say if it never holds */
    public static void eventually(Supplier<String> otherwise, Condition condition) {
        eventually(condition::holds, holds -> holds, last -> otherwise.get());
    }

    /** Returns what is seen as soon as it is as wanted. */
    public static <T> T eventually(Callable<T> look, Predicate<T> wanted) {
        return eventually(look, wanted, last -> "it never came, but at last " + last);
    }

    private static <T> T eventually(
            Callable<T> look, Predicate<T> wanted, java.util.function.Function<T, String> otherwise) {
        long since = System.nanoTime();
        while (true) {
            T seen;
            try {
                seen = look.call();
            } catch (RuntimeException | Error failed) {
                throw failed;
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
            if (wanted.test(seen)) {
                return seen;
            }
            if (System.nanoTime() - since > LONGEST.toNanos()) {
                throw new AssertionError(otherwise.apply(seen));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
