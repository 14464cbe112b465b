package io.forewarn.server.settings;

import io.forewarn.core.fleet.Quota;
import io.forewarn.core.rules.OwnerLimits;
import java.time.Duration;
import java.util.Map;

/**
 * Default limits for the owners of a tenant. They do not apply to operators, who may allow a tenant more.
 *
 * @param machines how many machines a tenant's owners may have
 * @param groups how many groups a tenant's owners may have; a machine without a group counts as a group
 * @param fleetBytes how much memory a tenant's part of the fleet may use, as estimated by the service
 * @param policies how many policies a tenant's owners may have
 * @param tokens how many tokens a tenant's owners may have
 * @param webhooks how many webhooks a tenant's owners may have
 * @param mailSubscriptions how many mail subscriptions a tenant's owners may have
 * @param maxNotice longest notice, and longest total postponement, that an owner may ask for
 * @param maxHold how long an owner's windows, blackouts and `--seen-by-all` can delay platform work after it was requested,
 *     and how long a rollout waits for a machine that never polls again, or has failed and is not repaired
 * @param maxFileBytes largest fleet file that an owner may send
 */
public record TenantSettings(
        long machines,
        long groups,
        long fleetBytes,
        long policies,
        long tokens,
        long webhooks,
        long mailSubscriptions,
        Duration maxNotice,
        Duration maxHold,
        long maxFileBytes) {
    static final TenantSettings DEFAULTS = of(OwnerLimits.USUAL);

    private static TenantSettings of(OwnerLimits limits) {
        return new TenantSettings(
                limits.quotas().get(Quota.MACHINES),
                limits.quotas().get(Quota.GROUPS),
                limits.quotas().get(Quota.FLEET_BYTES),
                limits.quotas().get(Quota.POLICIES),
                limits.quotas().get(Quota.TOKENS),
                limits.quotas().get(Quota.WEBHOOKS),
                limits.quotas().get(Quota.MAIL_SUBSCRIPTIONS),
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
                        Quota.MAIL_SUBSCRIPTIONS, mailSubscriptions),
                maxNotice,
                maxHold);
    }
}
