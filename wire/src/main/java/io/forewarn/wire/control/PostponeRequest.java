package io.forewarn.wire.control;

/**
 * A postponement: either a time or a duration.
 *
 * @param until a time such as 2030-01-01T00:00:00Z; people may also write the next such time, as in fri 22:00
 *     Europe/Berlin
 * @param by a duration, counted from the current NotBefore
 */
public record PostponeRequest(String until, String by) {}
