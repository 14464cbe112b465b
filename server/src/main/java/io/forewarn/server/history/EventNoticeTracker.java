package io.forewarn.server.history;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.history.HistoryEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the notice of one event while its history is read, oldest first. */
final class EventNoticeTracker {
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

    void take(HistoryEntry entry) {
        if (entry.what().equals(HistoryEntry.What.SEEN.name())) {
            entry.machines().forEach(machine -> seen.putIfAbsent(machine, entry.at()));
            return;
        }
        Transition transition = step(entry.what());
        if (transition == null) {
            return;
        }
        if (transition == Transition.SCHEDULED_AFTER_WAITING || transition == Transition.SCHEDULED_AFTER_PLANNING) {
            since = entry.at();
        }
        if (transition == Transition.APPROVED || transition == Transition.STARTED_BY_APPROVAL && approvedBy == null) {
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
