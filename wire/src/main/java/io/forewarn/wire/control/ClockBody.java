package io.forewarn.wire.control;

/**
 * Service time.
 *
 * @param clock system or manual
 */
public record ClockBody(String clock, String now) {}
