package io.forewarn.cli;

import io.forewarn.wire.control.RolloutBody;

/** Formats the progress of a rollout as one line. */
final class RolloutProgressBar {
    private static final int WIDE = 40;

    private RolloutProgressBar() {}

    /** The progress, and why it does not continue. */
    static String of(RolloutBody r) {
        String eta = r.expectedEnd() == null ? "" : ", ends about " + DisplayNames.time(r.expectedEnd());
        return progress(r) + ", " + r.status() + (reason(r).isEmpty() ? "" : ": " + reason(r)) + eta;
    }

    /** Units done, active and to come. Failed units leave a gap. */
    static String progress(RolloutBody r) {
        int over = r.done() + r.skipped();
        int full = r.units() == 0 ? WIDE : (int) ((long) WIDE * over / r.units());
        int busy = r.units() == 0 ? 0 : Math.min(WIDE - full, (int) Math.ceil((double) WIDE * r.active() / r.units()));
        String bar = "#".repeat(full) + ">".repeat(busy) + ".".repeat(WIDE - full - busy);
        return "[" + bar + "] " + over + "/" + r.units() + "  " + r.active() + " active, " + r.failed() + " failed"
                + (r.skipped() == 0 ? "" : ", " + r.skipped() + " skipped");
    }

    /** Why it does not continue; empty if it does or no reason is known. */
    static String reason(RolloutBody r) {
        if (r.reason() != null) {
            return DisplayNames.whole(r.reason());
        }
        if (r.active() > 0 || r.blockedUnits() == null || r.blockedUnits().isEmpty()) {
            return "";
        }
        int more = r.blockedUnits().size() - 1;
        return r.blockedUnits().get(0).reason() + (more == 0 ? "" : ", and " + DisplayNames.count(more, "more reason"));
    }
}
