package io.forewarn.wire.control;

/**
 * A token to create.
 *
 * @param role operator, owner, viewer or calendar; default: owner of the tenant if one is named, otherwise operator
 * @param tenant the tenant it is limited to; default: that of the token that creates it
 * @param expiresIn lifetime, such as 90d; default: that of the token that creates it
 * @param group the only group that a calendar shows; default: all
 * @param rollout the only rollout that a calendar shows; default: all
 */
public record TokenRequest(String name, String role, String tenant, String expiresIn, String group, String rollout) {}
