package io.forewarn.wire.control;

/**
 * A postponement: either a time or a duration.
 *
 * @param until a time such as 2030-01-01T00:00:00Z, or fri 22:00 Europe/Berlin for the next Friday
 * @param by a duration, counted from the current NotBefore, or from now if that has passed
 * @param reason one line of at most 200 characters; history, notifications and the audit log show it
 */
public record PostponeRequest(String until, String by, String reason) {
    public static final PostponeRequest EMPTY = new PostponeRequest(null, null, null);
}
