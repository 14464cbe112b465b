package io.forewarn.server.settings;

import io.forewarn.core.fleet.Quota;
import io.forewarn.core.rules.OwnerLimits;
import java.time.Duration;
import java.util.Map;

/**
 * How far the owners of a tenant may go. Operators are not bound by it, and may allow one tenant more.
 *
 * @param machines how many machines a tenant's owners may have
 * @param groups how many groups; a machine alone is one as well
 * @param fleetBytes what its part of the fleet may take in memory, by estimate
 * @param policies how many policies
 * @param tokens how many tokens
 * @param webhooks how many webhooks
 * @param mails how many mails
 * @param longestNotice the longest notice, and the longest postponement in all, an owner may ask for
 * @param longestHold how long windows, blackouts and "seen by all" that an owner set hold platform work, from when it was asked for
 * @param fileBytes the largest fleet file of an owner
 */
public record TenantSettings(
        long machines,
        long groups,
        long fleetBytes,
        long policies,
        long tokens,
        long webhooks,
        long mails,
        Duration longestNotice,
        Duration longestHold,
        long fileBytes) {
    static final TenantSettings DEFAULTS = of(OwnerLimits.USUAL);

    private static TenantSettings of(OwnerLimits limits) {
        return new TenantSettings(
                limits.quotas().get(Quota.MACHINES),
                limits.quotas().get(Quota.GROUPS),
                limits.quotas().get(Quota.FLEET_BYTES),
                limits.quotas().get(Quota.POLICIES),
                limits.quotas().get(Quota.TOKENS),
                limits.quotas().get(Quota.WEBHOOKS),
                limits.quotas().get(Quota.MAILS),
                limits.longestNotice(),
                limits.longestHold(),
                16L << 20);
    }

    public OwnerLimits limits() {
        return new OwnerLimits(
                Map.of(
                        Quota.MACHINES, machines,
                        Quota.GROUPS, groups,
                        Quota.FLEET_BYTES, fleetBytes,
                        Quota.POLICIES, policies,
                        Quota.TOKENS, tokens,
                        Quota.WEBHOOKS, webhooks,
                        Quota.MAILS, mails),
                longestNotice,
                longestHold);
    }
}
