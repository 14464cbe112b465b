package io.forewarn.core.rules;

import io.forewarn.core.access.ApiToken;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MemoryEstimate;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.policy.Policy;
import java.util.List;
import java.util.Map;

/**
 * Counts how much each tenant uses of its quotas. Webhooks and mail subscriptions are few enough to be counted on demand.
 */
public final class TenantUsage {
    /** What is counted: of a tenant, one thing. */
    public record Count(String tenant, Quota of) {}

    private final Map<Count, Long> counts;

    /** @param counts empty, and safe for the threads that will read it */
    public TenantUsage(Map<Count, Long> counts) {
        this.counts = counts;
    }

    public long used(String tenant, Quota of) {
        return counts.getOrDefault(new Count(tenant, of), 0L);
    }

    /** @param sign 1 if it is added, -1 if it is removed */
    public void count(ApiToken token, int sign) {
        if (!token.everyTenant()) {
            add(token.tenant(), Quota.TOKENS, sign);
        }
    }

    /** @param sign 1 if it is added, -1 if it is removed */
    public void count(Policy policy, int sign) {
        add(policy.scope().tenant(), Quota.POLICIES, sign);
    }

    /**
     * @param group null if it was not there, or is not any more
     * @param sign 1 if they come, -1 if they go
     * @return what they take in memory
     */
    public long count(String tenant, Group group, List<Machine> machines, int sign) {
        long bytes = group == null ? 0 : MemoryEstimate.of(group);
        for (Machine machine : machines) {
            bytes += MemoryEstimate.of(machine);
        }
        add(tenant, Quota.GROUPS, group == null ? 0 : sign);
        add(tenant, Quota.MACHINES, (long) sign * machines.size());
        add(tenant, Quota.FLEET_BYTES, sign * bytes);
        return bytes;
    }

    /** Adds what another counted. */
    public void add(TenantUsage more) {
        more.counts.forEach((count, value) -> add(count.tenant(), count.of(), value));
    }

    private void add(String tenant, Quota of, long more) {
        if (more != 0) {
            counts.merge(new Count(tenant, of), more, (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
        }
    }
}
