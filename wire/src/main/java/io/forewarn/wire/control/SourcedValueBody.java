package io.forewarn.wire.control;

/**
 * A value that applies to an event, and its source.
 *
 * @param name as in a policy
 * @param source the policy or other source that set the value
 */
public record SourcedValueBody(String name, String value, String source) {}
