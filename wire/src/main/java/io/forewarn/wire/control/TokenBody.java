package io.forewarn.wire.control;

import io.forewarn.core.access.ApiToken;

/**
 * A token.
 *
 * @param role operator, owner or viewer
 * @param tenant the tenant it is limited to, or * for all
 * @param secret shown once, when the token is created
 */
public record TokenBody(String name, String role, String tenant, String createdAt, String expiresAt, String secret) {
    /** The tenant of a token that opens all. */
    public static final String EVERY_TENANT = ApiToken.EVERY_TENANT;
}
