package io.forewarn.server.history;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Step;
import io.forewarn.core.rules.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is known of one event while its history is read, oldest first. */
final class Tally {
    private final Entry first;
    private final Map<String, Instant> seen = new HashMap<>();
    private Instant since;
    private Duration promised;
    private Duration given;
    private String started;
    private Instant startedAt;
    private Actor approvedBy;
    private String ended;

    Tally(Entry first) {
        this.first = first;
        this.since = first.at();
    }

    void take(Entry entry) {
        if (entry.what().equals(Entry.What.SEEN.name())) {
            entry.machines().forEach(machine -> seen.putIfAbsent(machine, entry.at()));
            return;
        }
        Step step = step(entry.what());
        if (step == null) {
            return;
        }
        if (step == Step.ANNOUNCED_AFTER_WAITING || step == Step.ANNOUNCED_AFTER_PLANNING) {
            since = entry.at();
        }
        if (step == Step.APPROVED || step == Step.STARTED_BY_APPROVAL && approvedBy == null) {
            approvedBy = entry.actor();
        }
        if (step.to() == Phase.SCHEDULED && step.counts() && entry.promised() != null) {
            promised = entry.promised();
        }
        if (step.to() == Phase.STARTED && step.from() != Phase.STARTED) {
            started = entry.what();
            startedAt = entry.at();
            // Older logs count from when it was planned, though nobody could read it.
            given = step == Step.STARTED_UNSEEN ? Duration.ZERO : entry.given();
        }
        if (step.to() == Phase.GONE) {
            ended = entry.what();
        }
    }

    boolean over() {
        return ended != null;
    }

    Notice notice() {
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
        return new Notice(
                first.event(),
                first.group(),
                first.rollout(),
                first.cause(),
                first.machines(),
                since,
                promised,
                given,
                started,
                startedAt,
                approvedBy,
                shown ? List.copyOf(never) : List.of(),
                shown ? List.copyOf(late) : List.of(),
                ended);
    }

    private static Step step(String what) {
        for (Step step : Step.values()) {
            if (step.name().equals(what)) {
                return step;
            }
        }
        return null;
    }
}
