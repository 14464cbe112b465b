package io.forewarn.server.calendar;

import io.forewarn.core.engine.PublishedState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import net.fortuna.ical4j.data.CalendarOutputter;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.Property;
import net.fortuna.ical4j.model.component.VEvent;
import net.fortuna.ical4j.model.property.Description;
import net.fortuna.ical4j.model.property.DtEnd;
import net.fortuna.ical4j.model.property.DtStamp;
import net.fortuna.ical4j.model.property.DtStart;
import net.fortuna.ical4j.model.property.ProdId;
import net.fortuna.ical4j.model.property.Sequence;
import net.fortuna.ical4j.model.property.Status;
import net.fortuna.ical4j.model.property.Summary;
import net.fortuna.ical4j.model.property.Transp;
import net.fortuna.ical4j.model.property.Uid;
import net.fortuna.ical4j.model.property.XProperty;
import net.fortuna.ical4j.model.property.immutable.ImmutableVersion;

/**
 * Writes planned and recent work as an iCalendar object. The bytes depend only on the work, not on when they are asked for,
 * so that clients can compare them.
 */
public final class CalendarFeed {
    public static final String MEDIA_TYPE = "text/calendar; charset=utf-8";

    private static final String BETWEEN_READS = "PT15M";

    private final CalendarReader reader;

    public CalendarFeed(CalendarReader reader) {
        this.reader = reader;
    }

    /** Reads the store: not for an event loop. */
    public byte[] render(PublishedState published, CalendarScope scope, Instant now) throws Exception {
        Calendar calendar = new Calendar();
        // Without a METHOD, DTSTAMP is the time of the last revision: RFC 5545, 3.8.7.2.
        calendar.add(new ProdId("-//Forewarn//Forewarn//EN"));
        calendar.add(ImmutableVersion.VERSION_2_0);
        calendar.add(new XProperty("X-WR-CALNAME", scope.title()));
        calendar.add(new XProperty("X-PUBLISHED-TTL", BETWEEN_READS));
        for (CalendarEntry entry : reader.read(published, scope, now)) {
            calendar.add(event(entry));
        }
        return bytes(calendar);
    }

    private static VEvent event(CalendarEntry entry) {
        VEvent event = new VEvent(false);
        for (Property property : new Property[] {
            new Uid(entry.uid()),
            new DtStamp(second(entry.revised())),
            new Sequence(entry.sequence()),
            new DtStart<>(second(entry.starts())),
            new DtEnd<>(end(entry)),
            new Summary(entry.summary()),
            new Description(entry.details()),
            new Status(entry.cancelled() ? Status.VALUE_CANCELLED : Status.VALUE_CONFIRMED),
            // It takes nobody's time.
            new Transp(Transp.VALUE_TRANSPARENT)
        }) {
            event.add(property);
        }
        return event;
    }

    /** After the start, even if the work takes no time: RFC 5545, 3.8.2.2. */
    private static Instant end(CalendarEntry entry) {
        Instant ends = second(entry.ends());
        Instant least = second(entry.starts()).plusSeconds(1);
        return ends.isBefore(least) ? least : ends;
    }

    private static Instant second(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    private static byte[] bytes(Calendar calendar) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // Unchecked: a calendar without events, as it is on quiet days, is not valid to the letter.
        new CalendarOutputter(false).output(calendar, out);
        return out.toByteArray();
    }
}
