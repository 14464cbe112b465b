package io.forewarn.wire.control;

/**
 * A token to make.
 *
 * @param tenant the only tenant it opens; left out, it opens all
 * @param expires after how long, such as 90d; left out, never
 */
public record TokenRequest(String name, String tenant, String expires) {}
