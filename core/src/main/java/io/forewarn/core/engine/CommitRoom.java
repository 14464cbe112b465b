package io.forewarn.core.engine;

import io.forewarn.core.rules.Command;

/** Tracks how much of a commit's size limit is used. Sizes are never underestimated. */
final class CommitRoom {
    private static final int BYTES_PER_COMMAND = 1024;
    /** The pages of log and audit, whose frames and answers take some bytes of their own. */
    private static final int PAGES = 2;

    private final Store.Limits limits;
    private int operations;
    private int bytes;

    CommitRoom(Store.Limits limits) {
        this.limits = limits;
    }

    /** @param commands how many are in the commit already */
    boolean fits(Store.Limits more, int commands) {
        return operations + more.operations() + PAGES <= limits.operations()
                && (long) bytes + more.bytes() + BYTES_PER_COMMAND * (commands + 1L) < limits.bytes();
    }

    /** How many records the commit writes or deletes so far. */
    int operations() {
        return operations;
    }

    void take(Store.Limits more) {
        operations += more.operations();
        bytes += more.bytes();
    }

    /** Whether a command must be staged. A fleet is staged early: others can pass meanwhile. */
    boolean isLarge(Command command, Store.Limits weight) {
        int part = command instanceof Command.ChangeFleet ? 4 : 2;
        return weight.operations() >= limits.operations() / part || weight.bytes() >= limits.bytes() / part;
    }
}
