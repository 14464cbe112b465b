package io.forewarn.wire.control;

/**
 * A move of the manual clock.
 *
 * @param by for advance: how far, such as 15m
 * @param to for set: a time such as 2030-01-01T00:00:00Z, or the next such time, as in fri 22:00 Europe/Berlin
 */
public record ClockRequest(String by, String to) {}
