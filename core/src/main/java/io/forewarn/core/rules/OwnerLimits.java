package io.forewarn.core.rules;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.Quota;
import java.time.Duration;
import java.util.Map;

/**
 * Limits on owners, so that no tenant can exhaust the service for the others. They do not apply to operators.
 *
 * @param quotas how much of each a tenant may have, unless an operator granted otherwise
 * @param longestNotice the longest notice an owner may set
 * @param longestHold how long an owner's settings may hold platform work, counted from when the work was requested
 */
public record OwnerLimits(Map<Quota, Long> quotas, Duration longestNotice, Duration longestHold) {
    public static final OwnerLimits USUAL = new OwnerLimits(
            Map.of(
                    Quota.MACHINES, 10_000L,
                    Quota.GROUPS, 10_000L,
                    Quota.FLEET_BYTES, 64L << 20,
                    Quota.POLICIES, 1_000L,
                    Quota.TOKENS, 100L,
                    Quota.WEBHOOKS, 50L,
                    Quota.MAIL_SUBSCRIPTIONS, 50L),
            Duration.ofDays(7),
            Duration.ofDays(30));

    public OwnerLimits {
        quotas = Map.copyOf(quotas);
    }

    /** How much a tenant's owners may have of something. */
    public long quota(StateReader state, String tenant, Quota of) {
        Long given = state.tenant(tenant).map(t -> t.quotas().get(of)).orElse(null);
        return given == null ? quotas.get(of) : given;
    }

    /** @throws RefusedException if owners of a tenant would then have more than they may */
    void mustHaveRoom(StateReader state, String tenant, Quota of, long more) {
        long used = state.used(tenant, of);
        long most = quota(state, tenant, of);
        if (more > 0 && used + more > most) {
            throw new RefusedException(Problem.LIMIT_EXCEEDED, full(tenant, of, used, more, most));
        }
    }

    static String full(String tenant, Quota of, long used, long more, long most) {
        return "tenant " + tenant + " has " + used + " " + of.words() + " and would have " + (used + more)
                + "; its owners may have " + most + ", an operator may allow more with forewarn tenant set "
                + tenant + " --quota " + of.key() + "=N";
    }
}
