package io.forewarn.wire.control;

/**
 * A host or group that a rollout leaves out.
 *
 * @param reason the reason, in words for people
 */
public record ExcludedTargetBody(String name, String reason) {}
