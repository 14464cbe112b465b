package io.forewarn.wire.control;

/**
 * Units of a rollout that wait for the same reason.
 *
 * @param count number of units
 * @param reason the reason, as human-readable text
 */
public record BlockedUnitsBody(int count, String reason) {}
