package io.forewarn.server.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Sums up a notice report. */
public final class NoticeSummary {
    /**
     * The number of events with a given notice in a range.
     *
     * @param from lower bound, inclusive
     * @param to upper bound, exclusive; null if there is none
     */
    public record Bucket(Duration from, Duration to, int events) {}

    private static final List<Duration> BOUNDS = List.of(
            Duration.ZERO,
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofMinutes(15),
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            Duration.ofHours(6),
            Duration.ofDays(1));

    private final Map<NoticeVerdict, Integer> verdicts = new EnumMap<>(NoticeVerdict.class);
    private final int[] buckets = new int[BOUNDS.size()];
    private int events;
    private int machines;
    private int neverSaw;
    private int sawLate;
    private EventNotice worst;

    void add(EventNotice eventNotice) {
        events++;
        verdicts.merge(eventNotice.verdict(), 1, Integer::sum);
        if (eventNotice.given() != null) {
            buckets[bucket(eventNotice.given())]++;
        }
        if (eventNotice.owed()) {
            machines += eventNotice.machines().size();
            neverSaw += eventNotice.neverSaw().size();
            sawLate += eventNotice.sawLate().size();
        }
        if (eventNotice.verdict() == NoticeVerdict.SHORTFALL
                && (worst == null || eventNotice.missing().compareTo(worst.missing()) > 0)) {
            worst = eventNotice;
        }
    }

    private static int bucket(Duration given) {
        int band = 0;
        while (band + 1 < BOUNDS.size() && given.compareTo(BOUNDS.get(band + 1)) >= 0) {
            band++;
        }
        return band;
    }

    public int events() {
        return events;
    }

    public int of(NoticeVerdict noticeVerdict) {
        return verdicts.getOrDefault(noticeVerdict, 0);
    }

    /** Of events that were scheduled and started: how many machines they named, an event at a time. */
    public int machines() {
        return machines;
    }

    /** How many of these never saw the event. */
    public int neverSaw() {
        return neverSaw;
    }

    /** How many saw it only after it had started. */
    public int sawLate() {
        return sawLate;
    }

    /** The event with the largest shortfall; null if there is none. */
    public EventNotice worst() {
        return worst;
    }

    /** From the first band with an event to the last. */
    public List<Bucket> buckets() {
        List<Bucket> all = new ArrayList<>();
        int last = -1;
        for (int i = 0; i < buckets.length; i++) {
            if (buckets[i] > 0) {
                last = i;
            }
        }
        for (int i = 0; i <= last; i++) {
            if (buckets[i] > 0 || !all.isEmpty()) {
                all.add(new Bucket(BOUNDS.get(i), i + 1 < BOUNDS.size() ? BOUNDS.get(i + 1) : null, buckets[i]));
            }
        }
        return all;
    }
}
