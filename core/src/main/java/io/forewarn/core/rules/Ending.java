package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.StartAttempt;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rules.Command.Cancel;
import io.forewarn.core.rules.Command.Schedule;
import io.forewarn.core.rules.Command.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** From started to gone: what drivers report, and what people call off. */
final class Ending {
    private final Turn turn;
    private final Pieces pieces;

    Ending(Turn turn) {
        this.turn = turn;
        this.pieces = new Pieces(turn);
    }

    Answer told(Told told) {
        Optional<GroupId> group = turn.draft().groupOf(told.event());
        if (group.isEmpty()) {
            return Answer.NOTHING;
        }
        Event event = turn.draft().state(group.get()).event(told.event()).orElseThrow();
        if (event.phase() != Phase.STARTED || event.attempt().attempt() != told.attempt()) {
            return Answer.NOTHING;
        }
        switch (told.report()) {
            case DONE, FAILED, TIMED_OUT -> endAll(group.get(), event, told);
            case UNKNOWN -> again(group.get(), event, told);
            case RUNNING -> {
                // It goes on; nothing to write down.
            }
        }
        return Answer.of(List.of(told.event()));
    }

    /** The events of one piece of work end together. */
    private void endAll(GroupId group, Event event, Told told) {
        boolean done = told.report() == Report.DONE;
        List<Part> parts = pieces.parts(group, event);
        parts.forEach(part -> end(part.group(), pieces.event(part), told));
        Optional.ofNullable(event.work().unit()).flatMap(turn.draft()::open).ifPresent(piece -> {
            RolloutUnit.State next = done ? (piece.moves() ? RolloutUnit.State.PENDING : RolloutUnit.State.DONE) : RolloutUnit.State.FAILED;
            pieces.close(piece, next);
            pieces.ended(piece.tie(), next, told.detail());
        });
        moveOn(group, event);
        parts.forEach(part -> new Starting(turn).settle(part.group(), told.actor()));
    }

    /**
     * Ends a rehearsal, and all of its unit with it, because something real happens to one of its machines.
     *
     * @return the parts of the unit, whose groups the caller must let settle
     */
    List<Part> endRehearsal(GroupId group, Event event, Schedule real) {
        List<Part> parts = pieces.parts(group, event);
        for (Part part : parts) {
            Event each = pieces.event(part);
            boolean hit = part.event().equals(event.id());
            Transition transition = each.shared() ? Transition.REHEARSAL_ENDED : Transition.REHEARSAL_ENDED_UNSEEN;
            String why = hit ? "by " + real.cause() : "the host's work was called off";
            turn.life().walk(part.group(), transition, each, null, Pieces.toldTo(part, group, real.actor()), why);
        }
        Optional.ofNullable(event.work().unit()).flatMap(turn.draft()::open).ifPresent(piece -> {
            pieces.close(piece, RolloutUnit.State.DONE);
            pieces.ended(piece.tie(), RolloutUnit.State.DONE, "");
        });
        return parts;
    }

    /** What waited for an event of its machine, and missed its window over it, moves into the next one. */
    private void moveOn(GroupId group, Event ended) {
        for (Event event : turn.draft().state(group).events()) {
            if (ended.work().unit() == null
                    && event.work().unit() != null
                    && event.phase() == Phase.SCHEDULED
                    && !event.noticePeriod().notBefore().isAfter(turn.now())
                    && ended.resources().stream().anyMatch(event::lists)) {
                pieces.opens(group, event, Starting.wholeSecond(turn.now()))
                        .filter(opens -> opens.isAfter(Starting.wholeSecond(turn.now())))
                        .ifPresent(opens -> pieces.moveTo(group, event, opens, "by " + ended.id()));
            }
        }
    }

    private void end(GroupId group, Event event, Told told) {
        boolean done = told.report() == Report.DONE;
        Transition transition = event.shared()
                ? (done ? Transition.COMPLETED : Transition.FAILED)
                : (done ? Transition.COMPLETED_UNSEEN : Transition.FAILED_UNSEEN);
        String detail = told.report() == Report.TIMED_OUT ? ("took too long. " + told.detail()).strip() : told.detail();
        turn.life().walk(group, transition, event, null, told.actor(), detail);
        if (event.work().cause().planned()) {
            turn.draft().put(turn.draft().state(group).down(down(group, event)));
        }
        if (!event.work().drill()) {
            for (String machine : turn.present(group, event)) {
                after(group, new MachineId(group.tenant(), machine), event, done, detail);
            }
        }
    }

    /** Machines that asked in the day before the work began must ask again before another domain goes down. */
    private GroupState.Down down(GroupId group, Event event) {
        Instant dayBefore = event.attempt().startedAt().minus(Duration.ofHours(24));
        Set<String> awaited = stillAwaited(group);
        if (event.work().cause().rolledOut()) {
            for (String machine : turn.present(group, event)) {
                if (turn.draft()
                        .lastPoll(new MachineId(group.tenant(), machine))
                        .isAfter(dayBefore)) {
                    awaited.add(machine);
                }
            }
        }
        return new GroupState.Down(event.work().updateDomain(), turn.now(), awaited);
    }

    /** Whoever did not ask again after earlier work is not forgotten over this one. */
    private Set<String> stillAwaited(GroupId group) {
        Set<String> awaited = new HashSet<>();
        GroupState.Down last = turn.draft().state(group).lastDown();
        if (last != null) {
            last.awaited().stream()
                    .filter(m -> turn.draft()
                            .lastPoll(new MachineId(group.tenant(), m))
                            .isBefore(last.endedAt()))
                    .forEach(awaited::add);
        }
        return awaited;
    }

    private void after(GroupId group, MachineId machine, Event event, boolean done, String detail) {
        Condition was = turn.draft().condition(machine);
        Cause cause = event.work().cause();
        // Whatever became of the work it joined, the spot machine is taken back.
        boolean joined = event.joined().get(machine.name()) == Cause.PREEMPT;
        if (!done && !joined) {
            turn.draft().put(was.now(Condition.State.FAILED, turn.now(), detail));
            return;
        }
        boolean taken = cause == Cause.PREEMPT || joined;
        if (cause == Cause.TERMINATE || taken) {
            dropWaiting(group, machine, event);
        }
        if (cause == Cause.TERMINATE) {
            turn.draft().change(FleetRules.deleted(turn.draft(), machine));
            pieces.leave(group, machine.name(), event);
            return;
        }
        int boots = was.boots() + (event.type() == EventType.FREEZE || taken ? 0 : 1);
        Condition.State state = taken ? Condition.State.TAKEN : Condition.State.RUNNING;
        Condition.Move move = was.move();
        boolean moved = event.type() == EventType.REDEPLOY && move != null && move.ended() == null;
        turn.draft().put(new Condition(machine, state, boots, turn.now(), "", moved ? move.done(turn.now()) : move));
        if (taken) {
            pieces.leave(group, machine.name(), event);
        }
    }

    private void dropWaiting(GroupId group, MachineId machine, Event ended) {
        for (Event event : turn.draft().state(group).events()) {
            if (event.phase() == Phase.WAITING && event.lists(machine.name())) {
                turn.life().walk(group, Transition.SUPERSEDED_WHILE_WAITING, event, null, Actor.SERVICE, "by " + ended.id());
            }
        }
    }

    /** The driver never heard of it, so it may be told again: design §8, promise 7. */
    private void again(GroupId group, Event event, Told told) {
        StartAttempt claim = new StartAttempt(
                event.attempt().startedAt(),
                event.attempt().attempt() + 1,
                turn.draft().epoch());
        turn.life()
                .walk(
                        group,
                        Transition.TRIED_AGAIN,
                        event,
                        event.attempted(claim),
                        told.actor(),
                        "attempt " + claim.attempt());
        turn.draft().start(event.id());
    }

    Answer cancel(Cancel cancel) {
        GroupId group = turn.draft().groupOf(cancel.event()).orElseThrow(() -> Unknown.event(cancel.event()));
        Event event = turn.draft().state(group).event(cancel.event()).orElseThrow();
        if (event.phase() == Phase.STARTED) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "event " + event.id() + " started at " + event.attempt().startedAt()
                            + "; only what has not started can be cancelled");
        }
        Transition transition = event.phase() == Phase.WAITING
                ? Transition.CANCELLED_WHILE_WAITING
                : event.shared() ? Transition.CANCELLED : Transition.CALLED_OFF_UNSEEN;
        turn.life().walk(group, transition, event, null, cancel.actor(), "");
        List<Part> calledOff = pieces.callOff(group, event, RolloutUnit.State.SKIPPED, cancel.actor());
        Optional.ofNullable(event.work().unit()).ifPresent(rolloutUnitId -> pieces.ended(rolloutUnitId, RolloutUnit.State.SKIPPED, "cancelled"));
        if (calledOff.isEmpty()) {
            moveOn(group, event);
            new Starting(turn).settle(group, cancel.actor());
        }
        pieces.settle(calledOff, Actor.SERVICE);
        return Answer.of(List.of(event.id()));
    }
}
