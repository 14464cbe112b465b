package io.forewarn.server.settings;

import io.forewarn.core.rules.Terms;

/** Two values of one type. Single settings override either. */
public enum Profile {
    /** The contract. */
    AZURE(Terms.AZURE, 5),
    /** For tests of handlers. */
    TEST(Terms.TEST, 0);

    private final Terms terms;
    private final int rateLimit;

    Profile(Terms terms, int rateLimit) {
        this.terms = terms;
        this.rateLimit = rateLimit;
    }

    public Terms terms() {
        return terms;
    }

    /** Requests a second from one machine; 0 for no limit. */
    public int rateLimit() {
        return rateLimit;
    }
}
