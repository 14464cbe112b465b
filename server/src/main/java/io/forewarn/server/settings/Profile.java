package io.forewarn.server.settings;

import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.server.metadata.MetadataSettings;

/** Selects a set of defaults, which single settings override. */
public enum Profile {
    /** As Azure behaves. */
    AZURE(ServiceTerms.AZURE, MetadataSettings.AZURE),
    /** For testing event handlers: always enabled, no rate limit. */
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
