package io.forewarn.cli;

import io.forewarn.wire.control.RolloutBody;

/** How far a rollout is, as one line. */
final class RolloutBar {
    private static final int WIDE = 40;

    private RolloutBar() {}

    /** How far it is, and why it stands where it stands. */
    static String of(RolloutBody r) {
        return progress(r) + ", " + r.status() + (why(r).isEmpty() ? "" : ": " + why(r));
    }

    /** Done, under way, to come. */
    static String progress(RolloutBody r) {
        int over = r.done() + r.failed();
        int full = r.pieces() == 0 ? WIDE : (int) ((long) WIDE * over / r.pieces());
        int busy = r.pieces() == 0 ? 0 : Math.min(WIDE - full, (int) Math.ceil((double) WIDE * r.open() / r.pieces()));
        String bar = "#".repeat(full) + ">".repeat(busy) + ".".repeat(WIDE - full - busy);
        return "[" + bar + "] " + over + "/" + r.pieces() + "  " + r.open() + " open, " + r.failed() + " failed";
    }

    /** Why it does not go on; empty if there is nothing to say. */
    static String why(RolloutBody r) {
        return r.why() == null ? "" : Naming.whole(r.why());
    }
}
