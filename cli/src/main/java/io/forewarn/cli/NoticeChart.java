package io.forewarn.cli;

import io.forewarn.wire.control.NoticeSummaryBody;
import io.forewarn.wire.control.NoticeSummaryBody.NoticeBucket;
import java.util.ArrayList;
import java.util.List;

/** Draws the figures of a notice report as a few lines and bars. */
final class NoticeChart {
    private static final int WIDEST = 40;

    private NoticeChart() {}

    static List<String> of(NoticeSummaryBody all) {
        List<String> lines = new ArrayList<>();
        if (all.events() == 0) {
            return List.of("No events.");
        }
        StringBuilder figures = new StringBuilder(all.events() + (all.events() == 1 ? " event: " : " events: "))
                .append(all.kept())
                .append(" had all of the promised notice, ")
                .append(all.shortfall())
                .append(" had less");
        more(figures, all.waived(), "approved earlier");
        more(figures, all.notPromised(), "promised none");
        more(figures, all.cancelled(), "cancelled");
        more(figures, all.open(), "not started yet");
        lines.add(figures.toString());
        if (all.largestShortfall() != null) {
            lines.add("largest shortfall: " + all.largestShortfall() + ", event " + all.largestShortfallEvent());
        }
        if (all.machines() > 0) {
            lines.add("notices to machines: " + all.neverSaw() + " of " + all.machines() + " (" + all.neverSawPercent()
                    + "%) were never seen, " + all.sawLate() + " were seen only after the start");
        }
        if (!all.buckets().isEmpty()) {
            lines.add("");
            lines.add("notice given");
            bars(all.buckets(), lines);
        }
        return lines;
    }

    private static void more(StringBuilder figures, int count, String what) {
        if (count > 0) {
            figures.append(", ").append(count).append(' ').append(what);
        }
    }

    private static void bars(List<NoticeBucket> buckets, List<String> lines) {
        int most = buckets.stream().mapToInt(NoticeBucket::events).max().orElse(1);
        int wide = buckets.stream().mapToInt(b -> label(b).length()).max().orElse(0);
        for (NoticeBucket bucket : buckets) {
            // A single event stays visible beside a thousand.
            int length = bucket.events() == 0 ? 0 : Math.max(1, Math.round((float) bucket.events() * WIDEST / most));
            String label = label(bucket);
            lines.add(("  " + label + " ".repeat(wide - label.length()) + "  " + "#".repeat(length) + " "
                            + bucket.events())
                    .stripTrailing());
        }
    }

    private static String label(NoticeBucket bucket) {
        if (bucket.from().equals("0s")) {
            return "none";
        }
        return bucket.to() == null ? bucket.from() + " or more" : bucket.from() + " to " + bucket.to();
    }
}
