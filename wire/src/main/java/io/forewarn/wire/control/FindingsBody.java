package io.forewarn.wire.control;

import java.util.List;

/** Problems found; empty if there are none. */
public record FindingsBody(List<Finding> findings) {
    /**
     * One problem, with a fix.
     *
     * @param subject port, store, clock, token, group or address
     */
    public record Finding(String subject, String problem, String fix) {}
}
