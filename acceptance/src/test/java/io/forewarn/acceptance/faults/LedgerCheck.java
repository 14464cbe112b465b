package io.forewarn.acceptance.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Holds what the server says happened against what callers were told. */
public final class LedgerCheck {
    private static final Map<String, Transition> STEPS =
            Arrays.stream(Transition.values()).collect(Collectors.toMap(EnumNames::of, Function.identity()));

    private final Ledger ledger;
    private final Map<String, List<JsonNode>> lives = new LinkedHashMap<>();

    /** @param history oldest first */
    public LedgerCheck(Ledger ledger, JsonNode history) {
        this.ledger = ledger;
        for (JsonNode entry : history.path("history")) {
            if (entry.hasNonNull("event")) {
                lives.computeIfAbsent(entry.path("event").asText(), id -> new ArrayList<>())
                        .add(entry);
            }
        }
    }

    /** Judges all of it. Violations go into the ledger. */
    public void judge() {
        Set<String> acknowledged = ledger.events();
        for (String id : acknowledged) {
            if (!lives.containsKey(id)) {
                ledger.violated("event " + id + " was acknowledged and is not in the history");
            }
        }
        lives.forEach((id, life) -> {
            if (!acknowledged.contains(id) && !cameLate(id, life.get(0)) && !followsFreeze(life.get(0))) {
                ledger.violated("event " + id + " belongs to no command, so some command was done twice: " + life);
            }
            judge(id, life);
        });
        ledger.cancelled()
                .forEach(id -> demand(
                        has(id, Transition.CANCELLED) || has(id, Transition.CANCELLED_WHILE_WAITING),
                        id,
                        "was acknowledged as cancelled and is not"));
        ledger.approved()
                .forEach(id -> demand(
                        has(id, Transition.APPROVED) || started(id) != null,
                        id,
                        "was acknowledged as approved and is not"));
    }

    private boolean cameLate(String id, JsonNode first) {
        return ledger.cameLate(
                id,
                first.path("machines").path(0).asText(),
                first.path("cause").asText(),
                Durations.parse(first.path("promised").asText()));
    }

    /** A failure that joined a started freeze is handled by an event of the service's own when the freeze ends: decision 100. */
    private boolean followsFreeze(JsonNode first) {
        return first.path("by").path("kind").asText().equals("service")
                && first.path("cause").asText().equals("failure")
                && lives.values().stream().flatMap(List::stream).anyMatch(entry -> endsFreeze(entry, first));
    }

    private static boolean endsFreeze(JsonNode entry, JsonNode failure) {
        boolean named = false;
        for (JsonNode machine : entry.path("machines")) {
            named |= machine.equals(failure.path("machines").path(0));
        }
        return named
                && entry.path("kind").asText().equals("completed")
                && entry.path("type").asText().equals("freeze")
                && entry.path("tenant").equals(failure.path("tenant"))
                && entry.path("at").equals(failure.path("at"));
    }

    private void judge(String id, List<JsonNode> life) {
        Phase phase = null;
        boolean approved = false;
        Instant notBefore = null;
        for (JsonNode entry : life) {
            Transition transition = step(entry).orElse(null);
            if (transition == null) {
                continue; // Seen by a machine: no step.
            }
            demand(transition.from() == phase, id, "took the step " + transition + " while " + phase);
            phase = transition.to();
            approved |= transition == Transition.APPROVED;
            notBefore = entry.hasNonNull("notBefore")
                    ? Instant.parse(entry.path("notBefore").asText())
                    : notBefore;
            if (transition == Transition.STARTED_BY_TIME) {
                startedByTime(id, entry, notBefore);
            } else if (transition == Transition.STARTED_BY_APPROVAL) {
                demand(approved && ledger.approvalTried(id), id, "started by an approval nobody gave");
            } else if (transition == Transition.STARTED_WITHOUT_NOTICE
                    || transition == Transition.STARTED_WITHOUT_NOTICE_AFTER_WAITING) {
                demand(false, id, "started without notice although its group had asked");
            }
        }
        long starts = life.stream().filter(LedgerCheck::firstStart).count();
        demand(starts <= 1, id, "started " + starts + " times");
    }

    private void startedByTime(String id, JsonNode entry, Instant notBefore) {
        Instant at = Instant.parse(entry.path("at").asText());
        Instant shown = ledger.shownNotBefore(id);
        demand(notBefore != null && !at.isBefore(notBefore), id, "started at " + at + " before " + notBefore);
        demand(
                shown == null || !at.isBefore(shown),
                id,
                "started at " + at + " before the " + shown + " machines were shown");
        Duration promised = Durations.parse(entry.path("promised").asText()).orElseThrow();
        Optional<Duration> given = Durations.parse(entry.path("given").asText());
        demand(
                given.isPresent() && given.get().compareTo(promised) >= 0,
                id,
                "was promised " + promised + " and given " + given);
    }

    /** How often each machine must have come up again. */
    public Map<String, Integer> boots() {
        Map<String, Integer> boots = new HashMap<>();
        lives.values().stream().flatMap(List::stream).forEach(entry -> {
            boolean completed = step(entry)
                    .filter(s -> s == Transition.COMPLETED || s == Transition.COMPLETED_UNSEEN)
                    .isPresent();
            if (completed && !entry.path("cause").asText().equals("freeze")) {
                entry.path("machines").forEach(machine -> boots.merge(machine.asText(), 1, Integer::sum));
            }
        });
        return boots;
    }

    public int events() {
        return lives.size();
    }

    public long count(Transition... steps) {
        return lives.values().stream()
                .flatMap(List::stream)
                .filter(e -> step(e).filter(List.of(steps)::contains).isPresent())
                .count();
    }

    /** Those that are not over. */
    public List<String> open() {
        return lives.entrySet().stream()
                .filter(e -> e.getValue().stream().noneMatch(n -> step(n).filter(s -> s.to() == Phase.ENDED)
                        .isPresent()))
                .map(Map.Entry::getKey)
                .toList();
    }

    public boolean hasStarted(String id) {
        return started(id) != null;
    }

    public List<String> started() {
        return lives.keySet().stream().filter(this::hasStarted).toList();
    }

    public List<String> failed() {
        return lives.keySet().stream()
                .filter(id -> has(id, Transition.FAILED) || has(id, Transition.FAILED_UNSEEN))
                .toList();
    }

    public List<JsonNode> life(String id) {
        return lives.get(id);
    }

    private boolean has(String id, Transition transition) {
        return lives.getOrDefault(id, List.of()).stream()
                .anyMatch(e -> step(e).filter(s -> s == transition).isPresent());
    }

    private JsonNode started(String id) {
        return lives.getOrDefault(id, List.of()).stream()
                .filter(LedgerCheck::firstStart)
                .findFirst()
                .orElse(null);
    }

    private static boolean firstStart(JsonNode entry) {
        return step(entry)
                .filter(s -> s.to() == Phase.STARTED && s.from() != Phase.STARTED)
                .isPresent();
    }

    private static Optional<Transition> step(JsonNode entry) {
        return Optional.ofNullable(STEPS.get(entry.path("kind").asText()));
    }

    private void demand(boolean holds, String id, String otherwise) {
        if (!holds) {
            ledger.violated("event " + id + " " + otherwise + ": " + lives.get(id));
        }
    }
}
