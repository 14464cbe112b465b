package io.forewarn.server.settings;

import java.time.Duration;
import java.time.ZoneId;

/**
 * Settings of the clock.
 *
 * @param kind which clock to use: system follows the machine's clock; manual stands still until someone moves it
 * @param resumeGrace after a start, a stall or a clock jump, how long machines must have been able to poll before events
 *     start without approval; 0s with the manual clock unless set
 * @param zone time zone, such as Europe/Berlin, of windows, blackouts and times that do not name one
 */
public record ClockSettings(Kind kind, Duration resumeGrace, ZoneId zone) {
    /** The clock source. */
    public enum Kind {
        SYSTEM,
        MANUAL
    }

    static ClockSettings defaults(Kind kind) {
        return new ClockSettings(kind, kind == Kind.SYSTEM ? Duration.ofSeconds(60) : Duration.ZERO, ZoneId.of("UTC"));
    }
}
