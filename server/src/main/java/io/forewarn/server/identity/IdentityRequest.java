package io.forewarn.server.identity;

/** Provides what identifies the machine of a request. */
public interface IdentityRequest {
    /** The machine-owned listener of the connection, as in the fleet; null for the common listener. */
    String listener();

    /** The source address, in the format of {@link io.forewarn.core.fleet.Addresses}. */
    String source();

    /** The value of a header; null if absent. */
    String header(CharSequence name);

    /** How often a header occurs. */
    int count(CharSequence name);
}
