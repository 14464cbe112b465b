package io.forewarn.core.rules;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds what keeps platform work from starting because of other update domains of its group: only one is down at a time, and each recovers before the next. */
final class DomainBlockers {
    private final StartBlockers blockers;
    private final StateReader facts;
    private final ServiceTerms terms;
    private final Instant now;

    DomainBlockers(StartBlockers blockers, StateReader facts, ServiceTerms terms, Instant now) {
        this.blockers = blockers;
        this.facts = facts;
        this.terms = terms;
        this.now = now;
    }

    /** The planned work on other update domains that was to start earlier by more than a given time, in that order. */
    static Stream<Event> earlierElsewhere(GroupState state, Event event, Duration by) {
        Instant before = wasToStart(event).minus(by);
        return state.events().stream()
                .filter(other -> other.phase() != Phase.STARTED
                        && other.work().cause().planned()
                        && other.work().updateDomain() != event.work().updateDomain()
                        && !MachineBlockers.endsRehearsal(event, other)
                        && wasToStart(other).isBefore(before))
                .sorted(Comparator.comparing(DomainBlockers::wasToStart));
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

    /** One update domain at a time, and time to recover between two: design §8. */
    Optional<StartBlocker> of(GroupState state, Event event) {
        if (!event.work().cause().planned()) {
            return Optional.empty();
        }
        int domain = event.work().updateDomain();
        Optional<Event> down = state.events().stream()
                .filter(e -> e.phase() == Phase.STARTED
                        && e.work().cause().planned()
                        && !MachineBlockers.endsRehearsal(event, e)
                        && e.work().updateDomain() != domain)
                .findFirst();
        if (down.isPresent()) {
            return Optional.of(
                    new StartBlocker("update domain " + down.get().work().updateDomain() + " is down", null));
        }
        Duration rest = blockers.rollout(event)
                .map(r -> RolloutPacing.recovery(r.spec(), terms))
                .orElse(terms.recovery());
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
                .map(other -> StartBlocker.unknownEnd(comesFirst(other), now.plus(StartBlockers.LOOK_AGAIN)));
    }

    private boolean waitsOnlyForDomains(GroupState state, Event event) {
        boolean due = event.phase() == Phase.WAITING
                ? !DecisionContext.enabled(facts, terms, state.group(), now)
                        && blockers.machines().isFree(state, event)
                : blockers.isInTime(event);
        return due
                && blockers.machines().of(state, event).isEmpty()
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
                .filter(other -> blockers.machines().goesFirst(state.group(), other, event, ends))
                .findFirst()
                .map(other -> {
                    Instant starts = other.noticePeriod().notBefore();
                    return StartBlocker.unknownEnd(
                            "event " + other.id() + " of another update domain"
                                    + (starts.isAfter(now) ? ", which starts at " + starts + "," : "") + " comes first",
                            starts.isAfter(now) ? starts : null);
                });
    }

    private Optional<StartBlocker> recovering(GroupState state, Event event, Duration rest) {
        return state.otherDown(event.work().updateDomain(), event.work().rehearsal())
                .filter(down -> down.endedAt().plus(rest).isAfter(now))
                .map(down -> new StartBlocker(
                        down.updateDomain() == GroupState.SEVERAL
                                ? "several update domains recover"
                                : "update domain " + down.updateDomain() + " recovers",
                        down.endedAt().plus(rest)));
    }

    /**
     * The health gate: whoever was down must run and ask again, and nobody else of another domain may be down, unless the work takes
     * nobody down who is not down already. Who was taken away or is in another group by now cannot answer for this one, so nobody waits
     * for it.
     */
    Optional<StartBlocker> unhealthy(GroupState state, Event event) {
        int domain = event.work().updateDomain();
        Optional<StartBlocker> down = facts.machines(state.group()).stream()
                .filter(m -> m.updateDomain() != domain)
                .filter(m -> facts.condition(m.id()).isDown() && !isDownByLateRequest(state, m, event))
                .filter(m -> heldUntil(m) == null || heldUntil(m).isAfter(now))
                .findFirst()
                .filter(m -> !isDownAlready(state.group(), event))
                .map(m -> StartBlocker.unknownEnd(
                        m.name() + " of another update domain is down"
                                + (heldUntil(m) == null
                                        ? ""
                                        : ", which holds others until " + heldUntil(m) + " at the latest"),
                        heldUntil(m)));
        return down.or(() -> silent(state, domain));
    }

    /** Until when a group waits for a machine that has failed: owners who do not repair it must not hold work on hosts that others share for ever. */
    private Instant heldUntil(Machine machine) {
        Instant failed = facts.condition(machine.id()).failedAt();
        return failed == null ? null : failed.plus(terms.owners().longestHold());
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
                        machine + " has not polled again since its work ended", now.plus(StartBlockers.LOOK_AGAIN)));
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
                                && !e.askedAt().isBefore(StartBlockers.due(facts, planned)));
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
                .map(name -> facts.condition(new MachineId(group.tenant(), name)))
                .allMatch(MachineCondition::staysDown);
    }

    /** Nothing ever happened to it and it never asked: it only has the name of a machine that was removed. */
    private boolean isNew(MachineId id) {
        return facts.condition(id).since() == null && facts.lastPoll(id).equals(Instant.EPOCH);
    }
}
