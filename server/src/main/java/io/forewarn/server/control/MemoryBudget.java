package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.util.function.LongSupplier;

/**
 * Limits the fleet, including fleet files being read, to a share of the process's memory. The memory of a machine
 * is estimated before it is kept, so that a fleet that is too large is refused rather than ending the process. Thread-safe.
 */
public final class MemoryBudget {
    private final long most;
    private final LongSupplier resident;
    private final String share;
    private long reserved;

    /**
     * @param most limit for all together
     * @param resident memory of the present fleet
     */
    MemoryBudget(long most, LongSupplier resident, String share) {
        this.most = most;
        this.resident = resident;
        this.share = share;
    }

    /** @param heap maximum heap */
    public static MemoryBudget share(int percent, long heap, LongSupplier resident) {
        return new MemoryBudget(
                heap / 100 * percent,
                resident,
                "fleet.memory-percent, " + percent + " % of " + mib(heap)
                        + " MiB; FOREWARN_JAVA_OPTS=-Xmx4g gives it more");
    }

    /** Memory reserved while a fleet is read. Close it when the fleet is committed or refused. */
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
                                    + mib(resident.getAsLong()) + " MiB are in use and "
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
