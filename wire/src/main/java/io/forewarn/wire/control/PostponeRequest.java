package io.forewarn.wire.control;

/**
 * Not before a later time; one of the two.
 *
 * @param until a time
 * @param by a duration, counted from the present NotBefore
 */
public record PostponeRequest(String until, String by) {}
