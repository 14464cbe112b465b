package io.forewarn.server.clock;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Formats clock differences for people. */
public final class ClockText {
    private ClockText() {}

    /** "400d ahead of", "3m behind". */
    public static String off(Duration off) {
        return rough(off.abs()) + (off.isNegative() ? " behind" : " ahead of");
    }

    /** "+400d", "-3m". */
    public static String signed(Duration off) {
        return (off.isNegative() ? "-" : "+") + rough(off.abs());
    }

    /** In the two largest units. */
    public static String rough(Duration length) {
        if (length.toSeconds() == 0) {
            return length.toMillis() + "ms";
        }
        // Rounded to the smaller unit: a day less a second is a day.
        long exact = length.plusMillis(500).toSeconds();
        long unit = exact >= 86_400 - 30 ? 3600 : exact >= 3600 - 30 ? 60 : 1;
        long seconds = (exact + unit / 2) / unit * unit;
        long days = seconds / 86_400;
        long hours = seconds % 86_400 / 3600;
        long minutes = seconds % 3600 / 60;
        return days > 0
                ? days + "d" + (hours > 0 ? hours + "h" : "")
                : hours > 0
                        ? hours + "h" + (minutes > 0 ? minutes + "m" : "")
                        : minutes > 0 ? minutes + "m" + (seconds % 60 > 0 ? seconds % 60 + "s" : "") : seconds + "s";
    }

    /** Reports a recent jump of the wall clock, even if it is right again. */
    public static Optional<String> jumped(WallClockCheck check) {
        return check.lastJump()
                .map(jump -> "this machine's clock was set " + (jump.by().isNegative() ? "back" : "forward") + " by "
                        + rough(jump.by().abs()) + " at " + jump.at().truncatedTo(ChronoUnit.SECONDS)
                        + "; service time went on without it");
    }
}
