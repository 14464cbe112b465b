package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.fleet.ValidationProblem;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.policy.EffectivePolicy;
import io.forewarn.core.rollout.PreparedRollout;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rules.Command.AbortRollout;
import io.forewarn.core.rules.Command.AddRecipient;
import io.forewarn.core.rules.Command.AddToken;
import io.forewarn.core.rules.Command.Approve;
import io.forewarn.core.rules.Command.Cancel;
import io.forewarn.core.rules.Command.ChangeFleet;
import io.forewarn.core.rules.Command.Delayed;
import io.forewarn.core.rules.Command.Denied;
import io.forewarn.core.rules.Command.Due;
import io.forewarn.core.rules.Command.Enable;
import io.forewarn.core.rules.Command.MoveClock;
import io.forewarn.core.rules.Command.NoteLoss;
import io.forewarn.core.rules.Command.PauseRollout;
import io.forewarn.core.rules.Command.Posted;
import io.forewarn.core.rules.Command.Postpone;
import io.forewarn.core.rules.Command.Ready;
import io.forewarn.core.rules.Command.Recovered;
import io.forewarn.core.rules.Command.RemovePolicy;
import io.forewarn.core.rules.Command.RemoveRecipient;
import io.forewarn.core.rules.Command.RemoveRollout;
import io.forewarn.core.rules.Command.RemoveToken;
import io.forewarn.core.rules.Command.RepairClock;
import io.forewarn.core.rules.Command.Resend;
import io.forewarn.core.rules.Command.ResumeRollout;
import io.forewarn.core.rules.Command.Roll;
import io.forewarn.core.rules.Command.SavePolls;
import io.forewarn.core.rules.Command.Schedule;
import io.forewarn.core.rules.Command.SetPolicy;
import io.forewarn.core.rules.Command.SetTenant;
import io.forewarn.core.rules.Command.Sight;
import io.forewarn.core.rules.Command.StartRollout;
import io.forewarn.core.rules.Command.Told;
import io.forewarn.core.rules.Command.TryRecipient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Decides commands. Same facts, same command, same time, same ids: same decision. */
public final class Rules {
    /** Far enough for any test, and every date has four digits. */
    private static final Instant LAST_MOMENT = Instant.parse("2200-01-01T00:00:00Z");

    /** For what is worked out and dropped. */
    static final Supplier<EventId> NO_IDS = () -> new EventId(new UUID(0, 0));

    private final Terms terms;
    private final Supplier<EventId> ids;
    private final WorkDurations durations;

    /** @param durations as the driver knows them */
    public Rules(Terms terms, Supplier<EventId> ids, WorkDurations durations) {
        this.terms = terms;
        this.ids = ids;
        this.durations = durations;
    }

    public Rules(Terms terms, Supplier<EventId> ids) {
        this(terms, ids, WorkDurations.UNKNOWN);
    }

    /**
     * The pieces of a rollout, worked out on the caller's thread, so that the writer need not.
     *
     * @throws RefusedException if it names what does not exist, hits nobody, or cannot be
     */
    public PreparedRollout prepare(Facts facts, RolloutSpec spec, Instant now) {
        return Shares.prepare(facts, terms, spec, now);
    }

    /** What keeps some pieces of a rollout from being opened now. Works it out afresh: for people, not for the writer. */
    public List<Waits> waits(Facts facts, Command.Roll pieces, Instant now) {
        Draft scratch = new Draft(facts, 0, 0);
        Opening.roll(new Turn(scratch, terms, now, NO_IDS), pieces, NO_IDS);
        return scratch.waits();
    }

    /** Who would be hit when, how long it would take and what blocks it; changes nothing. */
    public RolloutPlan plan(Facts facts, RolloutSpec spec, Instant now) {
        return new Planning(facts, terms, durations, spec, now).plan();
    }

    /**
     * Writes into the draft what follows from the command.
     *
     * @throws RefusedException if the command may not be; the draft is then to be dropped
     */
    public Answer decide(Draft draft, Command command, Instant now) {
        Turn turn = new Turn(draft, terms, now, ids);
        if (command instanceof Schedule schedule) {
            return new Scheduling(turn, ids).schedule(schedule);
        } else if (command instanceof Approve approve) {
            return new Starting(turn).approve(approve);
        } else if (command instanceof Ready ready) {
            return new Starting(turn).ready(ready);
        } else if (command instanceof Due due) {
            return new Starting(turn).due(due);
        } else if (command instanceof Delayed delayed) {
            return new Starting(turn).delayed(delayed);
        } else if (command instanceof Told told) {
            return new Ending(turn).told(told);
        } else if (command instanceof Cancel cancel) {
            return new Ending(turn).cancel(cancel);
        } else if (command instanceof Postpone postpone) {
            return new Policing(turn).postpone(postpone);
        } else if (command instanceof Recovered recovered) {
            return new Policing(turn).recovered(recovered);
        } else if (command instanceof SetPolicy set) {
            return new Policing(turn).set(set);
        } else if (command instanceof RemovePolicy remove) {
            return new Policing(turn).remove(remove);
        } else if (command instanceof Enable enable) {
            return enable(turn, enable);
        } else if (command instanceof Sight sight) {
            return sight(turn, sight);
        } else if (command instanceof ChangeFleet change) {
            return change(draft, change, now);
        } else if (command instanceof SavePolls save) {
            save.polls().forEach(draft::put);
            return Answer.NOTHING;
        } else if (command instanceof SetTenant set) {
            return new TenantRules(turn).set(set);
        } else if (command instanceof AddToken add) {
            return add(turn, add);
        } else if (command instanceof RemoveToken remove) {
            return remove(draft, remove, now);
        } else if (command instanceof Roll roll) {
            return Opening.roll(turn, roll, ids);
        } else if (command instanceof StartRollout start) {
            return new Rolling(turn).start(start);
        } else if (command instanceof PauseRollout pause) {
            return new Rolling(turn).pause(pause);
        } else if (command instanceof ResumeRollout resume) {
            return new Rolling(turn).resume(resume);
        } else if (command instanceof AbortRollout abort) {
            return new Rolling(turn).abort(abort);
        } else if (command instanceof RemoveRollout remove) {
            return new Rolling(turn).remove(remove);
        } else if (command instanceof AddRecipient add) {
            return new Posting(turn).add(add);
        } else if (command instanceof RemoveRecipient remove) {
            return new Posting(turn).remove(remove);
        } else if (command instanceof TryRecipient trial) {
            return new Posting(turn).test(trial);
        } else if (command instanceof Resend resend) {
            return new Posting(turn).resend(resend);
        } else if (command instanceof Posted posted) {
            return new Posting(turn).posted(posted);
        } else if (command instanceof MoveClock move) {
            return move(draft, move, now);
        } else if (command instanceof NoteLoss) {
            return Answer.NOTHING; // The audit log tells of it, and nothing else changes.
        } else if (command instanceof RepairClock repair) {
            note(draft, Entry.What.CLOCK_MOVED, null, repair.actor(), now, "repaired, to " + repair.to());
            return Answer.NOTHING;
        } else if (command instanceof Denied denied) {
            throw new RefusedException(denied.problem(), denied.reason());
        }
        throw new IllegalStateException("no rule for " + command);
    }

    /** How far owners may go. */
    public OwnerLimits owners() {
        return terms.owners();
    }

    /** When time alone changes something in a group: a notice is over, or a recovery. */
    public Optional<Instant> due(Facts facts, GroupState state, Instant now) {
        return new Holds(facts, terms, now).due(state);
    }

    /** Why an event does not start although it is approved or its notice is over. */
    public Optional<Hold> hold(Facts facts, GroupId group, Event event, Instant now) {
        return new Holds(facts, terms, now).of(group, event);
    }

    /** Everything that keeps an open event from starting, its notice included; empty once it started. */
    public List<Hold> holds(Facts facts, GroupId group, Event event, Instant now) {
        return new Holds(facts, terms, now).all(group, event);
    }

    /** What holds for a type of event of a group, and which policy said so. */
    public EffectivePolicy policy(Facts facts, GroupId group, EventType type) {
        return Policies.of(facts, terms, group, type);
    }

    /** Whether work on the group is announced: it asked once, and not too long ago. */
    public boolean enabled(Facts facts, GroupId group, Instant now) {
        return Turn.enabled(facts, terms, group, now);
    }

    private static Answer enable(Turn turn, Enable enable) {
        Draft draft = turn.draft();
        if (draft.group(enable.group()).isEmpty()) {
            throw Unknown.group(draft, enable.group());
        }
        if (!turn.enabled(enable.group())) {
            draft.put(draft.state(enable.group()).enabled(turn.now()));
            note(draft, Entry.What.ENABLED, enable.group(), enable.actor(), turn.now(), "");
        }
        // What was planned without notice is shown before the first answer.
        new Starting(turn).settle(enable.group(), Actor.SERVICE);
        return Answer.NOTHING;
    }

    private static Answer sight(Turn turn, Sight sight) {
        Draft draft = turn.draft();
        for (EventId id : sight.shown()) {
            draft.state(sight.group())
                    .event(id)
                    .filter(e -> e.lists(sight.machine()) && !e.sightings().containsKey(sight.machine()))
                    .ifPresent(event -> {
                        draft.put(draft.state(sight.group()).with(event.seen(sight.machine(), sight.at())));
                        draft.note(new Entry(
                                sight.at(),
                                Entry.What.SEEN.name(),
                                sight.group(),
                                id,
                                event.work().cause(),
                                List.of(sight.machine()),
                                sight.actor(),
                                null,
                                null,
                                null,
                                "",
                                event.work().rollout()));
                    });
        }
        if (!draft.states().isEmpty()) {
            // Some policy may have waited for this machine to see it.
            new Starting(turn).settle(sight.group(), Actor.SERVICE);
        }
        return Answer.NOTHING;
    }

    private static Answer change(Draft draft, ChangeFleet command, Instant now) {
        FleetChange change = command.change().version() == draft.fleetVersion()
                ? command.change()
                : command.plan().apply(draft);
        List<ValidationProblem> hindrances = FleetRules.hindrances(draft, change.groups());
        if (!hindrances.isEmpty()) {
            throw new RefusedException(Problem.CONFLICT, FleetRules.told(hindrances));
        }
        if (!change.isEmpty()) {
            draft.change(change);
            note(
                    draft,
                    Entry.What.FLEET_CHANGED,
                    null,
                    command.actor(),
                    now,
                    change.touched() + " groups and machines");
        }
        return new Answer(List.of(), change.touched());
    }

    private static Answer add(Turn turn, AddToken add) {
        Draft draft = turn.draft();
        add.token().check();
        if (draft.token(add.token().name()).isPresent()) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "there is already a token named " + add.token().name()
                            + "; remove it first or choose another name");
        }
        if (add.actor().limited()) {
            turn.terms().owners().mustHaveRoom(draft, add.token().tenant(), Quota.TOKENS, 1);
        }
        draft.put(add.token());
        note(
                draft,
                Entry.What.TOKEN_ADDED,
                null,
                add.actor(),
                turn.now(),
                add.token().name());
        return Answer.NOTHING;
    }

    private static Answer remove(Draft draft, RemoveToken remove, Instant now) {
        if (draft.token(remove.name())
                .filter(t -> remove.within() == null || remove.within().equals(t.tenant()))
                .isEmpty()) {
            throw new RefusedException(Problem.UNKNOWN_NAME, "there is no token named " + remove.name());
        }
        draft.removeToken(remove.name());
        note(draft, Entry.What.TOKEN_REMOVED, null, remove.actor(), now, remove.name());
        return Answer.NOTHING;
    }

    private static Answer move(Draft draft, MoveClock move, Instant now) {
        if (move.to().isBefore(now)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the clock stands at " + now + " and only goes forward, not to " + move.to());
        }
        if (move.to().isAfter(LAST_MOMENT)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the clock goes no further than " + LAST_MOMENT + ", not to " + move.to());
        }
        draft.put(new ClockMark(move.to()));
        if (move.actor().kind() == Actor.Kind.PERSON) {
            note(draft, Entry.What.CLOCK_MOVED, null, move.actor(), now, "to " + move.to());
        }
        return Answer.NOTHING;
    }

    private static void note(Draft draft, Entry.What what, GroupId group, Actor actor, Instant now, String detail) {
        draft.note(new Entry(now, what.name(), group, null, null, List.of(), actor, null, null, null, detail));
    }
}
