package io.forewarn.wire.control;

/**
 * A host or group that a rollout leaves out.
 *
 * @param reason why, as a text for people
 */
public record ExcludedTargetBody(String name, String reason) {}
