package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * A tenant: an owner of groups. It exists as long as a group, a policy or a token names it, or an operator gave it something.
 *
 * @param groups how many
 * @param machines how many
 * @param events how many are open
 * @param policies how many
 * @param tokens how many open this tenant only
 * @param groupNames only where one tenant is asked for
 * @param tokenNames only where one tenant is asked for, by its owner or an operator
 * @param addresses the ranges from which its owners may give machines addresses; only where one tenant is asked for
 * @param hosts patterns of the hosts on which its owners may place machines; only where one tenant is asked for
 * @param quotas how much it has and may have; only where one tenant is asked for
 */
public record TenantBody(
        String name,
        int groups,
        int machines,
        int events,
        int policies,
        int tokens,
        List<String> groupNames,
        List<String> tokenNames,
        List<String> addresses,
        List<String> hosts,
        Map<String, QuotaBody> quotas) {}
