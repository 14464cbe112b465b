package io.forewarn.server.settings;

/**
 * A setting that differs from its default.
 *
 * @param value {@code ***} for a secret
 * @param origin where the value came from
 */
public record ChangedSetting(String key, String value, String origin) {
    @Override
    public String toString() {
        return key + " = " + value + " (" + origin + ")";
    }
}
