package io.forewarn.server.settings;

import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.server.metadata.MetadataSettings;

/** Two values of one type. Single settings override either. */
public enum Profile {
    /** The contract. */
    AZURE(ServiceTerms.AZURE, MetadataSettings.AZURE),
    /** For tests of handlers. */
    TEST(ServiceTerms.TEST, MetadataSettings.TEST);

    private final ServiceTerms terms;
    private final MetadataSettings metadata;

    Profile(ServiceTerms terms, MetadataSettings metadata) {
        this.terms = terms;
        this.metadata = metadata;
    }

    public ServiceTerms terms() {
        return terms;
    }

    public MetadataSettings metadata() {
        return metadata;
    }
}
