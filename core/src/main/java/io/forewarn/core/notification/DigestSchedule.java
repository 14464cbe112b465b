package io.forewarn.core.notification;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/**
 * Decides when the notifications of a subscription are sent: each at once, or all of one period together when it ends.
 * Which period a notification belongs to depends only on the time in its history entry, so that every node and every
 * restart comes to the same result.
 *
 * @param zone the zone in which hours and days begin
 * @param daily when a daily digest is sent
 */
public record DigestSchedule(Frequency frequency, ZoneId zone, LocalTime daily) {
    /** How often a subscription is sent what has happened. */
    public enum Frequency {
        /** Each notification at once. */
        NOW,
        /** At the full hour. */
        HOURLY,
        /** Once a day. */
        DAILY
    }

    public boolean atOnce() {
        return frequency == Frequency.NOW;
    }

    /** When the period of that time ends: later than the time itself, unless it is sent at once. */
    public Instant end(Instant at) {
        return switch (frequency) {
            case NOW -> at;
            case HOURLY ->
                at.atZone(zone).truncatedTo(ChronoUnit.HOURS).plusHours(1).toInstant();
            case DAILY -> {
                ZonedDateTime today = at.atZone(zone).with(daily);
                yield today.toInstant().isAfter(at)
                        ? today.toInstant()
                        : today.plusDays(1).with(daily).toInstant();
            }
        };
    }
}
