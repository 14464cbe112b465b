package io.forewarn.wire.control;

/**
 * What keeps pieces of a rollout waiting.
 *
 * @param pieces how many
 * @param why for people
 */
public record BlockedUnitsBody(int pieces, String why) {}
