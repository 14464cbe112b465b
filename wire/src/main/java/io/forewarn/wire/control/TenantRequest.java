package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * Grants and quotas of a tenant. Omitted members stay unchanged.
 *
 * @param addresses address ranges that its owners may use for machines, such as 10.1.0.0/16; an empty list revokes all
 * @param hosts patterns of host names on which its owners may place machines, such as rack-7-*; an empty list revokes all
 * @param quotas limits for machines, groups, fleet-bytes, policies, tokens, webhooks or mail-subscriptions
 * @param resetQuotas the quotas to reset to their defaults
 */
public record TenantRequest(
        List<String> addresses, List<String> hosts, Map<String, Long> quotas, List<String> resetQuotas) {}
