package io.forewarn.server.calendar;

import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Postponement;
import io.forewarn.core.event.Transition;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rules.Rules;
import io.forewarn.core.rules.WorkDurations;
import io.forewarn.server.calendar.CalendarEntry.Stage;
import io.forewarn.server.history.History;
import io.forewarn.server.history.HistoryQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Collects the work of a calendar: open events and planned units from the published state, and from the log the events
 * that ended in the last 30 days. Reads the store, so it must not run on an event loop.
 */
public final class CalendarReader {
    /** For how long ended and cancelled work stays. */
    public static final Duration KEPT = Duration.ofDays(30);

    /** The most entries of work to come, and of work that has ended. */
    static final int MOST = 2000;

    /** The most pages of the log that are read for one answer. */
    private static final int PAGES = 20_000;

    private final History history;
    private final Supplier<Rules> rules;
    private final WorkLength length;

    /** @param durations as the driver knows them */
    public CalendarReader(History history, Supplier<Rules> rules, WorkDurations durations) {
        this.history = history;
        this.rules = rules;
        this.length = new WorkLength(durations);
    }

    /** Each work once, in the order of its dates. */
    List<CalendarEntry> read(PublishedState published, CalendarScope scope, Instant now) throws Exception {
        Map<String, CalendarEntry> entries = new LinkedHashMap<>();
        PlannedWork planned = new PlannedWork(published, rules.get(), length, scope, now.minus(KEPT));
        Stream.concat(open(published, scope), planned.first(MOST).stream())
                .sorted(Comparator.comparing(CalendarEntry::starts))
                .limit(MOST)
                .forEach(entry -> entries.putIfAbsent(entry.uid(), entry));
        // Work that was cancelled and is planned again is a later revision of the same entry.
        ended(scope, now)
                .forEach(entry -> entries.merge(entry.uid(), entry, (known, older) -> known.after(older.sequence())));
        return entries.values().stream()
                .sorted(Comparator.comparing(CalendarEntry::starts).thenComparing(CalendarEntry::uid))
                .toList();
    }

    private Stream<CalendarEntry> open(PublishedState published, CalendarScope scope) {
        Collection<GroupView> groups = scope.group() == null
                ? published.allGroups()
                : Stream.ofNullable(published.find(scope.group())).toList();
        return groups.stream().flatMap(group -> group.state().events().stream()
                .filter(event -> scope.includes(group.id(), event.work().rollout()))
                .filter(event -> event.noticePeriod() != null || event.attempt() != null)
                .map(event -> entry(group.id(), event)));
    }

    private CalendarEntry entry(GroupId group, Event event) {
        boolean started = event.phase() == Phase.STARTED;
        Instant planned = event.noticePeriod() == null
                ? event.attempt().startedAt()
                : event.noticePeriod().notBefore();
        Instant starts = started ? event.attempt().startedAt() : planned;
        Work work = event.work();
        Duration takes = length.of(
                work.cause(), work.rehearsal(), work.expectedInterruption().orElse(null));
        return new CalendarEntry(
                group,
                work.rollout(),
                event.id(),
                work.cause(),
                work.rehearsal(),
                event.resources(),
                started ? Stage.STARTED : Stage.SCHEDULED,
                planned,
                starts,
                starts.plus(takes),
                revised(event),
                work.description(),
                0);
    }

    private static Instant revised(Event event) {
        List<Instant> changes = new ArrayList<>();
        changes.add(event.work().acceptedAt());
        if (event.noticePeriod() != null) {
            changes.add(event.noticePeriod().at());
        }
        if (event.attempt() != null) {
            changes.add(event.attempt().startedAt());
        }
        event.postponements().stream().map(Postponement::at).forEach(changes::add);
        return changes.stream().max(Comparator.naturalOrder()).orElseThrow();
    }

    /** What is known of an event from its end backwards. */
    private static final class Ended {
        private final HistoryEntry last;
        private Instant startedAt;
        private boolean rehearsal;

        Ended(HistoryEntry last) {
            this.last = last;
        }
    }

    private List<CalendarEntry> ended(CalendarScope scope, Instant now) throws Exception {
        Map<EventId, Ended> events = new LinkedHashMap<>();
        HistoryQuery query = HistoryQuery.ALL
                .about(scope.tenant(), scope.group(), null, null, scope.rollout())
                .between(now.minus(KEPT), Instant.MAX);
        history.read(query, PAGES, entry -> {
            Transition transition = entry.event() == null ? null : transition(entry.what());
            if (transition == null) {
                return;
            }
            if (transition.to() == Phase.ENDED && events.size() < MOST) {
                events.putIfAbsent(entry.event(), new Ended(entry));
            }
            Ended ended = events.get(entry.event());
            if (ended != null) {
                ended.rehearsal |= entry.saysRehearsal();
                if (transition.to() == Phase.STARTED && transition.from() != Phase.STARTED) {
                    ended.startedAt = entry.at();
                }
            }
        });
        return events.values().stream()
                .filter(ended -> ended.startedAt != null || ended.last.notBefore() != null)
                .map(this::entry)
                .toList();
    }

    private CalendarEntry entry(Ended ended) {
        HistoryEntry last = ended.last;
        Instant planned = last.notBefore() == null ? ended.startedAt : last.notBefore();
        Transition transition = transition(last.what());
        boolean done = transition.from() == Phase.STARTED;
        Instant starts = ended.startedAt == null ? planned : ended.startedAt;
        if (done && starts.isAfter(last.at())) {
            starts = last.at(); // It was started longer ago than the log was read.
        }
        return new CalendarEntry(
                last.group(),
                last.rollout(),
                last.event(),
                last.cause(),
                ended.rehearsal,
                last.machines(),
                stage(transition),
                planned,
                starts,
                done ? last.at() : starts.plus(length.of(last.cause(), ended.rehearsal, null)),
                last.at(),
                last.detail(),
                0);
    }

    private static Stage stage(Transition transition) {
        return switch (transition) {
            case COMPLETED, COMPLETED_UNSEEN -> Stage.DONE;
            case FAILED, FAILED_UNSEEN -> Stage.FAILED;
            default -> Stage.CANCELLED;
        };
    }

    /** Null for other entries. */
    private static Transition transition(String what) {
        for (Transition transition : Transition.values()) {
            if (transition.name().equals(what)) {
                return transition;
            }
        }
        return null;
    }
}
