package io.forewarn.wire.control;

/**
 * A token to make.
 *
 * @param role operator, owner or viewer; left out, owner of the tenant if one is named, else operator
 * @param tenant the only tenant it opens; left out, all for an operator or viewer, and its own if an owner asks
 * @param expires after how long, such as 90d; left out, never, or with the owner's token that makes it
 */
public record TokenRequest(String name, String role, String tenant, String expires) {}
