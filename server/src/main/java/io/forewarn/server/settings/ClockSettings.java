package io.forewarn.server.settings;

import java.time.Duration;
import java.time.ZoneId;

/**
 * Settings of the clock.
 *
 * @param kind clock source: system follows the machine's clock; manual stands still until it is moved
 * @param resumeGrace after a start, a stall or a jump of time, how long the service must have been readable before
 *     anything starts because its notice is over; 0s with the manual clock unless set
 * @param zone time zone of windows, blackouts and times that name none, such as Europe/Berlin
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
