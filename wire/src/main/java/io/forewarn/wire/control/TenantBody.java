package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * A tenant: an owner of groups. It exists as long as a group, a policy or a token names it, or an operator granted it something.
 *
 * @param groups number of groups
 * @param machines number of machines
 * @param events number of open events
 * @param policies number of policies
 * @param tokens number of tokens limited to this tenant
 * @param groupNames only in answers about a single tenant
 * @param tokenNames only in answers about a single tenant, for its owner or an operator
 * @param addresses address ranges that its owners may use for machines; only in answers about a single tenant
 * @param hosts patterns of host names on which its owners may place machines; only in answers about a single tenant
 * @param quotas use and limits; only in answers about a single tenant
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
