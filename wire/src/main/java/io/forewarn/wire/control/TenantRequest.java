package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * What an operator gives to a tenant. What is left out stays as it is.
 *
 * @param addresses the ranges from which its owners may give machines addresses, such as 10.1.0.0/16; an empty list revokes all
 * @param hosts patterns of the hosts on which its owners may place machines, such as rack-7-*; an empty list revokes all
 * @param quotas how much it may have of machines, groups, fleet-bytes, policies, tokens, webhooks or mails
 * @param usual which of these are the usual again
 */
public record TenantRequest(List<String> addresses, List<String> hosts, Map<String, Long> quotas, List<String> usual) {}
