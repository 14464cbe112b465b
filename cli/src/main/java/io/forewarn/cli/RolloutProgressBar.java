package io.forewarn.cli;

import io.forewarn.wire.control.RolloutBody;

/** How far a rollout is, as one line. */
final class RolloutProgressBar {
    private static final int WIDE = 40;

    private RolloutProgressBar() {}

    /** How far it is, and why it stands where it stands. */
    static String of(RolloutBody r) {
        return progress(r) + ", " + r.status() + (why(r).isEmpty() ? "" : ": " + why(r));
    }

    /** Done, under way, to come. What failed is not done: it leaves a gap. */
    static String progress(RolloutBody r) {
        int over = r.done() + r.skipped();
        int full = r.units() == 0 ? WIDE : (int) ((long) WIDE * over / r.units());
        int busy = r.units() == 0 ? 0 : Math.min(WIDE - full, (int) Math.ceil((double) WIDE * r.open() / r.units()));
        String bar = "#".repeat(full) + ">".repeat(busy) + ".".repeat(WIDE - full - busy);
        return "[" + bar + "] " + over + "/" + r.units() + "  " + r.open() + " open, " + r.failed() + " failed"
                + (r.skipped() == 0 ? "" : ", " + r.skipped() + " skipped");
    }

    /** Why it does not go on; empty if it does, or there is nothing to say. */
    static String why(RolloutBody r) {
        if (r.why() != null) {
            return DisplayNames.whole(r.why());
        }
        if (r.open() > 0 || r.waiting() == null || r.waiting().isEmpty()) {
            return "";
        }
        int more = r.waiting().size() - 1;
        return r.waiting().get(0).why() + (more == 0 ? "" : ", and " + DisplayNames.count(more, "more reason"));
    }
}
