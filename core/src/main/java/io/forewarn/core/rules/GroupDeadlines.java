package io.forewarn.core.rules;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the next moment at which time alone changes something in a group, so that its events must be looked at. */
final class GroupDeadlines {
    private final StartBlockers blockers;
    private final StateReader facts;
    private final ServiceTerms terms;
    private final Instant now;

    GroupDeadlines(StateReader facts, ServiceTerms terms, Instant now) {
        this.blockers = new StartBlockers(facts, terms, now);
        this.facts = facts;
        this.terms = terms;
        this.now = now;
    }

    Optional<Instant> next(GroupState state) {
        return state.events().stream()
                .map(event -> due(state, event))
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /** Whether machines are to be shown an event at this moment that they are not shown yet. */
    boolean isToBeShown(GroupState state) {
        return state.events().stream()
                .filter(event -> event.phase() == Phase.WAITING || !event.shared())
                .filter(event -> event.phase() != Phase.STARTED)
                .flatMap(event -> due(state, event).stream())
                .anyMatch(at -> !at.isAfter(now));
    }

    private Optional<Instant> due(GroupState state, Event event) {
        if (event.phase() == Phase.STARTED) {
            return overdue(event);
        }
        if (event.phase() == Phase.WAITING && !blockers.machines().isFree(state, event)) {
            return Optional.empty();
        }
        if (event.phase() == Phase.WAITING && DecisionContext.enabled(facts, terms, state.group(), now)) {
            return Optional.of(now);
        }
        Optional<Instant> shown = shown(state.group(), event);
        if (shown.isPresent()) {
            return shown;
        }
        boolean early = event.phase() == Phase.SCHEDULED
                && event.noticePeriod().notBefore().isAfter(now);
        if (early && !event.isApproved()) {
            return Optional.of(event.noticePeriod().notBefore());
        }
        Optional<StartBlocker> hold = blockers.of(state.group(), event);
        if (hold.isEmpty()) {
            return Optional.of(now);
        }
        // What only another event holds is moved on when that event ends; a date that passes meanwhile moves into a
        // window.
        Instant until = hold.get().next();
        Instant date = early ? event.noticePeriod().notBefore() : null;
        Optional<Instant> closes = early ? Optional.empty() : closes(state.group(), event);
        return Stream.of(Optional.ofNullable(until), Optional.ofNullable(date), tooLate(event), closes)
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /** When its window closes: what is held until then moves to the next. */
    private Optional<Instant> closes(GroupId group, Event event) {
        if (!event.work().cause().planned()) {
            return Optional.empty();
        }
        Stream<StartCalendar> rollouts = blockers.rollout(event).map(Rollout::spec).stream()
                .flatMap(spec -> Stream.of(spec.calendar(), spec.lateCalendar()));
        return Stream.concat(rollouts, Stream.of(PolicyResolver.calendar(facts, terms, group, event)))
                .map(calendar -> calendar.closes(now))
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /** When the latest start of its rollout has passed. */
    private Optional<Instant> tooLate(Event event) {
        return blockers.rollout(event)
                .map(Rollout::spec)
                .filter(spec -> spec.until() != null && spec.late() == RolloutSpec.Late.REFUSE)
                .map(spec -> spec.until().plusSeconds(1))
                .filter(at -> at.isAfter(now));
    }

    /** When it is next asked whether started work takes longer than expected, because others wait for it. */
    private Optional<Instant> overdue(Event event) {
        if (!event.work().cause().planned() || facts.rollouts().stream().allMatch(Rollout::isOver)) {
            return Optional.empty();
        }
        Instant expected = event.attempt().startedAt().plus(WorkEstimates.takes(facts, terms, event.work()));
        Duration late = terms.tolerance().isZero() ? StartBlockers.LOOK_AGAIN : terms.tolerance();
        while (!expected.plus(late).isAfter(now)) {
            late = late.multipliedBy(2);
        }
        return Optional.of(expected.plus(late));
    }

    /** When an event of a rollout is to be shown to a group that polls and is not shown it yet. */
    private Optional<Instant> shown(GroupId group, Event event) {
        Optional<Rollout> rollout = blockers.rollout(event);
        if (event.shared()
                || event.phase() != Phase.SCHEDULED
                || rollout.isEmpty()
                || !DecisionContext.enabled(facts, terms, group, now)) {
            return Optional.empty();
        }
        Turn turn = UpcomingUnits.unit(facts, event.work().unit()).turn();
        Duration notice = RolloutPacing.of(facts, terms, rollout.get(), turn, now)
                .notice(group, event.work().cause());
        Instant at = event.noticePeriod().notBefore().minus(notice);
        if (!at.isAfter(now) && rollout.get().standsStill()) {
            return Optional.empty(); // It was not shown in time, and gets another date when the rollout goes on.
        }
        return Optional.of(at.isAfter(now) ? at : now);
    }
}
