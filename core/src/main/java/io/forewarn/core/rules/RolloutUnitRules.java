package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rollout.UnitRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Rules for what the events of one rollout unit do together. */
final class RolloutUnitRules {
    /** How many machines a notification names. */
    static final int MOST_NAMED = 100;

    private final DecisionContext context;

    RolloutUnitRules(DecisionContext context) {
        this.context = context;
    }

    /** All parts of an event's unit; itself alone if it is of none. */
    List<Part> parts(GroupId group, Event event) {
        return unit(event).map(ActiveUnit::parts).orElseGet(() -> List.of(new Part(group, event.id())));
    }

    /** Whether the driver knows the work by this event. */
    boolean leads(Event event) {
        return unit(event).map(p -> p.lead().equals(event.id())).orElse(true);
    }

    private Optional<ActiveUnit> unit(Event event) {
        return Optional.ofNullable(event.work().unit()).flatMap(context.changes()::open);
    }

    /** The rollout an event is part of, if any. */
    Optional<Rollout> rollout(Event event) {
        return Optional.ofNullable(event.work().unit())
                .flatMap(rolloutUnitId -> context.changes().rollout(rolloutUnitId.rollout()));
    }

    /** When a unit is to start: the latest NotBefore of its events. */
    Instant starts(ActiveUnit unit) {
        return unit.parts().stream()
                .map(part -> event(part).noticePeriod().notBefore())
                .max(Instant::compareTo)
                .orElseThrow();
    }

    /** When the rollout of an event lets it start; nothing if it is of none. */
    List<StartCalendar> windows(Event event) {
        return rollout(event)
                .map(Rollout::spec)
                .map(spec -> List.of(spec.calendar(), spec.lateCalendar()))
                .orElse(List.of());
    }

    /** The first moment from then on that all groups of the unit allow. */
    Optional<Instant> opens(GroupId group, Event event, Instant from) {
        List<StartCalendar> calendars = new ArrayList<>(windows(event));
        for (Part part : parts(group, event)) {
            calendars.add(PolicyResolver.calendar(context.changes(), context.terms(), part.group(), event));
        }
        return WindowSearch.earliest(from, calendars);
    }

    /** The events of a unit start together, so none of them is shown an earlier start than the unit has. */
    void moveTo(GroupId group, Event event, Instant until, String why) {
        parts(group, event).forEach(part -> moveTo(part, until, why));
    }

    void moveTo(Part part, Instant until, String why) {
        Event event = event(part);
        if (event.phase() != Phase.SCHEDULED
                || !event.noticePeriod().notBefore().isBefore(until)) {
            return;
        }
        Event moved = event.moved(event.noticePeriod().at(), until);
        if (event.shared()) {
            context.lifecycle().apply(part.group(), Transition.MOVED, event, moved, Actor.SERVICE, why);
        } else {
            // Its machines are not shown it yet, but its owners were told when it is.
            context.changes().put(context.changes().state(part.group()).with(moved));
            context.changes()
                    .note(new HistoryEntry(
                            context.now(),
                            HistoryEntry.What.ROLLOUT_MOVED.name(),
                            part.group(),
                            null,
                            event.work().cause(),
                            event.resources(),
                            Actor.SERVICE,
                            until,
                            null,
                            null,
                            HistoryEntry.detail(event.work().rehearsal(), why),
                            event.work().rollout()));
        }
    }

    /** Tells each tenant which of its machines are worked on when. */
    void notePlan(RolloutSpec spec, Map<String, ? extends SortedMap<Instant, List<String>>> planned) {
        new TreeMap<>(planned).forEach((tenant, times) -> {
            String detail = times.entrySet().stream()
                    .map(time -> time.getKey() + " " + String.join(", ", time.getValue()))
                    .collect(Collectors.joining("; "));
            List<String> machines = times.values().stream()
                    .flatMap(List::stream)
                    .distinct()
                    .limit(MOST_NAMED)
                    .toList();
            context.changes()
                    .note(new HistoryEntry(
                            context.now(),
                            HistoryEntry.What.ROLLOUT_PLANNED.name(),
                            GroupId.all(tenant),
                            null,
                            spec.cause(),
                            machines,
                            Actor.SERVICE,
                            times.firstKey(),
                            null,
                            null,
                            HistoryEntry.detail(spec.rehearsal(), detail),
                            spec.name()));
        });
    }

    Event event(Part part) {
        return context.changes().state(part.group()).event(part.event()).orElseThrow();
    }

    /**
     * One event of a scheduled unit goes away, so the others do too. Does nothing for an event of no unit.
     *
     * @return the parts of the unit, whose groups the caller must let settle
     */
    List<Part> callOff(GroupId group, Event event, RolloutUnit.State then, Actor actor) {
        Optional<ActiveUnit> open = unit(event);
        open.ifPresent(unit -> {
            for (Part part : unit.parts()) {
                if (!part.event().equals(event.id())) {
                    gone(part.group(), event(part), toldTo(part, group, actor), "the host's work was called off");
                }
            }
            close(unit, then, then == RolloutUnit.State.SKIPPED ? "cancelled by " + actor.name() : "");
        });
        return open.map(ActiveUnit::parts).orElse(List.of());
    }

    /**
     * A machine was deleted or taken away. Its events of rollouts go if they name nobody else; the other events of their
     * units keep id, approval and turn.
     */
    void leave(GroupId group, String machine, Event by) {
        for (Event before : context.changes().state(group).events()) {
            // What goes on without the machine may have changed the next event, or ended it.
            context.changes()
                    .state(group)
                    .event(before.id())
                    .filter(event -> event.phase() == Phase.SCHEDULED && isOnlyFor(group, machine, event))
                    .ifPresent(event -> leave(group, event, by));
        }
    }

    private boolean isOnlyFor(GroupId group, String machine, Event event) {
        return event.lists(machine)
                && event.resources().stream()
                        .noneMatch(other ->
                                !other.equals(machine) && context.changes().isThere(group, other));
    }

    private void leave(GroupId group, Event event, Event by) {
        unit(event).ifPresent(open -> {
            keepDate(event);
            Transition transition = event.shared() ? Transition.SUPERSEDED : Transition.CANCELLED_UNSEEN;
            context.lifecycle().apply(group, transition, event, null, Actor.SERVICE, "by " + by.id());
            List<Part> others = open.parts().stream()
                    .filter(part -> !part.event().equals(event.id()))
                    .toList();
            if (others.isEmpty()) {
                close(open, RolloutUnit.State.PENDING);
            } else {
                context.changes().put(new ActiveUnit(open.tie(), open.moves(), others, open.started()));
                settle(others, Actor.SERVICE);
            }
        });
    }

    /** What waited for these machines may go on. */
    void settle(List<Part> parts, Actor actor) {
        parts.forEach(part -> new StartRules(context).settle(part.group(), actor));
    }

    /** The actor, unless naming it would reveal one tenant to another. */
    static Actor toldTo(Part part, GroupId own, Actor actor) {
        return part.group().tenant().equals(own.tenant()) ? actor : Actor.SERVICE;
    }

    void gone(GroupId group, Event event, Actor actor, String detail) {
        keepDate(event);
        Transition transition = event.shared() ? Transition.CANCELLED : Transition.CANCELLED_UNSEEN;
        context.lifecycle().apply(group, transition, event, null, actor, detail);
    }

    /** A date that machines were shown, a little after the turn of their unit, is its turn when they get another event. */
    private void keepDate(Event event) {
        Optional<ActiveUnit> open = unit(event);
        RolloutUnitId id = event.work().unit();
        Turn turn = open.isEmpty() ? null : chunk(id).unit(id.unit()).turn();
        if (turn == null
                || !event.shared()
                || event.phase() != Phase.SCHEDULED
                || event.isApproved()
                || !concerns(event, open.get())) {
            return;
        }
        Instant shown = event.noticePeriod().notBefore();
        if (!open.get().moves() && shown.isAfter(turn.at())) {
            Turn kept = turn.moved(shown, turn.why(), turn.group()).dueAt(turn.due());
            context.changes().put(chunk(id).with(id.unit(), kept));
        } else if (open.get().moves()
                && shown.isAfter(turn.next())
                && !turn.evacuations().isEmpty()) {
            List<Instant> evacuations = new ArrayList<>(turn.evacuations());
            evacuations.set(0, shown);
            context.changes().put(chunk(id).with(id.unit(), turn.evacuatedAt(evacuations)));
        }
    }

    /** Whether the unit still affects a machine that the event names. */
    private boolean concerns(Event event, ActiveUnit unit) {
        return new UnitMachines(context.changes(), unit)
                .touched().stream()
                        .flatMap(affected -> affected.machines().stream())
                        .anyMatch(machine -> event.lists(machine.name()));
    }

    /** One event of a scheduled unit came to its end; the others stay, unless it was the last. */
    void left(Event event) {
        keepDate(event);
        unit(event).ifPresent(unit -> {
            List<Part> gone = unit.parts().stream()
                    .filter(part -> part.event().equals(event.id()))
                    .toList();
            if (gone.size() == unit.parts().size()) {
                close(unit, RolloutUnit.State.PENDING);
            } else {
                context.changes().put(unit.without(gone));
            }
        });
    }

    /** Calls a whole unit off. */
    void callOff(ActiveUnit unit, RolloutUnit.State then, Actor actor, String detail) {
        unit.parts().forEach(part -> gone(part.group(), event(part), actor, detail));
        close(unit, then);
        settle(unit.parts(), Actor.SERVICE);
    }

    /** When a unit that has started was worked on, if that ends now. To be asked while its events are there. */
    UnitRun run(ActiveUnit unit) {
        Instant shown = unit.parts().stream()
                .map(this::event)
                .filter(Event::shared)
                .map(event -> event.noticePeriod().at())
                .min(Instant::compareTo)
                .orElse(null);
        return new UnitRun(shown, unit.started(), context.now());
    }

    /** Notes that a unit is no longer open. */
    void close(ActiveUnit unit, RolloutUnit.State state) {
        close(unit, state, "");
    }

    void close(ActiveUnit unit, RolloutUnit.State state, String why) {
        close(unit, state, why, null);
    }

    /** @param run when it was worked on; null if it was not */
    void close(ActiveUnit unit, RolloutUnit.State state, String why, UnitRun run) {
        ChangeSet changes = context.changes();
        RolloutUnitId rolloutUnitId = unit.tie();
        changes.close(rolloutUnitId);
        RolloutUnitChunk closed = chunk(rolloutUnitId).with(rolloutUnitId.unit(), state, why);
        boolean over = state == RolloutUnit.State.DONE || state == RolloutUnit.State.FAILED;
        changes.put(over && run != null ? closed.with(rolloutUnitId.unit(), run) : closed);
        Rollout rollout = changes.rollout(rolloutUnitId.rollout()).orElseThrow();
        changes.put(rollout.countedStarted(unit.hasStarted() ? -1 : 0)
                .counted(
                        -1,
                        state == RolloutUnit.State.DONE ? 1 : 0,
                        state == RolloutUnit.State.FAILED ? 1 : 0,
                        state == RolloutUnit.State.SKIPPED ? 1 : 0));
    }

    /** A unit cannot start in time. The others go on without it, and it is called off as soon as it is looked at. */
    void setAside(RolloutUnitId id, String why) {
        RolloutUnitChunk chunk = chunk(id);
        context.changes().put(chunk.with(id.unit(), chunk.unit(id.unit()).state(), why));
        context.changes().put(BlockedUnit.forTime(id, context.now(), ""));
    }

    /** A failed unit halts the rollout; the last unit ends it. */
    void ended(RolloutUnitId rolloutUnitId, RolloutUnit.State state, String detail) {
        Rollout rollout = context.changes().rollout(rolloutUnitId.rollout()).orElseThrow();
        if (state == RolloutUnit.State.FAILED
                && (rollout.status() == Status.RUNNING || rollout.status() == Status.PAUSED)) {
            String why = (chunk(rolloutUnitId).unit(rolloutUnitId.unit()).name() + " failed. " + detail).strip();
            halt(rollout, why);
        }
        endIfOver(rolloutUnitId.rollout());
    }

    void halt(Rollout rollout, String why) {
        context.changes().put(rollout.with(Status.HALTED, why));
        note(HistoryEntry.What.ROLLOUT_HALTED, rollout.name(), Actor.SERVICE, why);
    }

    /** Nothing is open, and what is still to come was looked at: if none of it can be worked on, it is judged. */
    void judgeRest(String name) {
        Rollout rollout = context.changes().rollout(name).orElseThrow();
        if (rollout.status() == Status.RUNNING && rollout.open() == 0 && rollout.pending() > 0) {
            new RolloutFinalizer(context, rollout)
                    .judge()
                    .ifPresent(why -> halt(context.changes().rollout(name).orElseThrow(), why));
        }
        endIfOver(name);
    }

    private void endIfOver(String name) {
        Rollout rollout = context.changes().rollout(name).orElseThrow();
        if (rollout.status() != Status.RUNNING
                || rollout.pending() > 0
                || rollout.open() > 0
                || new RolloutFinalizer(context, rollout).reopen()) {
            return;
        }
        new CancelledDates(context).ofFailedEvacuations(rollout);
        context.changes().put(rollout.ended(Status.DONE, context.now(), ""));
        note(
                HistoryEntry.What.ROLLOUT_DONE,
                name,
                Actor.SERVICE,
                rollout.done() + " done, " + rollout.failed() + " failed"
                        + (rollout.skipped() == 0 ? "" : ", " + rollout.skipped() + " skipped") + " of "
                        + rollout.units());
    }

    void note(HistoryEntry.What what, String rollout, Actor actor, String detail) {
        note(what, rollout, actor, detail, "");
    }

    void note(HistoryEntry.What what, String rollout, Actor actor, String detail, String reason) {
        String all = detail.isEmpty() ? rollout : rollout + ": " + detail;
        context.changes()
                .note(new HistoryEntry(
                                context.now(),
                                what.name(),
                                null,
                                null,
                                null,
                                List.of(),
                                actor,
                                null,
                                null,
                                null,
                                all,
                                rollout)
                        .because(reason));
    }

    RolloutUnitChunk chunk(RolloutUnitId rolloutUnitId) {
        return context.changes().units(rolloutUnitId.rollout(), rolloutUnitId.unit() / RolloutUnitChunk.SIZE);
    }
}
