package io.forewarn.wire.control;

/**
 * Units of a rollout that wait for the same reason.
 *
 * @param count number of units
 * @param reason the reason, in words for people
 */
public record BlockedUnitsBody(int count, String reason) {}
