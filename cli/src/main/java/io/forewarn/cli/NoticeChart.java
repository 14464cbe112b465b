package io.forewarn.cli;

import io.forewarn.wire.control.NoticeSummaryBody;
import io.forewarn.wire.control.NoticeSummaryBody.Band;
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
                .append(all.fellShort())
                .append(" had less");
        more(figures, all.waived(), "approved earlier");
        more(figures, all.without(), "promised none");
        more(figures, all.cancelled(), "cancelled");
        more(figures, all.open(), "not started yet");
        lines.add(figures.toString());
        if (all.worst() != null) {
            lines.add("worst: " + all.worst() + " short, event " + all.worstEvent());
        }
        if (all.machines() > 0) {
            lines.add("machines: " + all.neverSaw() + " of " + all.machines() + " (" + all.neverSawPercent()
                    + "%) never saw their event, " + all.sawLate() + " saw it only when it had started");
        }
        if (!all.bands().isEmpty()) {
            lines.add("");
            lines.add("notice given");
            bars(all.bands(), lines);
        }
        return lines;
    }

    private static void more(StringBuilder figures, int count, String what) {
        if (count > 0) {
            figures.append(", ").append(count).append(' ').append(what);
        }
    }

    private static void bars(List<Band> bands, List<String> lines) {
        int most = bands.stream().mapToInt(Band::events).max().orElse(1);
        int wide = bands.stream().mapToInt(b -> label(b).length()).max().orElse(0);
        for (Band band : bands) {
            // A single event stays visible beside a thousand.
            int length = band.events() == 0 ? 0 : Math.max(1, Math.round((float) band.events() * WIDEST / most));
            String label = label(band);
            lines.add(
                    ("  " + label + " ".repeat(wide - label.length()) + "  " + "#".repeat(length) + " " + band.events())
                            .stripTrailing());
        }
    }

    private static String label(Band band) {
        if (band.from().equals("0s")) {
            return "none";
        }
        return band.to() == null ? band.from() + " or more" : band.from() + " to " + band.to();
    }
}
