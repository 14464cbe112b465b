package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Claim;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Step;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.Command.Cancel;
import io.forewarn.core.rules.Command.Told;
import java.util.List;
import java.util.Optional;

/** From started to gone: what drivers report, and what people call off. */
final class Ending {
    private final Turn turn;

    Ending(Turn turn) {
        this.turn = turn;
    }

    Answer told(Told told) {
        Optional<GroupId> group = turn.draft().groupOf(told.event());
        if (group.isEmpty()) {
            return Answer.NOTHING;
        }
        Event event = turn.draft().state(group.get()).event(told.event()).orElseThrow();
        if (event.phase() != Phase.STARTED || event.claim().attempt() != told.attempt()) {
            return Answer.NOTHING;
        }
        switch (told.report()) {
            case DONE, FAILED, TIMED_OUT -> end(group.get(), event, told);
            case UNKNOWN -> again(group.get(), event, told);
            case RUNNING -> {
                // It goes on; nothing to write down.
            }
        }
        return Answer.of(List.of(told.event()));
    }

    private void end(GroupId group, Event event, Told told) {
        boolean done = told.report() == Report.DONE;
        Step step = event.shared()
                ? (done ? Step.COMPLETED : Step.FAILED)
                : (done ? Step.COMPLETED_UNSEEN : Step.FAILED_UNSEEN);
        String detail = told.report() == Report.TIMED_OUT ? ("took too long. " + told.detail()).strip() : told.detail();
        turn.life().walk(group, step, event, null, told.actor(), detail);
        if (event.work().cause().planned()) {
            turn.draft()
                    .put(turn.draft()
                            .state(group)
                            .down(new GroupState.Down(event.work().updateDomain(), turn.now())));
        }
        for (String machine : event.resources()) {
            after(group, new MachineId(group.tenant(), machine), event, done, detail);
        }
        new Starting(turn).settle(group, told.actor());
    }

    private void after(GroupId group, MachineId machine, Event event, boolean done, String detail) {
        Condition was = turn.draft().condition(machine);
        if (!done) {
            turn.draft().put(new Condition(machine, Condition.State.FAILED, was.boots(), turn.now(), detail));
            return;
        }
        boolean taken = event.work().cause() == Cause.PREEMPT || event.joined() == Cause.PREEMPT;
        if (event.work().cause() == Cause.TERMINATE || taken) {
            dropWaiting(group, machine, event);
        }
        if (event.work().cause() == Cause.TERMINATE) {
            turn.draft().change(FleetRules.remove(turn.draft(), List.of(machine)));
            return;
        }
        int boots = was.boots() + (event.work().cause() == Cause.FREEZE || taken ? 0 : 1);
        Condition.State state = taken ? Condition.State.TAKEN : Condition.State.RUNNING;
        turn.draft().put(new Condition(machine, state, boots, turn.now(), ""));
    }

    private void dropWaiting(GroupId group, MachineId machine, Event ended) {
        for (Event event : turn.draft().state(group).events()) {
            if (event.phase() == Phase.WAITING && event.lists(machine.name())) {
                turn.life().walk(group, Step.SUPERSEDED_WHILE_WAITING, event, null, Actor.SERVICE, "by " + ended.id());
            }
        }
    }

    /** The driver never heard of it, so it may be told again: design §8, promise 7. */
    private void again(GroupId group, Event event, Told told) {
        Claim claim = new Claim(
                event.claim().startedAt(),
                event.claim().attempt() + 1,
                turn.draft().epoch());
        turn.life()
                .walk(
                        group,
                        Step.TRIED_AGAIN,
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
            throw new Refusal(
                    Problem.CONFLICT,
                    "event " + event.id() + " started at " + event.claim().startedAt()
                            + "; only what has not started can be cancelled");
        }
        Step step = event.phase() == Phase.WAITING ? Step.CANCELLED_WHILE_WAITING : Step.CANCELLED;
        turn.life().walk(group, step, event, null, cancel.actor(), "");
        new Starting(turn).settle(group, cancel.actor());
        return Answer.of(List.of(event.id()));
    }
}
