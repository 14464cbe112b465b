package io.forewarn.server.settings;

import io.forewarn.core.rules.Terms;
import io.forewarn.server.metadata.MetadataSettings;

/** Two values of one type. Single settings override either. */
public enum Profile {
    /** The contract. */
    AZURE(Terms.AZURE, MetadataSettings.AZURE),
    /** For tests of handlers. */
    TEST(Terms.TEST, MetadataSettings.TEST);

    private final Terms terms;
    private final MetadataSettings metadata;

    Profile(Terms terms, MetadataSettings metadata) {
        this.terms = terms;
        this.metadata = metadata;
    }

    public Terms terms() {
        return terms;
    }

    public MetadataSettings metadata() {
        return metadata;
    }
}
