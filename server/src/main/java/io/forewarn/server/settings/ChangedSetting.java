package io.forewarn.server.settings;

/**
 * A setting that differs from its default.
 *
 * @param value {@code ***} for a secret
 * @param origin where it was given
 */
public record ChangedSetting(String key, String value, String origin) {
    @Override
    public String toString() {
        return key + " = " + value + " (" + origin + ")";
    }
}
