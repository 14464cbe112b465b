package io.forewarn.wire.control;

import io.forewarn.core.access.ApiToken;

/**
 * A token.
 *
 * @param role operator, owner, viewer or calendar
 * @param tenant the tenant it is limited to, or * for all
 * @param group the only group that a calendar shows
 * @param rollout the only rollout that a calendar shows
 * @param secret shown once, when the token is created
 */
public record TokenBody(
        String name,
        String role,
        String tenant,
        String createdAt,
        String expiresAt,
        String group,
        String rollout,
        String secret) {
    /** The tenant of a token that opens all. */
    public static final String EVERY_TENANT = ApiToken.EVERY_TENANT;
}
