package io.forewarn.wire.control;

/**
 * A host or group that a rollout leaves out.
 *
 * @param reason the reason, as human-readable text
 */
public record ExcludedTargetBody(String name, String reason) {}
