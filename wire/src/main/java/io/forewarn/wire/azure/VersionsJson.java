package io.forewarn.wire.azure;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Renders the response of {@code /metadata/versions}. */
public final class VersionsJson {
    public static final String TEXT = Arrays.stream(ApiVersion.values())
            .map(v -> '"' + v.text() + '"')
            .collect(Collectors.joining(",", "{\"apiVersions\":[", "]}"));

    private VersionsJson() {}
}
