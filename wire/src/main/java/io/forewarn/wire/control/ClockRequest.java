package io.forewarn.wire.control;

/**
 * A move of the manual clock.
 *
 * @param by for advance: by how much, such as 15m
 * @param to for set: a time such as 2030-01-01T00:00:00Z, or fri 22:00 Europe/Berlin for the next Friday
 */
public record ClockRequest(String by, String to) {}
