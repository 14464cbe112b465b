package io.forewarn.wire.azure;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** Holds the error bodies of contract §4. Spacing and punctuation of the first four are those of the real service. */
public final class ErrorJson {
    public static final String NO_METADATA_HEADER =
            "{ \"error\": \"Bad request: . Required metadata header not specified\" }";
    public static final String NO_API_VERSION = noVersion("2020-07-01", "2019-08-01", "2019-04-01");
    /** For {@code /metadata/instance}, which supports newer versions: three of those that clients use. */
    public static final String NO_INSTANCE_VERSION = noVersion("2023-11-15", "2023-07-01", "2021-12-13");

    public static final String UNKNOWN_API_VERSION = "{ \"error\": \"Not found. Invalid version requested\" }";
    public static final String NOT_FOUND = "{ \"error\": \"Not found\" }";

    private ErrorJson() {}

    private static String noVersion(String... newest) {
        return "{\"error\":\"Bad request. api-version is invalid or was not specified in the"
                + " request. For more information refer to aka.ms/azureimds\","
                + "\"newest-versions\":[\"" + String.join("\",\"", newest) + "\"]}";
    }

    /** The body of any other error. */
    public static String of(String sentence) {
        StringBuilder json = new StringBuilder("{\"error\":\"");
        json.append(JsonStringEncoder.getInstance().quoteAsString(sentence));
        return json.append("\"}").toString();
    }
}
