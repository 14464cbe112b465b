package io.forewarn.server.metadata;

import io.forewarn.wire.azure.ApiVersion;
import java.util.concurrent.atomic.LongAdder;

/** Counts responses by api-version and status. */
public final class PollCounters {
    /** Receives one count. */
    public interface Visitor {
        /** @param version blank for requests without a known version */
        void visit(String version, int status, long count);
    }

    private static final int[] STATUSES = {200, 304, 400, 403, 404, 405, 409, 413, 414, 429, 431, 501, 503};
    private final LongAdder[][] counts = new LongAdder[ApiVersion.values().length + 1][STATUSES.length];

    PollCounters() {
        for (LongAdder[] row : counts) {
            for (int i = 0; i < row.length; i++) {
                row[i] = new LongAdder();
            }
        }
    }

    /** @param version null if unknown */
    void count(ApiVersion version, int status) {
        LongAdder[] row = counts[version == null ? counts.length - 1 : version.slot()];
        for (int i = 0; i < STATUSES.length; i++) {
            if (STATUSES[i] == status) {
                row[i].increment();
                return;
            }
        }
    }

    /** Visits every pair in a fixed order, including those with count 0. */
    public void forEach(Visitor visitor) {
        for (int slot = 0; slot < counts.length; slot++) {
            ApiVersion version = ApiVersion.ofSlot(slot);
            for (int i = 0; i < STATUSES.length; i++) {
                visitor.visit(version == null ? "" : version.text(), STATUSES[i], counts[slot][i].sum());
            }
        }
    }
}
