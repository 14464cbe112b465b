package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Everything that can keep an event from starting, in one place. */
final class StartBlockers {
    /** How often machines that must ask again are looked for. */
    static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private static final String REST = "the rest of its notice, because only time in which machines can read it counts";

    private static final String GRACE =
            "the grace period after a start, a stall or a clock jump of the service (clock.resume-grace), unless it is approved";

    private final StateReader facts;
    private final ServiceTerms terms;
    private final Instant now;

    StartBlockers(StateReader facts, ServiceTerms terms, Instant now) {
        this.facts = facts;
        this.terms = terms;
        this.now = now;
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
                .or(() -> sameMachine(facts.state(group), event))
                .or(() -> otherDomain(facts.state(group), event))
                .or(() -> outsideWindows(event))
                .or(() -> PolicyResolver.hold(facts, event, group, terms, now));
    }

    /** All that keeps an event from starting, its notice included, for people. */
    List<StartBlocker> all(GroupId group, Event event) {
        if (event.phase() == Phase.STARTED) {
            return List.of();
        }
        List<StartBlocker> holds = apartFromOrder(group, event);
        earlierDomain(group, event, holds)
                .filter(blocker -> holds.stream().noneMatch(known -> known.why().equals(blocker.why())))
                .ifPresent(holds::add);
        if (holds.isEmpty() && mayLackNotice(event)) {
            holds.add(StartBlocker.unknownEnd(
                    "the rest of its notice, if machines could not read it all the time", now.plus(LOOK_AGAIN)));
        }
        if (holds.isEmpty() && event.work().unit() != null && event.phase() == Phase.SCHEDULED) {
            // Polls change nothing by themselves; what waited for one is looked at again now and then.
            holds.add(StartBlocker.unknownEnd(
                    "nothing any more, it starts within " + LOOK_AGAIN.toSeconds() + " seconds", now.plus(LOOK_AGAIN)));
        }
        return holds;
    }

    private List<StartBlocker> apartFromOrder(GroupId group, Event event) {
        List<StartBlocker> holds = new ArrayList<>();
        if (event.phase() == Phase.WAITING) {
            inTheWay(facts.state(group), event)
                    .map(other -> other.phase() == Phase.STARTED ? underWay(other) : goesBefore(other))
                    .ifPresent(holds::add);
        }
        if (event.phase() == Phase.SCHEDULED && !event.isApproved()) {
            Instant notBefore = event.noticePeriod().notBefore();
            if (notBefore.isAfter(now)) {
                holds.add(date(group, event));
                PolicyResolver.voting(facts, event, group, terms)
                        .ifPresent(why -> holds.add(new StartBlocker(why, notBefore)));
            }
            restOfNotice(event).ifPresent(holds::add);
        }
        stopped(event).ifPresent(holds::add);
        sameMachine(facts.state(group), event)
                .filter(blocker -> holds.stream().noneMatch(first -> first.why().equals(blocker.why())))
                .ifPresent(holds::add);
        otherDomain(facts.state(group), event).ifPresent(holds::add);
        outsideWindows(event).ifPresent(holds::add);
        PolicyResolver.windows(facts, event, group, terms, now).ifPresent(holds::add);
        PolicyResolver.unseen(facts, event, group, terms, now).ifPresent(holds::add);
        new TurnBlockers(facts, terms, now).of(group, event).ifPresent(holds::add);
        others(group, event)
                .filter(blocker -> holds.stream().noneMatch(own -> own.why().equals(blocker.why())))
                .ifPresent(holds::add);
        Optional<StartBlocker> own = restOfNotice(event);
        restOfOthers(group, event)
                .filter(rest -> own.isEmpty() || rest.until().isAfter(own.get().until()))
                .ifPresent(holds::add);
        return holds;
    }

    /**
     * Another update domain that starts before this one, whose time has come too, because its date is earlier and nothing
     * holds it that does not hold this one.
     */
    private Optional<StartBlocker> earlierDomain(GroupId group, Event event, List<StartBlocker> holds) {
        if (!isDatePast(event)) {
            return Optional.empty();
        }
        List<String> reasons = holds.stream().map(StartBlocker::why).toList();
        return earlierElsewhere(facts.state(group), event, Duration.ZERO)
                .filter(this::isDatePast)
                .filter(other -> apartFromOrder(group, other).stream()
                        .map(StartBlocker::why)
                        .allMatch(reasons::contains))
                .findFirst()
                .map(other -> new StartBlocker(comesFirst(other), null));
    }

    /** The planned work on other update domains that was to start earlier by more than a given time, in that order. */
    private static Stream<Event> earlierElsewhere(GroupState state, Event event, Duration by) {
        Instant before = wasToStart(event).minus(by);
        return state.events().stream()
                .filter(other -> other.phase() != Phase.STARTED
                        && other.work().cause().planned()
                        && other.work().updateDomain() != event.work().updateDomain()
                        && !endsRehearsal(event, other)
                        && wasToStart(other).isBefore(before))
                .sorted(Comparator.comparing(StartBlockers::wasToStart));
    }

    /** When it is to start; what waits without a date was to start when it was requested. */
    private static Instant wasToStart(Event event) {
        return event.noticePeriod() == null
                ? event.work().acceptedAt()
                : event.noticePeriod().notBefore();
    }

    static String comesFirst(Event other) {
        return "update domain " + other.work().updateDomain() + " of its group was to start at " + wasToStart(other)
                + " and comes first";
    }

    private boolean isDatePast(Event event) {
        return event.phase() == Phase.SCHEDULED
                && event.work().cause().planned()
                && !event.noticePeriod().notBefore().isAfter(now);
    }

    /** Why an event has the date it has. */
    private StartBlocker date(GroupId group, Event event) {
        Instant notBefore = event.noticePeriod().notBefore();
        Optional<Turn> turn = Optional.ofNullable(event.work().unit())
                .map(id -> UpcomingUnits.unit(facts, id).turn());
        if (turn.isEmpty() || turn.get().why().isEmpty()) {
            // A window, a blackout or a postponement may have set it later.
            Instant noticed = event.noticePeriod().at().plus(event.work().notice());
            String what = notBefore.isAfter(noticed.plusSeconds(1)) ? "its date" : "its notice";
            return new StartBlocker(what + ", unless it is approved", notBefore);
        }
        GroupId because = turn.get().group();
        String turns = "its turn, unless it is approved: ";
        boolean sibling = because != null && because.tenant().equals(group.tenant());
        return new StartBlocker(
                turns + turn.get().why(),
                notBefore,
                group.equals(because) ? null : because,
                turns + (sibling ? elsewhere(group, because) : turn.get().why(group.tenant())));
    }

    /** What is left of its notice on the monotonic clock when its date has passed. For people: the rules ask {@link #isInTime}. */
    private Optional<StartBlocker> restOfNotice(Event event) {
        if (event.phase() != Phase.SCHEDULED || event.isApproved() || !event.shared()) {
            return Optional.empty();
        }
        Instant notBefore = event.noticePeriod().notBefore();
        return facts.noticeEnd(event.id())
                .filter(end -> end.at().isAfter(now) && end.at().isAfter(notBefore.plusSeconds(1)))
                .map(end -> new StartBlocker(end.byGrace() ? GRACE : REST, end.at()));
    }

    /** Only the writer knows how much of a notice is left. */
    private boolean mayLackNotice(Event event) {
        return event.phase() == Phase.SCHEDULED
                && !event.isApproved()
                && event.shared()
                && !event.noticePeriod().notBefore().isAfter(now)
                && facts.noticeEnd(event.id()).isEmpty();
    }

    /** The rest of the longest notice among the other events of its unit. */
    private Optional<StartBlocker> restOfOthers(GroupId group, Event event) {
        return unitParts(event)
                .filter(part -> !part.event().equals(event.id()))
                .flatMap(part -> facts.state(part.group()).event(part.event()).stream()
                        .flatMap(other -> restOfNotice(other).stream())
                        .map(rest -> part.group().equals(group)
                                ? new StartBlocker(
                                        "the rest of the notice of event " + part.event() + " of the same work",
                                        rest.until())
                                : new StartBlocker(
                                        "the rest of the notice of group " + part.group() + " of the same host",
                                        rest.until(),
                                        part.group(),
                                        "the rest of the notice of " + elsewhere(group, part.group()))))
                .max(Comparator.comparing(StartBlocker::until));
    }

    private Stream<Part> unitParts(Event event) {
        return Optional.ofNullable(event.work().unit()).flatMap(facts::open).stream()
                .flatMap(unit -> unit.parts().stream());
    }

    /** The events of one unit of work start together, so each waits for all. */
    private Optional<StartBlocker> others(GroupId group, Event event) {
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
    private static String elsewhere(GroupId group, GroupId other) {
        return other == null || other.tenant().equals(group.tenant())
                ? "another group of the same host"
                : Turn.ANOTHER_TENANT;
    }

    private Optional<StartBlocker> stopped(Event event) {
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

    private Optional<StartBlocker> outsideWindows(Event event) {
        return rollout(event)
                .filter(r -> !r.spec().calendar().isOpen(now))
                .map(r -> new StartBlocker(
                        "no window of rollout " + r.name() + " is open",
                        PolicyResolver.open(r.spec().calendar(), now)));
    }

    private Optional<Rollout> rollout(Event event) {
        return Optional.ofNullable(event.work().unit())
                .flatMap(rolloutUnitId -> facts.rollout(rolloutUnitId.rollout()));
    }

    /** Never two started events on one machine; and what cannot wait for a rollout goes before it: contract §5. */
    private Optional<StartBlocker> sameMachine(GroupState state, Event event) {
        for (Event other : state.events()) {
            if (other.id().equals(event.id()) || !shareMachine(other, event)) {
                continue;
            }
            if (other.phase() == Phase.STARTED && !endsRehearsal(event, other)) {
                return Optional.of(underWay(other));
            }
            if (goesFirst(state.group(), other, event)
                    || isDueUnit(other, event)
                    || isLateAfter(event, other)
                    || endsAtOnce(state.group(), other, event)) {
                return Optional.of(goesBefore(other));
            }
        }
        return Optional.empty();
    }

    private static StartBlocker underWay(Event other) {
        return new StartBlocker("event " + other.id() + " of the same machine is under way", null);
    }

    private StartBlocker goesBefore(Event other) {
        Instant starts =
                other.noticePeriod() == null ? now : other.noticePeriod().notBefore();
        return new StartBlocker(
                "event " + other.id() + " of the same machine comes first", starts.isAfter(now) ? starts : null);
    }

    /** A rehearsal carries no real work and never stands in its way. */
    static boolean endsRehearsal(Event real, Event rehearsal) {
        return rehearsal.work().rehearsal() && !real.work().rehearsal();
    }

    /**
     * Whether real work that ends a rehearsal can start at this very moment. The rehearsal starts afterwards: if it started first, it would be
     * over before any machine could read that it had started.
     */
    private boolean endsAtOnce(GroupId group, Event real, Event rehearsal) {
        if (!endsRehearsal(real, rehearsal)
                || real.phase() != Phase.SCHEDULED
                || rehearsal.phase() != Phase.SCHEDULED) {
            return false;
        }
        Optional<ActiveUnit> unit = Optional.ofNullable(real.work().unit()).flatMap(facts::open);
        List<Part> parts = unit.map(ActiveUnit::parts).orElseGet(() -> List.of(new Part(group, real.id())));
        return parts.stream().allMatch(part -> isDue(part) && isFreeOfOthers(part))
                && unit.map(active ->
                                new UnitMachines(facts, active).unannounced().isEmpty())
                        .orElse(true);
    }

    private boolean isFreeOfOthers(Part part) {
        GroupState state = facts.state(part.group());
        return sameMachine(state, state.event(part.event()).orElseThrow()).isEmpty();
    }

    /**
     * Whether planned work waits for another event of its machine. It waits for what an owner asked for, or what is
     * urgent, if that is to start within the shortest notice there is: who asks for more, or does not let it start, must not hold
     * work that concerns others too. Nor must one who asks again and again, so what an owner asks for once the planned work
     * may start comes after it.
     */
    private boolean goesFirst(GroupId group, Event other, Event planned) {
        Duration shortest = other.type() == EventType.TERMINATE
                ? terms.longestTerminateNotice()
                : terms.minimumNotice(other.type());
        return goesFirst(group, other, planned, now.plus(shortest).plusNanos(1));
    }

    /** The same for what is to start before a given time. */
    private boolean goesFirst(GroupId group, Event other, Event planned, Instant before) {
        Cause cause = other.work().cause();
        if (!planned.work().cause().planned()
                || planned.phase() != Phase.SCHEDULED
                || other.phase() != Phase.SCHEDULED
                || other.work().rehearsal()
                || cause.planned()
                || !cause.overrides() && !other.askedAt().isBefore(due(facts, planned))
                || isTooLong(other, planned)) {
            return false;
        }
        Instant starts = other.noticePeriod().notBefore();
        if (other.isApproved() || !starts.isAfter(now)) {
            return own(group, other).isEmpty();
        }
        return starts.isBefore(before);
    }

    /** Whether a unit could not start in time if what an owner asked for started now, and starts before that would be over. */
    private boolean isLateAfter(Event asked, Event unit) {
        return unit.phase() == Phase.SCHEDULED
                && !unit.work().rehearsal()
                && asked.phase() == Phase.SCHEDULED
                && !asked.work().rehearsal()
                && rollout(unit)
                        .filter(r -> r.status() == Rollout.Status.RUNNING)
                        .isPresent()
                && isTooLong(asked, unit)
                && unit.noticePeriod().notBefore().isBefore(now.plus(WorkEstimates.takes(facts, terms, asked.work())));
    }

    /** Whether a unit that waited for what an owner asked for would be too late, which would halt its whole rollout. */
    private boolean isTooLong(Event asked, Event planned) {
        Instant starts = asked.noticePeriod().notBefore();
        Instant ends = (starts.isAfter(now) ? starts : now).plus(WorkEstimates.takes(facts, terms, asked.work()));
        return asked.work().cause().source() == EventSource.USER
                && rollout(planned).filter(r -> r.spec().isTooLate(ends)).isPresent();
    }

    /** When planned work could have started, but for what owners asked for. */
    static Instant due(StateReader facts, Event planned) {
        return Optional.ofNullable(planned.work().unit())
                .map(id -> UpcomingUnits.unit(facts, id).turn())
                .map(Turn::due)
                .orElse(planned.noticePeriod().notBefore());
    }

    /**
     * Whether an owner's event waits for a unit of a rollout, because it was asked for when the unit could have started but for other
     * work on its machines. Otherwise an owner of two machines of one host could hold it for ever by restarting them in turns.
     */
    private boolean isDueUnit(Event unit, Event asked) {
        if (unit.work().unit() == null
                || unit.phase() != Phase.SCHEDULED
                || unit.work().rehearsal()
                || asked.work().cause().source() != EventSource.USER
                || asked.askedAt().isBefore(due(facts, unit))) {
            return false;
        }
        Optional<ActiveUnit> active = facts.open(unit.work().unit());
        return active.isPresent()
                && active.get().parts().stream().allMatch(this::isDue)
                && new UnitMachines(facts, active.get()).unannounced().isEmpty();
    }

    /**
     * Approved or past its NotBefore, and held by nothing but other work on its machines. Whether another unit starts at this very
     * moment is not asked: that would have to ask this in turn.
     */
    private boolean isDue(Part part) {
        Event event = facts.state(part.group()).event(part.event()).orElseThrow();
        return event.phase() == Phase.SCHEDULED
                && (event.isApproved() || isInTime(event))
                && stopped(event).isEmpty()
                && new TurnBlockers(facts, terms, now)
                        .ofTimesAndDates(part.group(), event)
                        .isEmpty()
                && otherDomain(facts.state(part.group()), event).isEmpty()
                && outsideWindows(event).isEmpty()
                && PolicyResolver.hold(facts, event, part.group(), terms, now).isEmpty();
    }

    private boolean isInTime(Event event) {
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

    /** Whether a machine is about to be taken away, or being taken: it is nobody's any more. */
    boolean isBeingTaken(GroupState state, String machine) {
        Instant soon = now.plus(terms.minimumNotice(EventType.PREEMPT));
        return state.events().stream()
                .filter(e -> e.lists(machine) && !e.work().rehearsal())
                .anyMatch(e -> e.phase() == Phase.STARTED
                        ? e.work().cause() == Cause.PREEMPT || e.joined().get(machine) == Cause.PREEMPT
                        : e.work().cause() == Cause.PREEMPT
                                && e.noticePeriod() != null
                                && !e.noticePeriod().notBefore().isAfter(soon));
    }

    /** One update domain at a time, and time to recover between two: design §8. */
    private Optional<StartBlocker> otherDomain(GroupState state, Event event) {
        if (!event.work().cause().planned()) {
            return Optional.empty();
        }
        int domain = event.work().updateDomain();
        Optional<Event> down = state.events().stream()
                .filter(e -> e.phase() == Phase.STARTED
                        && e.work().cause().planned()
                        && !endsRehearsal(event, e)
                        && e.work().updateDomain() != domain)
                .findFirst();
        if (down.isPresent()) {
            return Optional.of(
                    new StartBlocker("update domain " + down.get().work().updateDomain() + " is down", null));
        }
        Duration rest =
                rollout(event).map(r -> RolloutPacing.recovery(r.spec(), terms)).orElse(terms.recovery());
        Optional<StartBlocker> recovering = recovering(state, event, rest);
        if (recovering.isPresent()) {
            return recovering;
        }
        return event.work().cause().rolledOut()
                ? unhealthy(state, event).or(() -> ownersWorkElsewhere(state, event))
                : earlierFreeze(state, event);
    }

    /**
     * Single work on another update domain that was to start earlier and only waits until other domains are back and have recovered. If
     * later work went ahead of it, the recovery would begin anew each time. Dates that differ by less than is tolerated count as the
     * same: else those who freeze many machines one by one would have each wait for the one before it.
     */
    private Optional<StartBlocker> earlierFreeze(GroupState state, Event event) {
        return earlierElsewhere(state, event, terms.tolerance())
                .filter(other -> !other.work().cause().rolledOut() && waitsOnlyForDomains(state, other))
                .findFirst()
                .map(other -> StartBlocker.unknownEnd(comesFirst(other), now.plus(LOOK_AGAIN)));
    }

    private boolean waitsOnlyForDomains(GroupState state, Event event) {
        boolean due = event.phase() == Phase.WAITING
                ? !DecisionContext.enabled(facts, terms, state.group(), now) && isFree(state, event)
                : isInTime(event);
        return due
                && sameMachine(state, event).isEmpty()
                && PolicyResolver.hold(facts, event, state.group(), terms, now).isEmpty()
                && new TurnBlockers(facts, terms, now)
                        .ofTimesAndDates(state.group(), event)
                        .isEmpty();
    }

    /** What an owner asked for in another update domain goes first if it would start before the work of a rollout is over. */
    private Optional<StartBlocker> ownersWorkElsewhere(GroupState state, Event event) {
        Instant ends = now.plus(WorkEstimates.takes(facts, terms, event.work()));
        return state.events().stream()
                .filter(other -> other.work().updateDomain() != event.work().updateDomain())
                .filter(other -> goesFirst(state.group(), other, event, ends))
                .findFirst()
                .map(other -> {
                    Instant starts = other.noticePeriod().notBefore();
                    return new StartBlocker(
                            "event " + other.id() + " of another update domain comes first",
                            starts.isAfter(now) ? starts : null);
                });
    }

    private Optional<StartBlocker> recovering(GroupState state, Event event, Duration rest) {
        return state.otherDown(event.work().updateDomain(), event.work().rehearsal())
                .filter(down -> down.endedAt().plus(rest).isAfter(now))
                .map(down -> new StartBlocker(
                        "update domain " + down.updateDomain() + " recovers",
                        down.endedAt().plus(rest)));
    }

    /**
     * The health gate: whoever was down must run and ask again, and nobody else of another domain may be down, unless the work takes
     * nobody down who is not down already. Who was taken away or is in another group by now cannot answer for this one, so nobody waits
     * for it.
     */
    private Optional<StartBlocker> unhealthy(GroupState state, Event event) {
        int domain = event.work().updateDomain();
        Optional<StartBlocker> down = facts.machines(state.group()).stream()
                .filter(m -> m.updateDomain() != domain)
                .filter(m -> facts.condition(m.id()).isDown() && !isDownByLateRequest(state, m, event))
                .findFirst()
                .filter(m -> !isDownAlready(state.group(), event))
                .map(m -> new StartBlocker(m.name() + " of another update domain is down", null));
        return down.or(() -> silent(state, domain));
    }

    /** A machine of another update domain that must poll again and has not. */
    private Optional<StartBlocker> silent(GroupState state, int domain) {
        Set<String> awaited =
                state.lastDown() == null ? Set.of() : state.lastDown().awaited().keySet();
        return awaited.stream()
                .filter(machine -> facts.machine(new MachineId(state.group().tenant(), machine))
                        .filter(m -> m.group().equals(state.group()) && m.updateDomain() != domain)
                        .filter(this::isAwaited)
                        .isPresent())
                .sorted()
                .findFirst()
                .map(machine -> StartBlocker.unknownEnd(
                        machine + " has not polled again since its work ended", now.plus(LOOK_AGAIN)));
    }

    /**
     * Whether an owner has a machine down with a request that came after the unit could have started: such requests come when they are
     * asked for, and the unit does not wait for them, or an owner could hold a host that others share for ever.
     */
    private boolean isDownByLateRequest(GroupState state, Machine machine, Event planned) {
        // One on which work failed before was down already, and the request may be what repairs it.
        return planned.work().unit() != null
                && facts.condition(machine.id()).failedAt() == null
                && state.events().stream()
                        .anyMatch(e -> e.phase() == Phase.STARTED
                                && e.lists(machine.name())
                                && !e.work().rehearsal()
                                && e.work().cause().source() == EventSource.USER
                                && !e.askedAt().isBefore(due(facts, planned)));
    }

    /** Whether a machine must poll again, after work on it, before another update domain of its group goes down. */
    boolean isAwaited(Machine machine) {
        GroupState.Down last = facts.state(machine.group()).lastDown();
        Instant since = last == null ? null : last.awaited().get(machine.name());
        return since != null
                && facts.condition(machine.id()).state() != MachineCondition.State.TAKEN
                && !isNew(machine.id())
                && now.isBefore(since.plus(terms.owners().longestHold()))
                && facts.lastPoll(machine.id()).isBefore(since);
    }

    private boolean isDownAlready(GroupId group, Event event) {
        return event.resources().stream()
                .map(name ->
                        facts.condition(new MachineId(group.tenant(), name)).state())
                .allMatch(state -> state == MachineCondition.State.FAILED || state == MachineCondition.State.TAKEN);
    }

    /** Nothing ever happened to it and it never asked: it only has the name of a machine that was removed. */
    private boolean isNew(MachineId id) {
        return facts.condition(id).since() == null && facts.lastPoll(id).equals(Instant.EPOCH);
    }

    /** When time alone changes something in a group. */
    Optional<Instant> due(GroupState state) {
        return state.events().stream()
                .map(event -> due(state, event))
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    private Optional<Instant> due(GroupState state, Event event) {
        if (event.phase() == Phase.STARTED) {
            return overdue(event);
        }
        if (event.phase() == Phase.WAITING && !isFree(state, event)) {
            return Optional.empty();
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
        Optional<StartBlocker> hold = of(state.group(), event);
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
        Stream<StartCalendar> rollouts = rollout(event).map(Rollout::spec).stream()
                .flatMap(spec -> Stream.of(spec.calendar(), spec.lateCalendar()));
        return Stream.concat(rollouts, Stream.of(PolicyResolver.calendar(facts, terms, group, event)))
                .map(calendar -> calendar.closes(now))
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /** When the latest start of its rollout has passed. */
    private Optional<Instant> tooLate(Event event) {
        return rollout(event)
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
        Duration late = terms.tolerance().isZero() ? LOOK_AGAIN : terms.tolerance();
        while (!expected.plus(late).isAfter(now)) {
            late = late.multipliedBy(2);
        }
        return Optional.of(expected.plus(late));
    }

    /** When an event of a rollout is to be shown to a group that polls and is not shown it yet. */
    private Optional<Instant> shown(GroupId group, Event event) {
        Optional<Rollout> rollout = rollout(event);
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
        return Optional.of(at.isAfter(now) ? at : now);
    }

    /**
     * Whether an event may be announced. Planned work waits for every other event of its machine's own, for what waits before it, and
     * for what an owner asked for, unless that comes later anyway or its owner does not let it start; a rehearsal waits for what is announced; what an owner
     * asks for waits for nothing but what was asked for before. Events of rollouts are in nobody's way, and rehearsals in the way of no
     * real work.
     */
    boolean isFree(GroupState state, Event event) {
        return inTheWay(state, event).isEmpty();
    }

    private Optional<Event> inTheWay(GroupState state, Event event) {
        if (event.work().cause().overrides() || event.work().unit() != null) {
            return Optional.empty();
        }
        boolean planned = event.work().cause().planned();
        boolean earlier = planned;
        for (Event other : state.events()) {
            if (other.id().equals(event.id())) {
                earlier = false;
            } else if (other.work().unit() == null
                    && shareMachine(other, event)
                    && !endsRehearsal(event, other)
                    && !(planned && isNotAwaited(state.group(), other, event))) {
                boolean asked = other.work().cause().source() == EventSource.USER;
                boolean announced = other.phase() != Phase.WAITING
                        && (planned || event.work().rehearsal() || asked);
                if (announced || earlier || planned && asked) {
                    return Optional.of(other);
                }
            }
        }
        return Optional.empty();
    }

    /** Whether planned work need not wait for what an owner asked for. */
    private boolean isNotAwaited(GroupId group, Event asked, Event planned) {
        if (asked.work().cause().source() != EventSource.USER
                || asked.phase() != Phase.SCHEDULED
                || planned.work().rehearsal()) {
            return false;
        }
        Instant starts = asked.noticePeriod().notBefore();
        Instant over = now.plus(planned.work().notice()).plus(WorkEstimates.takes(facts, terms, planned.work()));
        boolean held = !starts.isAfter(now)
                && PolicyResolver.hold(facts, asked, group, terms, now).isPresent();
        return held || starts.isAfter(over);
    }

    private static boolean shareMachine(Event a, Event b) {
        return a.resources().stream().anyMatch(b::lists);
    }
}
