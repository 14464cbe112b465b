package io.forewarn.wire.control;

/**
 * A host or group that a rollout leaves out.
 *
 * @param why the reason, as a text for people
 */
public record ExcludedTargetBody(String name, String why) {}
