package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.Role;
import java.util.HashMap;
import java.util.Map;

/**
 * Says how much of a fleet file is taken from whom, and how many of one tenant at a time: whoever sends many large files keeps nobody
 * busy but a few threads, and nobody waiting but itself. Any thread.
 */
public final class FleetIntake {
    /** How many files of one tenant are received, read or applied at a time. */
    static final int AT_ONCE = 2;

    private final long operatorBytes;
    private final long ownerBytes;
    private final MemoryBudget memory;
    private final Map<String, Integer> underway = new HashMap<>();

    /**
     * @param operatorBytes the largest file of an operator
     * @param ownerBytes the largest file of an owner
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
     * Takes one more file, until the returned step is run.
     *
     * @throws RefusedException if its tenant has enough under way
     */
    synchronized Runnable admit(Caller caller) {
        if (caller.token().role() == Role.OPERATOR) {
            return () -> {};
        }
        String tenant = caller.tenant();
        if (underway.getOrDefault(tenant, 0) >= AT_ONCE) {
            throw new RefusedException(
                    Problem.BUSY,
                    "tenant " + tenant + " has " + AT_ONCE + " fleet files under way; send the next when one is done");
        }
        underway.merge(tenant, 1, Integer::sum);
        return () -> release(tenant);
    }

    private synchronized void release(String tenant) {
        underway.computeIfPresent(tenant, (name, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }
}
