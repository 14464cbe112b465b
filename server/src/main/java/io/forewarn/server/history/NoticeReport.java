package io.forewarn.server.history;

import io.forewarn.core.event.EventId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.LogPosition;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Compares promised with given notice for the events scheduled in a period, each followed to its end. An event that was
 * accepted before the period is found by the entry that schedules or starts it, so nothing older need be read. Keeps only
 * the events that are open at the current position.
 */
public final class NoticeReport {
    /** Receives events; may throw to stop. */
    public interface Sink {
        void take(EventNotice eventNotice) throws Exception;
    }

    private static final int PAGES = 1000;

    private final History history;
    private final HistoryQuery query;
    private final Sink sink;
    private final NoticeSummary noticeSummary = new NoticeSummary();
    private final Map<EventId, EventNoticeTracker> open = new LinkedHashMap<>();

    /**
     * @param query selects events by tenant, group, rollout, machine and time of scheduling
     * @param sink receives each event when it has ended, and at the end those still open
     */
    public NoticeReport(History history, HistoryQuery query, Sink sink) {
        this.history = history;
        this.query = query;
        this.sink = sink;
    }

    public NoticeSummary read() throws Exception {
        // A machine's events are found by entries that name all their machines; others may name only some.
        HistoryQuery events = query.about(query.tenant(), query.group(), null, null, query.rollout())
                .oldestFirst(true)
                .after(null)
                .atMost(Long.MAX_VALUE);
        history.read(events, this::take);
        if (!query.until().equals(Instant.MAX)) {
            follow(events.between(query.until(), Instant.MAX));
        }
        for (EventNoticeTracker eventNoticeTracker : open.values()) {
            tell(eventNoticeTracker);
        }
        return noticeSummary;
    }

    /** Reads on for events that had not ended. */
    private void follow(HistoryQuery later) throws Exception {
        LogPosition mark = null;
        while (!open.isEmpty()) {
            ReadProgress readProgress = history.read(later.after(mark), PAGES, this::takeKnown);
            mark = readProgress.next();
            if (mark == null) {
                return;
            }
        }
    }

    private void take(HistoryEntry entry) throws Exception {
        boolean wanted = query.machine() == null || entry.machines().contains(query.machine());
        if (entry.event() != null && wanted && (History.isFirst(entry) || EventNoticeTracker.dates(entry))) {
            open.computeIfAbsent(entry.event(), id -> new EventNoticeTracker(entry));
        }
        takeKnown(entry);
    }

    private void takeKnown(HistoryEntry entry) throws Exception {
        EventNoticeTracker eventNoticeTracker = entry.event() == null ? null : open.get(entry.event());
        if (eventNoticeTracker != null) {
            eventNoticeTracker.take(entry);
            if (!eventNoticeTracker.since().isBefore(query.until())) {
                open.remove(entry.event()); // Accepted in the period, but scheduled or started after it.
            } else if (eventNoticeTracker.over()) {
                open.remove(entry.event());
                tell(eventNoticeTracker);
            }
        }
    }

    private void tell(EventNoticeTracker eventNoticeTracker) throws Exception {
        EventNotice eventNotice = eventNoticeTracker.notice();
        noticeSummary.add(eventNotice);
        sink.take(eventNotice);
    }
}
