package io.forewarn.core.rollout;

/**
 * A host or group that a rollout's names cover, but that it leaves out.
 *
 * @param why which filter left it out, in words
 */
public record ExcludedTarget(String name, String why) {}
