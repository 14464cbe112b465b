package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.Role;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits the size of fleet files and their number per tenant, so that a sender of many large files occupies
 * only a few threads and delays only itself. Thread-safe.
 */
public final class FleetIntake {
    /** The maximum number of files per tenant that are received, read or applied at a time. */
    static final int AT_ONCE = 2;

    private final long operatorBytes;
    private final long ownerBytes;
    private final MemoryBudget memory;
    private final Map<String, Integer> underway = new HashMap<>();

    /**
     * @param operatorBytes maximum size of an operator's file
     * @param ownerBytes maximum size of an owner's file
     */
    public FleetIntake(long operatorBytes, long ownerBytes, MemoryBudget memory) {
        this.operatorBytes = operatorBytes;
        this.ownerBytes = ownerBytes;
        this.memory = memory;
    }

    MemoryBudget memory() {
        return memory;
    }

    long largest(Caller caller) {
        return caller.token().role() == Role.OPERATOR ? operatorBytes : ownerBytes;
    }

    /**
     * Admits one more file; run the returned step when it is done.
     *
     * @throws RefusedException if its tenant has too many in progress
     */
    synchronized Runnable admit(Caller caller) {
        if (caller.token().role() == Role.OPERATOR) {
            return () -> {};
        }
        String tenant = caller.tenant();
        if (underway.getOrDefault(tenant, 0) >= AT_ONCE) {
            throw new RefusedException(
                    Problem.BUSY,
                    "tenant " + tenant + " has " + AT_ONCE
                            + " fleet files in progress; send the next one when one is done");
        }
        underway.merge(tenant, 1, Integer::sum);
        return () -> release(tenant);
    }

    private synchronized void release(String tenant) {
        underway.computeIfPresent(tenant, (name, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }
}
