package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.util.function.LongSupplier;

/**
 * Keeps the fleet, and what is being read of the next one, within a share of the memory the process may have. What a machine takes
 * is estimated before it is kept, so that a fleet that is too large is refused and not the end of the process. Any thread.
 */
public final class MemoryBudget {
    private final long most;
    private final LongSupplier resident;
    private final String share;
    private long reserved;

    /**
     * @param most for all together
     * @param resident what the present fleet takes
     */
    MemoryBudget(long most, LongSupplier resident, String share) {
        this.most = most;
        this.resident = resident;
        this.share = share;
    }

    /** @param heap all the memory there may be */
    public static MemoryBudget share(int percent, long heap, LongSupplier resident) {
        return new MemoryBudget(
                heap / 100 * percent,
                resident,
                "fleet.memory-percent, " + percent + " % of " + mib(heap)
                        + " MiB; FOREWARN_JAVA_OPTS=-Xmx4g gives it more");
    }

    /** What somebody who reads a fleet takes meanwhile. To be closed when the fleet is committed, or refused. */
    public final class Reservation implements AutoCloseable {
        private long mine;

        /** @throws RefusedException if there is no room for more; what was reserved before stays so */
        public void add(long bytes) {
            synchronized (MemoryBudget.this) {
                long wanted = resident.getAsLong() + reserved + bytes;
                if (bytes > 0 && wanted > most) {
                    throw new RefusedException(
                            Problem.TOO_LARGE,
                            "the fleet would take more than " + mib(most) + " MiB of memory, of which "
                                    + mib(resident.getAsLong()) + " MiB are taken and "
                                    + mib(reserved - mine) + " MiB reserved by others (" + share + ")");
                }
                reserved += bytes;
                mine += bytes;
            }
        }

        @Override
        public void close() {
            synchronized (MemoryBudget.this) {
                reserved -= mine;
                mine = 0;
            }
        }
    }

    public Reservation begin() {
        return new Reservation();
    }

    private static long mib(long bytes) {
        return bytes >> 20;
    }
}
