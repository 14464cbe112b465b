package io.forewarn.server.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.records.JsonFormat;
import io.forewarn.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NoticeReportTest {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration QUARTER = Duration.ofMinutes(15);
    private static final GroupId WEB = new GroupId("default", "web");
    private static final Actor OPS = Actor.person("ops", "127.0.0.1");

    @TempDir
    private Path folder;

    private final RecordFormat format = new JsonFormat();
    private final List<HistoryEntry> log = new ArrayList<>();
    private Store store;

    @BeforeEach
    void open() throws Exception {
        store = SqliteStore.open(folder.resolve("data"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void eachEventGetsItsVerdict() throws Exception {
        happens(0, "SCHEDULED", 1, Actor.SERVICE, QUARTER, null);
        happens(1, "SEEN", 1, Actor.machine("default/a", ""), null, null, "a");
        happens(15, "STARTED_BY_TIME", 1, Actor.SERVICE, QUARTER, QUARTER);
        happens(16, "SEEN", 1, Actor.machine("default/b", ""), null, null, "b");
        happens(17, "COMPLETED", 1, Actor.SERVICE, null, null);
        happens(20, "SCHEDULED", 2, Actor.SERVICE, QUARTER, null);
        happens(23, "STARTED_BY_APPROVAL", 2, OPS, QUARTER, Duration.ofMinutes(3));
        happens(24, "COMPLETED", 2, Actor.SERVICE, null, null);
        happens(30, "SCHEDULED", 3, Actor.SERVICE, QUARTER, null);
        happens(32, "STARTED_BY_TIME", 3, Actor.SERVICE, QUARTER, Duration.ofMinutes(2));
        happens(33, "FAILED", 3, Actor.SERVICE, null, null);
        happens(40, "STARTED_WITHOUT_NOTICE", 4, Actor.SERVICE, null, Duration.ZERO);
        happens(41, "COMPLETED_UNSEEN", 4, Actor.SERVICE, null, null);
        happens(50, "SCHEDULED", 5, Actor.SERVICE, QUARTER, null);
        happens(51, "CANCELLED", 5, OPS, null, null);
        happens(60, "SCHEDULED", 6, Actor.SERVICE, QUARTER, null);
        write();

        List<EventNotice> notices = new ArrayList<>();
        NoticeSummary noticeSummary = report(HistoryQuery.ALL, notices);

        assertEquals(
                List.of(
                        NoticeVerdict.KEPT,
                        NoticeVerdict.WAIVED,
                        NoticeVerdict.SHORTFALL,
                        NoticeVerdict.NOT_PROMISED,
                        NoticeVerdict.CANCELLED,
                        NoticeVerdict.OPEN),
                notices.stream().map(EventNotice::verdict).toList());
        assertEquals(List.of("c"), notices.get(0).neverSaw());
        assertEquals(List.of("b"), notices.get(0).sawLate());
        assertEquals(OPS, notices.get(1).approvedBy());
        assertEquals(List.of(), notices.get(3).neverSaw(), "what was never shown could not be seen");
        assertEquals(Duration.ofMinutes(13), noticeSummary.worst().missing());
        assertEquals(9, noticeSummary.machines());
        assertEquals(7, noticeSummary.neverSaw());
        assertEquals(1, noticeSummary.sawLate());
        assertEquals(
                List.of(1, 0, 2, 0, 0, 1),
                noticeSummary.buckets().stream()
                        .map(NoticeSummary.Bucket::events)
                        .toList());
    }

    @Test
    void eventsScheduledInThePeriodAreFollowedToTheirEnd() throws Exception {
        happens(0, "SCHEDULED", 1, Actor.SERVICE, QUARTER, null);
        happens(10, "SCHEDULED", 2, Actor.SERVICE, QUARTER, null);
        happens(15, "STARTED_BY_TIME", 1, Actor.SERVICE, QUARTER, QUARTER);
        happens(25, "STARTED_BY_TIME", 2, Actor.SERVICE, QUARTER, QUARTER);
        happens(26, "COMPLETED", 2, Actor.SERVICE, null, null);
        happens(27, "SCHEDULED", 3, Actor.SERVICE, QUARTER, null);
        write();

        List<EventNotice> notices = new ArrayList<>();
        report(HistoryQuery.ALL.between(at(5), at(20)), notices);

        assertEquals(List.of(event(2)), notices.stream().map(EventNotice::event).toList());
        assertEquals("COMPLETED", notices.get(0).ended());
    }

    @Test
    void anEventBelongsToThePeriodInWhichItWasScheduledNotAccepted() throws Exception {
        happens(0, "ACCEPTED", 1, OPS, QUARTER, null);
        happens(1, "PLANNED", 2, Actor.SERVICE, null, null, HistoryEntry.REHEARSAL, List.of("a"));
        happens(20, "SCHEDULED_AFTER_WAITING", 1, OPS, QUARTER, null);
        happens(21, "SCHEDULED_AFTER_PLANNING", 2, Actor.SERVICE, QUARTER, null, HistoryEntry.REHEARSAL, List.of("a"));
        happens(35, "STARTED_BY_TIME", 1, Actor.SERVICE, QUARTER, QUARTER);
        happens(36, "COMPLETED", 1, Actor.SERVICE, null, null);
        happens(37, "STARTED_BY_APPROVAL", 2, OPS, QUARTER, Duration.ofMinutes(1));
        happens(38, "COMPLETED", 2, Actor.SERVICE, null, null);
        write();

        assertEquals(List.of(), report(0, 10));
        List<EventNotice> second = report(10, 30);
        assertEquals(
                List.of(event(1), event(2)),
                second.stream().map(EventNotice::event).toList());
        assertEquals(
                List.of(at(20), at(21)), second.stream().map(EventNotice::since).toList());
        assertEquals(
                List.of(NoticeVerdict.KEPT, NoticeVerdict.WAIVED),
                second.stream().map(EventNotice::verdict).toList());
        assertEquals(
                List.of(false, true),
                second.stream().map(EventNotice::rehearsal).toList());
        assertEquals(List.of("a", "b", "c"), second.get(0).machines());
        assertEquals(List.of(), report(30, 40));
    }

    @Test
    void anEventThatWasNeverScheduledBelongsToThePeriodInWhichItStarted() throws Exception {
        happens(0, "PLANNED", 1, Actor.SERVICE, null, null);
        happens(1, "ACCEPTED", 2, OPS, QUARTER, null);
        happens(2, "APPROVED", 1, OPS, null, null);
        happens(15, "STARTED_UNSEEN", 1, OPS, null, Duration.ZERO);
        happens(16, "STARTED_WITHOUT_NOTICE_AFTER_WAITING", 2, OPS, null, Duration.ZERO);
        write();

        assertEquals(List.of(), report(0, 10));
        List<EventNotice> second = report(10, 20);
        assertEquals(
                List.of(at(15), at(16)), second.stream().map(EventNotice::since).toList());
        assertEquals(OPS, second.get(0).approvedBy(), "it was approved before the period");
        assertEquals(null, second.get(1).approvedBy(), "who asked for it did not approve it");
        assertEquals(OPS, report(0, 20).get(0).approvedBy());
    }

    @Test
    void anEventThatNeverStartedEitherBelongsToThePeriodInWhichItWasAccepted() throws Exception {
        happens(0, "ACCEPTED", 1, OPS, QUARTER, null);
        happens(1, "PLANNED", 2, Actor.SERVICE, null, null);
        happens(2, "ACCEPTED", 3, OPS, QUARTER, null);
        happens(20, "CANCELLED_WHILE_WAITING", 1, OPS, null, null);
        happens(21, "CANCELLED_UNSEEN", 2, OPS, null, null);
        write();

        assertEquals(
                List.of(NoticeVerdict.CANCELLED, NoticeVerdict.CANCELLED, NoticeVerdict.OPEN),
                report(0, 10).stream().map(EventNotice::verdict).toList());
        assertEquals(List.of(), report(10, 30));
    }

    @Test
    void noNoticeIsCountedForAnEventThatWasNeverVisible() throws Exception {
        happens(0, "PLANNED", 1, Actor.SERVICE, null, null);
        happens(15, "STARTED_UNSEEN", 1, Actor.SERVICE, null, Duration.ofDays(4));
        happens(16, "COMPLETED_UNSEEN", 1, Actor.SERVICE, null, null);
        write();

        List<EventNotice> notices = new ArrayList<>();
        report(HistoryQuery.ALL, notices);

        assertEquals(NoticeVerdict.NOT_PROMISED, notices.get(0).verdict());
        assertEquals(Duration.ZERO, notices.get(0).given());
    }

    @Test
    void rehearsalsAreReportedAsSuch() throws Exception {
        happens(0, "SCHEDULED", 1, Actor.SERVICE, QUARTER, null);
        happens(0, "SCHEDULED", 2, Actor.SERVICE, QUARTER, null, HistoryEntry.REHEARSAL, List.of("a"));
        write();

        List<EventNotice> notices = new ArrayList<>();
        report(HistoryQuery.ALL, notices);

        assertEquals(
                List.of(false, true),
                notices.stream().map(EventNotice::rehearsal).toList());
    }

    @Test
    void theEventsOfOneMachineAreComplete() throws Exception {
        happens(0, "SCHEDULED", 1, Actor.SERVICE, QUARTER, null);
        happens(1, "SEEN", 1, Actor.machine("default/a", ""), null, null, "a");
        happens(15, "STARTED_BY_TIME", 1, Actor.SERVICE, QUARTER, QUARTER);
        write();

        List<EventNotice> notices = new ArrayList<>();
        report(HistoryQuery.ALL.about("default", null, "b", null, null), notices);
        assertEquals(List.of("b", "c"), notices.get(0).neverSaw());

        notices.clear();
        report(HistoryQuery.ALL.about("default", null, "other", null, null), notices);
        assertEquals(List.of(), notices);
    }

    private List<EventNotice> report(int since, int until) throws Exception {
        List<EventNotice> notices = new ArrayList<>();
        NoticeSummary summary = report(HistoryQuery.ALL.between(at(since), at(until)), notices);
        assertEquals(notices.size(), summary.events());
        return notices;
    }

    private NoticeSummary report(HistoryQuery query, List<EventNotice> notices) throws Exception {
        return new NoticeReport(new History(store, format, new LogIndex(store, format)), query, notices::add).read();
    }

    private void happens(int minute, String what, int event, Actor by, Duration promised, Duration given) {
        happens(minute, what, event, by, promised, given, "a", "b", "c");
    }

    private void happens(
            int minute, String what, int event, Actor by, Duration promised, Duration given, String... machines) {
        happens(minute, what, event, by, promised, given, "", List.of(machines));
    }

    private void happens(
            int minute,
            String what,
            int event,
            Actor by,
            Duration promised,
            Duration given,
            String detail,
            List<String> machines) {
        log.add(new HistoryEntry(
                at(minute), what, WEB, event(event), Cause.RESTART, machines, by, null, promised, given, detail));
    }

    private void write() throws Exception {
        Store.Head head = store.claim();
        Map<String, byte[]> puts = new TreeMap<>();
        for (int i = 0; i < log.size(); i++) {
            LogPage page = new LogPage(i + 1, log.get(i).at(), List.of(log.get(i)), List.of());
            puts.put(page.key(), format.write(page));
        }
        store.commit(Commit.of(head.seq() + 1, head.epoch(), puts, List.of()));
    }

    private static Instant at(int minute) {
        return START.plus(Duration.ofMinutes(minute));
    }

    private static EventId event(int number) {
        return new EventId(new UUID(0, number));
    }
}
