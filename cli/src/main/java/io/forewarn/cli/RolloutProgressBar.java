package io.forewarn.cli;

import io.forewarn.wire.control.RolloutBody;

/** Formats the progress of a rollout as one line. */
final class RolloutProgressBar {
    private static final int WIDE = 40;

    private RolloutProgressBar() {}

    /** The progress, why it does not continue, and when it is expected to end. */
    static String of(RolloutBody r) {
        boolean runs = r.expectedEnd() != null && r.status().equals("running");
        return withoutEnd(r) + (runs ? ", ends about " + DisplayNames.time(r.expectedEnd()) : "");
    }

    /** The same without the expected end, which changes by itself while work takes longer than expected. */
    static String withoutEnd(RolloutBody r) {
        return progress(r) + ", " + r.status() + (reason(r).isEmpty() ? "" : ": " + reason(r));
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

    private static boolean isWorking(RolloutBody r) {
        return r.activeUnits() != null
                && r.activeUnits().stream()
                        .flatMap(unit -> unit.events().stream())
                        .anyMatch(event -> event.status().equals("started"));
    }

    /** Why it does not continue; empty if it does or no reason is known. */
    static String reason(RolloutBody r) {
        if (r.reason() != null) {
            return DisplayNames.whole(r.reason());
        }
        if (isWorking(r) || r.blockedUnits() == null || r.blockedUnits().isEmpty()) {
            return "";
        }
        int more = r.blockedUnits().size() - 1;
        return r.blockedUnits().get(0).reason() + (more == 0 ? "" : ", and " + DisplayNames.count(more, "more reason"));
    }
}
