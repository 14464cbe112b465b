package io.forewarn.wire.control;

/**
 * Whom a request is made by.
 *
 * @param name the name of the token
 * @param role operator, owner or viewer
 * @param tenant the tenant it is limited to, or * for all
 * @param expiresAt when the session of the browser ends, by the server's clock; absent if the request carried a token
 */
public record SessionBody(String name, String role, String tenant, String expiresAt) {}
