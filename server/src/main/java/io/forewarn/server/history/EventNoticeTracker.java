package io.forewarn.server.history;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.history.HistoryEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects the notice of one event while its history is read, oldest first. The reading may begin when the event was
 * accepted, or with the entry that {@linkplain #dates dates} it.
 */
final class EventNoticeTracker {
    /** What schedules or starts an event that was only accepted or planned before; each happens once at most. */
    private static final Set<Transition> DATES = EnumSet.of(
            Transition.SCHEDULED_AFTER_WAITING,
            Transition.SCHEDULED_AFTER_PLANNING,
            Transition.STARTED_WITHOUT_NOTICE_AFTER_WAITING,
            Transition.STARTED_UNSEEN);

    private final HistoryEntry first;
    private final Map<String, Instant> seen = new HashMap<>();
    private Instant since;
    private Duration promised;
    private Duration given;
    private String started;
    private Instant startedAt;
    private Actor approvedBy;
    private String ended;
    private Instant endedAt;

    EventNoticeTracker(HistoryEntry first) {
        this.first = first;
        this.since = first.at();
    }

    /** Whether the report lists an event under the time of this entry and not under that of its first. */
    static boolean dates(HistoryEntry entry) {
        Transition transition = step(entry.what());
        return transition != null && DATES.contains(transition);
    }

    void take(HistoryEntry entry) {
        if (entry.what().equals(HistoryEntry.What.SEEN.name())) {
            entry.machines().forEach(machine -> seen.putIfAbsent(machine, entry.at()));
            return;
        }
        Transition transition = step(entry.what());
        if (transition == null) {
            return;
        }
        if (DATES.contains(transition)) {
            since = entry.at();
        }
        if (transition == Transition.APPROVED || transition == Transition.STARTED_BY_APPROVAL && approvedBy == null) {
            approvedBy = entry.actor();
        }
        if (transition == Transition.STARTED_UNSEEN
                && entry == first
                && entry.actor().kind() == Actor.Kind.PERSON) {
            // It was approved before the period. Only a person can approve what no machine is shown.
            approvedBy = entry.actor();
        }
        if (transition == Transition.APPROVAL_LAPSED) {
            approvedBy = null;
        }
        if (transition.to() == Phase.SCHEDULED && transition.counts() && entry.promised() != null) {
            promised = entry.promised();
        }
        if (transition.to() == Phase.STARTED && transition.from() != Phase.STARTED) {
            started = entry.what();
            startedAt = entry.at();
            // Older logs count from the planning of the event, although no machine could see it.
            given = transition == Transition.STARTED_UNSEEN ? Duration.ZERO : entry.given();
        }
        if (transition.to() == Phase.ENDED) {
            ended = entry.what();
            endedAt = entry.at();
        }
    }

    /** When the event was scheduled or, if it was not, when it started or, if it did not start either, when it was accepted. */
    Instant since() {
        return since;
    }

    boolean over() {
        return ended != null;
    }

    EventNotice notice() {
        List<String> never = new ArrayList<>();
        List<String> late = new ArrayList<>();
        for (String machine : first.machines()) {
            Instant at = seen.get(machine);
            if (at == null) {
                never.add(machine);
            } else if (startedAt != null && at.isAfter(startedAt)) {
                late.add(machine);
            }
        }
        boolean shown = promised != null;
        return new EventNotice(
                first.event(),
                first.group(),
                first.rollout(),
                first.cause(),
                first.saysRehearsal(),
                first.machines(),
                since,
                promised,
                given,
                started,
                startedAt,
                approvedBy,
                shown ? List.copyOf(never) : List.of(),
                shown ? List.copyOf(late) : List.of(),
                ended,
                endedAt);
    }

    private static Transition step(String what) {
        for (Transition transition : Transition.values()) {
            if (transition.name().equals(what)) {
                return transition;
            }
        }
        return null;
    }
}
