package io.forewarn.wire.control;

/**
 * What keeps units of a rollout waiting.
 *
 * @param units how many
 * @param why the reason, as a text for people
 */
public record BlockedUnitsBody(int units, String why) {}
