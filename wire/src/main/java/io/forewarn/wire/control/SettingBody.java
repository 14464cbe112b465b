package io.forewarn.wire.control;

/**
 * A setting of the node that answers.
 *
 * @param key as in the configuration file
 * @param value *** for a secret
 * @param origin where the value came from: the configuration file, a variable or a flag; absent if it is the default
 */
public record SettingBody(String key, String value, String origin) {}
