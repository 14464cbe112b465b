package io.forewarn.wire.control;

import java.util.List;

/** What is wrong; empty if nothing is. */
public record FindingsBody(List<Finding> findings) {
    /**
     * One thing that is wrong.
     *
     * @param about port, store, clock, token, group or address
     */
    public record Finding(String about, String found, String cure) {}
}
