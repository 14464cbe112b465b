package io.forewarn.wire.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;

/**
 * A postponement: either a time or a duration.
 *
 * @param until a time such as 2030-01-01T00:00:00Z, or fri 22:00 Europe/Berlin for the next Friday
 * @param by a duration, counted from the current NotBefore, or from now if that has passed
 * @param reason one line of at most 200 characters; history, notifications and the audit log show it
 */
public record PostponeRequest(String until, String by, String reason) {
    public static final PostponeRequest EMPTY = new PostponeRequest(null, null, null);

    /** Refuses a request without a time, and one with two. */
    public void checkTime() {
        if ((until == null) == (by == null)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    (by == null ? "neither by nor until is given" : "both by and until are given, and only one may be")
                            + "; use {\"by\":\"15m\"} or {\"until\":\"2030-01-01T00:00:00Z\"}");
        }
    }
}
