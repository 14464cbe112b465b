package io.forewarn.wire.control;

/**
 * A value that holds for an event.
 *
 * @param name as in a policy
 * @param from which policy, or what else, set it
 */
public record SourcedValueBody(String name, String value, String from) {}
