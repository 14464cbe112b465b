package io.forewarn.wire.control;

/**
 * A unit of a rollout that was not done.
 *
 * @param name a host, or tenant/group#domain
 * @param state failed or skipped
 * @param reason the reason, as human-readable text
 */
public record UnitOutcomeBody(String name, String state, String reason) {}
