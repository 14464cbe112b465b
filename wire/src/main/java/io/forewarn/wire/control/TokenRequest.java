package io.forewarn.wire.control;

/**
 * A token to create.
 *
 * @param role operator, owner or viewer; default: owner of the tenant if one is named, otherwise operator
 * @param tenant the tenant it is limited to; default: all tenants for an operator or viewer, for an owner, their own
 * @param expiresIn lifetime, such as 90d; default: unlimited, or as long as the owner's token that creates it
 */
public record TokenRequest(String name, String role, String tenant, String expiresIn) {}
