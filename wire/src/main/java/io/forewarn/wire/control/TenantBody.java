package io.forewarn.wire.control;

import java.util.List;

/**
 * A tenant: an owner of groups. It exists as long as a group, a policy or a token names it.
 *
 * @param groups how many
 * @param machines how many
 * @param events how many are open
 * @param policies how many
 * @param tokens how many open this tenant only
 * @param groupNames only where one tenant is asked for
 * @param tokenNames only where one tenant is asked for, by its owner or an operator
 */
public record TenantBody(
        String name,
        int groups,
        int machines,
        int events,
        int policies,
        int tokens,
        List<String> groupNames,
        List<String> tokenNames) {}
