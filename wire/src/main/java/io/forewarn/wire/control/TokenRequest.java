package io.forewarn.wire.control;

/**
 * A token to create.
 *
 * @param role operator, owner, viewer or calendar; default: owner of the tenant if one is named, otherwise operator
 * @param tenant the tenant it is limited to; default: all tenants; for a request from an owner, the owner's tenant
 * @param expiresIn lifetime, such as 90d; default: unlimited, or until the owner's token that creates it expires
 * @param group the only group that a calendar shows; default: all
 * @param rollout the only rollout that a calendar shows; default: all
 */
public record TokenRequest(String name, String role, String tenant, String expiresIn, String group, String rollout) {}
