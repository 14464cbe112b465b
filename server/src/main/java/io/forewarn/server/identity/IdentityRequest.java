package io.forewarn.server.identity;

/** What can be known of a request before its machine is. */
public interface IdentityRequest {
    /** The machine-owned listener it came in on, as the fleet writes it; null if it came in on the common one. */
    String listener();

    /** Where it came from, in the spelling of {@link io.forewarn.core.fleet.Addresses}. */
    String source();

    /** A header's value; null if it is not there. */
    String header(CharSequence name);

    /** How often a header is there. */
    int count(CharSequence name);
}
