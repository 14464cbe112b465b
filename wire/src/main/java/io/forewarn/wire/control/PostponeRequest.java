package io.forewarn.wire.control;

/**
 * A postponement: either a time or a duration.
 *
 * @param until a time
 * @param by a duration, counted from the current NotBefore
 */
public record PostponeRequest(String until, String by) {}
