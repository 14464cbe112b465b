package io.forewarn.core.rules;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the first thing that keeps an event from starting, if anything does. */
final class StartBlockers {
    /** How often machines that must ask again are looked for. */
    static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private final StateReader facts;
    private final ServiceTerms terms;
    private final Instant now;
    private final MachineBlockers machines;
    private final DomainBlockers domains;

    StartBlockers(StateReader facts, ServiceTerms terms, Instant now) {
        this.facts = facts;
        this.terms = terms;
        this.now = now;
        this.machines = new MachineBlockers(this, facts, terms, now);
        this.domains = new DomainBlockers(this, facts, terms, now);
    }

    MachineBlockers machines() {
        return machines;
    }

    DomainBlockers domains() {
        return domains;
    }

    /** The first thing that holds an event back, if any does. */
    Optional<StartBlocker> of(GroupId group, Event event) {
        Optional<StartBlocker> own = own(group, event);
        return own.isPresent() ? own : others(group, event);
    }

    /** What holds it back whatever becomes of the other events of its unit. */
    Optional<StartBlocker> own(GroupId group, Event event) {
        return apartFromTurns(group, event).or(() -> new TurnBlockers(facts, terms, now).of(group, event));
    }

    private Optional<StartBlocker> apartFromTurns(GroupId group, Event event) {
        return stopped(event)
                .or(() -> machines.of(facts.state(group), event))
                .or(() -> domains.of(facts.state(group), event))
                .or(() -> outsideWindows(event))
                .or(() -> PolicyResolver.hold(facts, event, group, terms, now));
    }

    /** The events of one unit of work start together, so each waits for all. */
    Optional<StartBlocker> others(GroupId group, Event event) {
        Optional<ActiveUnit> unit = Optional.ofNullable(event.work().unit()).flatMap(facts::open);
        for (Part part : unit.map(ActiveUnit::parts).orElse(List.of())) {
            if (part.event().equals(event.id())) {
                continue;
            }
            Event other = facts.state(part.group()).event(part.event()).orElse(event);
            boolean early = other.phase() == Phase.SCHEDULED
                    && !other.isApproved()
                    && other.noticePeriod().notBefore().isAfter(now);
            if (early) {
                return Optional.of(new StartBlocker(
                        part.group().equals(group)
                                ? "event " + other.id() + " of the same work has not been approved"
                                : "group " + part.group() + " of the same host has not approved",
                        other.noticePeriod().notBefore(),
                        part.group(),
                        elsewhere(group, part.group()) + " has not approved"));
            }
            Optional<StartBlocker> hold = own(part.group(), other);
            if (hold.isPresent()) {
                return hold.map(h -> h.inGroup(
                        h.why() + ", for group " + part.group() + " of the same host",
                        part.group(),
                        elsewhere(group, part.group()) + " is not ready"));
            }
        }
        return unit.flatMap(active -> unannounced(group, active).or(() -> leaving(group, active)));
    }

    /** A machine of the same unit that no event names yet, because something else is open for it. */
    private Optional<StartBlocker> unannounced(GroupId group, ActiveUnit active) {
        return new UnitMachines(facts, active)
                .unannounced().stream().findFirst().map(affected -> {
                    boolean host = facts.rollout(active.tie().rollout())
                            .filter(r -> r.spec().target().kind() == RolloutTarget.Kind.HOSTS)
                            .isPresent();
                    String why = affected.machines().get(0).id()
                            + (host ? " of the same host" : " of the same update domain") + " is not scheduled yet";
                    return new StartBlocker(
                            why,
                            null,
                            now.plus(LOOK_AGAIN),
                            affected.group(),
                            elsewhere(group, affected.group()) + " is not ready");
                });
    }

    /** A machine that its owner is moving off the host: if that fails, it is part of the work. */
    private Optional<StartBlocker> leaving(GroupId group, ActiveUnit active) {
        return new UnitMachines(facts, active)
                .leaving()
                .map(machine -> new StartBlocker(
                        machine.id() + " is being moved by its owner",
                        null,
                        now.plus(LOOK_AGAIN),
                        machine.group(),
                        elsewhere(group, machine.group()) + " is not ready"));
    }

    /** What those may read who must not know a group: tenants on the same host learn that they share it, not with whom. */
    static String elsewhere(GroupId group, GroupId other) {
        return other == null || other.tenant().equals(group.tenant())
                ? "another group of the same host"
                : Turn.ANOTHER_TENANT;
    }

    Optional<StartBlocker> stopped(Event event) {
        return rollout(event)
                .filter(r -> r.status() != Rollout.Status.RUNNING && r.status() != Rollout.Status.DONE)
                .map(r -> new StartBlocker(
                        "rollout " + r.name() + " is " + r.status().name().toLowerCase(Locale.ROOT), null))
                .or(() -> rollout(event)
                        .filter(r ->
                                UpcomingUnits.unit(facts, event.work().unit()).isSetAside())
                        .map(r -> new StartBlocker(
                                "it cannot start by " + r.spec().until(), null)));
    }

    Optional<StartBlocker> outsideWindows(Event event) {
        return rollout(event)
                .filter(r -> !r.spec().calendar().isOpen(now))
                .map(r -> new StartBlocker(
                        "no window of rollout " + r.name() + " is open",
                        PolicyResolver.open(r.spec().calendar(), now)));
    }

    Optional<Rollout> rollout(Event event) {
        return Optional.ofNullable(event.work().unit())
                .flatMap(rolloutUnitId -> facts.rollout(rolloutUnitId.rollout()));
    }

    /** When planned work could have started, but for what owners asked for. */
    static Instant due(StateReader facts, Event planned) {
        return Optional.ofNullable(planned.work().unit())
                .map(id -> UpcomingUnits.unit(facts, id).turn())
                .map(Turn::due)
                .orElse(planned.noticePeriod().notBefore());
    }

    boolean isInTime(Event event) {
        return (facts.noticeOver(event.id()) || !event.shared())
                && !event.noticePeriod().notBefore().isAfter(now);
    }

    /** Whether a unit of a rollout could start now if no other unit started at the same moment. */
    boolean couldStart(ActiveUnit unit) {
        return unit.parts().stream().allMatch(this::couldStart)
                && new UnitMachines(facts, unit).unannounced().isEmpty();
    }

    private boolean couldStart(Part part) {
        Event event = facts.state(part.group()).event(part.event()).orElseThrow();
        return event.phase() == Phase.SCHEDULED
                && (event.isApproved() || isInTime(event))
                && apartFromTurns(part.group(), event).isEmpty()
                && new TurnBlockers(facts, terms, now)
                        .ofTimesAndDates(part.group(), event)
                        .isEmpty();
    }
}
