package io.forewarn.core.event;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Represents an open event of one group. Immutable: every transition returns a new one.
 *
 * @param shared false for work done without notice because no machine of its group polls: carried out and recorded,
 *     never shown
 * @param noticePeriod null while waiting, and for work that never had notice
 * @param approval null until approved
 * @param attempt null until started
 * @param sightings when each listed machine first saw the event
 * @param joined causes added to machines after the start, such as a hardware failure
 * @param voices when each listed machine approved, where one approval is not enough
 * @param postponements the granted ones, in order
 */
public record Event(
        EventId id,
        Work work,
        Phase phase,
        boolean shared,
        NoticePeriod noticePeriod,
        Approval approval,
        StartAttempt attempt,
        Map<String, Instant> sightings,
        Map<String, Cause> joined,
        Map<String, Instant> voices,
        List<Postponement> postponements) {
    public Event {
        sightings = Map.copyOf(sightings);
        joined = Map.copyOf(joined);
        voices = Map.copyOf(voices);
        postponements = List.copyOf(postponements);
    }

    /** A new event that was only accepted. */
    public static Event accepted(EventId id, Work work) {
        return new Event(id, work, Phase.WAITING, false, null, null, null, Map.of(), Map.of(), Map.of(), List.of());
    }

    public Event scheduled(NoticePeriod noticePeriod) {
        return new Event(
                id,
                work,
                Phase.SCHEDULED,
                true,
                noticePeriod,
                approval,
                attempt,
                sightings,
                joined,
                voices,
                postponements);
    }

    /** Plans the event without showing it: its group gets no notice, but other groups of the same work do. */
    public Event planned(NoticePeriod noticePeriod) {
        return new Event(
                id,
                work,
                Phase.SCHEDULED,
                false,
                noticePeriod,
                approval,
                attempt,
                sightings,
                joined,
                voices,
                postponements);
    }

    /** Shows an event that was only planned so far. */
    public Event shown(Duration notice, NoticePeriod noticePeriod) {
        return new Event(
                id,
                work.withNotice(notice),
                Phase.SCHEDULED,
                true,
                noticePeriod,
                approval,
                attempt,
                sightings,
                joined,
                voices,
                postponements);
    }

    /** Moves the start, because machines could see the event only later than planned. */
    public Event moved(Instant readable, Instant notBefore) {
        NoticePeriod later = new NoticePeriod(readable, notBefore, noticePeriod.commit());
        return new Event(id, work, phase, shared, later, approval, attempt, sightings, joined, voices, postponements);
    }

    /** Changes only when it may start. */
    public Event postponed(Postponement granted) {
        List<Postponement> more = new ArrayList<>(postponements);
        more.add(granted);
        NoticePeriod later = new NoticePeriod(noticePeriod.at(), granted.until(), noticePeriod.commit());
        return new Event(id, work, phase, shared, later, approval, attempt, sightings, joined, voices, more);
    }

    public Event voiced(String machine, Instant at) {
        Map<String, Instant> more = new HashMap<>(voices);
        more.put(machine, at);
        return new Event(
                id, work, phase, shared, noticePeriod, approval, attempt, sightings, joined, more, postponements);
    }

    /** When somebody last asked for it to start at the time at which it does. */
    public Instant askedAt() {
        return postponements.isEmpty()
                ? work.acceptedAt()
                : postponements.get(postponements.size() - 1).at();
    }

    public Event approved(Approval by) {
        return new Event(id, work, phase, shared, noticePeriod, by, attempt, sightings, joined, voices, postponements);
    }

    /** Starts the event; {@code shared} says whether machines see it. */
    public Event started(StartAttempt attempt, boolean shared) {
        return new Event(
                id,
                work,
                Phase.STARTED,
                shared,
                noticePeriod,
                approval,
                attempt,
                sightings,
                joined,
                voices,
                postponements);
    }

    public Event attempted(StartAttempt again) {
        return new Event(
                id, work, phase, shared, noticePeriod, approval, again, sightings, joined, voices, postponements);
    }

    public Event seen(String machine, Instant at) {
        Map<String, Instant> more = new HashMap<>(sightings);
        more.put(machine, at);
        return new Event(id, work, phase, shared, noticePeriod, approval, attempt, more, joined, voices, postponements);
    }

    public Event joined(String machine, Cause cause) {
        Map<String, Cause> more = new HashMap<>(joined);
        // A preemption outweighs other causes.
        more.merge(machine, cause, (before, next) -> before == Cause.PREEMPT ? before : next);
        return new Event(
                id, work, phase, shared, noticePeriod, approval, attempt, sightings, more, voices, postponements);
    }

    public EventType type() {
        return work.cause().type();
    }

    public List<String> resources() {
        return work.resources();
    }

    public boolean lists(String machine) {
        return work.resources().contains(machine);
    }

    public boolean isApproved() {
        return approval != null;
    }

    /** Whether machines see it. */
    public boolean shown() {
        return shared && (phase == Phase.SCHEDULED || phase == Phase.STARTED);
    }
}
