package io.forewarn.server.forward;

/**
 * What the signature of another node covers.
 *
 * @param caller on whose behalf it asks, as JSON
 * @param body the SHA-256 of the body, in hex
 */
public record VouchedRequest(String caller, String body) {}
