package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.fleet.ValidationProblem;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.EffectivePolicy;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.ExcludedTarget;
import io.forewarn.core.rollout.PreparedRollout;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rollout.UnitPass;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;

/** Decides commands. Deterministic: the same state, command, time and ids give the same decision. */
public final class Rules {
    /** Far enough for any test, and every date has four digits. */
    private static final Instant LAST_MOMENT = Instant.parse("2200-01-01T00:00:00Z");

    /** For decisions that are not kept. */
    static Supplier<EventId> scratchIds() {
        long[] last = {0};
        return () -> new EventId(new UUID(0, ++last[0]));
    }

    private final ServiceTerms terms;
    private final Supplier<EventId> ids;

    /** @param durations as the driver knows them */
    public Rules(ServiceTerms terms, Supplier<EventId> ids, WorkDurations durations) {
        this.terms = terms.with(durations);
        this.ids = ids;
    }

    public Rules(ServiceTerms terms, Supplier<EventId> ids) {
        this(terms, ids, WorkDurations.UNKNOWN);
    }

    /**
     * The units of a rollout and their turns, worked out on the caller's thread, so that the writer need not.
     *
     * @throws RefusedException if it names something that does not exist, affects no machine, or is not possible now
     */
    public PreparedRollout prepare(StateReader facts, RolloutSpec spec, Instant now) {
        return new RolloutPlanner(facts, terms, spec, now).prepare();
    }

    /** What keeps some units of a rollout from being opened now. Works it out afresh: for people, not for the writer. */
    public List<BlockedUnit> blockedUnits(StateReader facts, Command.Roll units, Instant now) {
        ChangeSet scratch = new ChangeSet(facts, 0, 0);
        RolloutOpener.roll(new DecisionContext(scratch, terms, now, scratchIds()), units);
        return scratch.waits();
    }

    /** Which hosts or groups a rollout's names cover and its filters leave out. */
    public List<ExcludedTarget> excluded(StateReader facts, RolloutTarget target) {
        return new RolloutSelector(facts, target).excluded();
    }

    /** The numbers of the units of a rollout that touch machines of a tenant. */
    public Set<Integer> unitsOf(StateReader facts, Rollout rollout, String tenant) {
        UpcomingUnits units = new UpcomingUnits(facts, terms);
        Set<Integer> numbers = new TreeSet<>();
        facts.groups().stream()
                .filter(group -> group.tenant().equals(tenant))
                .forEach(group -> numbers.addAll(units.touching(rollout, group)));
        return numbers;
    }

    /** The machines that a unit of a rollout affects now or, of an update domain that is over, those that were worked on. */
    public List<AffectedMachines> affected(StateReader facts, Rollout rollout, RolloutUnit unit) {
        RolloutPartitioner partitioner = new RolloutPartitioner(facts, rollout.spec());
        return unit.isAhead() || partitioner.kind() == RolloutTarget.Kind.HOSTS
                ? partitioner.of(unit.name(), rollout)
                : partitioner.workedOn(unit.name(), rollout);
    }

    /** What a unit that has a turn is planned to do, as the fleet is now: its evacuations, then its work on whoever is left. */
    public List<UnitPass> passes(StateReader facts, Rollout rollout, RolloutUnit unit) {
        List<AffectedMachines> left = new ArrayList<>(affected(facts, rollout, unit));
        List<UnitPass> passes = new ArrayList<>();
        RolloutUnitId id = new RolloutUnitId(
                rollout.name(), facts.unitNumber(rollout.name(), unit.name()).orElseThrow());
        List<List<AffectedMachines>> leaving = new EvacuationOrder(facts, rollout).remaining(id, left);
        for (int i = 0; i < unit.turn().evacuations().size() && i < leaving.size(); i++) {
            Instant at = unit.turn().evacuations().get(i);
            List<AffectedMachines> moving = leaving.get(i);
            moving.forEach(affected -> passes.add(new UnitPass(affected, Cause.HOST_REDEPLOY, at)));
            left.removeAll(moving);
        }
        left.forEach(affected -> passes.add(
                new UnitPass(affected, rollout.spec().cause(), unit.turn().at())));
        return passes;
    }

    /** Whether a rollout is still to work on a machine, if its unit is to come. */
    public boolean isConcerned(StateReader facts, Rollout rollout, Machine machine) {
        return new RolloutPartitioner(facts, rollout.spec()).isConcerned(machine, rollout);
    }

    /** When a unit that is in progress or still to come is expected to end. */
    public Instant expectedEnd(StateReader facts, Rollout rollout, RolloutUnitId id, Instant now) {
        Duration takes =
                WorkEstimates.takes(terms, rollout.spec(), rollout.spec().cause());
        Turn turn = UpcomingUnits.unit(facts, id).turn();
        Instant started = facts.open(id)
                .filter(active -> !active.moves())
                .map(ActiveUnit::started)
                .orElse(null);
        if (started != null) {
            return WorkEstimates.ends(terms, started, takes, now);
        }
        Instant starts = turn == null ? now : expectedStart(facts, rollout, id, now);
        return (starts.isBefore(now) ? nextWindow(facts, rollout, id, now) : starts).plus(takes);
    }

    private Instant nextWindow(StateReader facts, Rollout rollout, RolloutUnitId id, Instant now) {
        List<AffectedMachines> affected = affected(facts, rollout, UpcomingUnits.unit(facts, id));
        RolloutPacing pacing = new RolloutPacing(facts, terms, rollout.spec(), now);
        Instant ownersUntil = RolloutPacing.ownersUntil(rollout.spec(), rollout.createdAt(), terms);
        return WindowSearch.earliest(
                        now, pacing.calendarsUntil(affected, rollout.spec().cause(), ownersUntil))
                .orElse(now);
    }

    /**
     * When the work of a unit that has a turn and has not started is expected to start: at its turn, or later if the notice of one of
     * its groups ends later, or if its host is evacuated later than was planned.
     */
    public Instant expectedStart(StateReader facts, Rollout rollout, RolloutUnitId id, Instant now) {
        RolloutUnit unit = UpcomingUnits.unit(facts, id);
        if (unit.turn() == null) {
            return now; // It had one when the caller looked: the state goes on while it is read.
        }
        Optional<ActiveUnit> open = facts.open(id);
        boolean evacuating = open.filter(ActiveUnit::moves).isPresent();
        Instant starts = unit.turn().at();
        boolean running = rollout.status() == Rollout.Status.RUNNING;
        if (running && (evacuating || !unit.turn().evacuations().isEmpty())) {
            Instant work = evacuated(rollout, unit.turn(), open.map(ActiveUnit::started), now)
                    .plus(RolloutPacing.of(facts, terms, rollout, unit.turn(), now)
                            .leastNotice(
                                    affected(facts, rollout, unit),
                                    rollout.spec().cause()));
            return work.isAfter(starts) ? work : starts;
        }
        return open.filter(active -> !active.moves()).map(ActiveUnit::parts).orElse(List.of()).stream()
                .flatMap(part -> facts.state(part.group()).event(part.event()).stream())
                .map(event -> event.noticePeriod().notBefore())
                .filter(notBefore -> notBefore.isAfter(starts))
                .max(Instant::compareTo)
                .orElse(starts);
    }

    /** When the last evacuation of a host is expected to end; {@code started} is when the present one started. */
    private Instant evacuated(Rollout rollout, Turn turn, Optional<Instant> started, Instant now) {
        Duration takes = WorkEstimates.takes(terms, rollout.spec(), Cause.HOST_REDEPLOY);
        List<Instant> evacuations = turn.evacuations();
        if (started.isPresent() && evacuations.size() < 2) {
            return WorkEstimates.ends(terms, started.get(), takes, now);
        }
        Instant last = evacuations.isEmpty() ? now : evacuations.get(evacuations.size() - 1);
        return (last.isBefore(now) ? now : last).plus(takes);
    }

    /** When the machines of a unit to come are to be shown it; empty if it has no turn. */
    public Optional<Instant> shows(
            StateReader facts, Rollout rollout, RolloutUnit unit, List<AffectedMachines> affected, Instant now) {
        if (unit.turn() == null) {
            return Optional.empty();
        }
        RolloutPacing pacing = RolloutPacing.of(facts, terms, rollout, unit.turn(), now);
        Instant shown =
                unit.turn().at().minus(pacing.notice(affected, rollout.spec().cause()));
        return Optional.of(shown.isBefore(rollout.createdAt()) ? rollout.createdAt() : shown);
    }

    /** How long a group recovers after work of a rollout before another of its update domains goes down. */
    public Duration recovery(RolloutSpec spec) {
        return RolloutPacing.recovery(spec, terms);
    }

    /** Which machines would be affected when, how long it would take and what blocks it; changes nothing. */
    public RolloutPlan plan(StateReader facts, RolloutSpec spec, Instant now) {
        return new RolloutPlanner(facts, terms, spec, now).plan();
    }

    /**
     * Writes into the draft what follows from the command.
     *
     * @throws RefusedException if the command may not be; the draft is then to be dropped
     */
    public CommandResult decide(ChangeSet draft, Command command, Instant now) {
        DecisionContext context = new DecisionContext(draft, terms, now, ids);
        if (command instanceof Schedule schedule) {
            return new ScheduleRules(context).schedule(schedule);
        } else if (command instanceof Approve approve) {
            return new StartRules(context).approve(approve);
        } else if (command instanceof Ready ready) {
            return new StartRules(context).ready(ready);
        } else if (command instanceof Due due) {
            return new StartRules(context).due(due);
        } else if (command instanceof Delayed delayed) {
            return new StartRules(context).delayed(delayed);
        } else if (command instanceof Command.RaiseIncarnation raise) {
            GroupState state = draft.state(raise.group());
            if (state.incarnation() <= raise.seen()) {
                draft.put(state.countedBeyond(raise.seen()));
            }
            return CommandResult.NOTHING;
        } else if (command instanceof Command.Arrive arrive) {
            draft.put(draft.condition(arrive.machine()).arrivedAt(arrive.at()));
            return CommandResult.NOTHING;
        } else if (command instanceof Told told) {
            return new CompletionRules(context).told(told);
        } else if (command instanceof Cancel cancel) {
            return new CompletionRules(context).cancel(cancel);
        } else if (command instanceof Postpone postpone) {
            return new PolicyRules(context).postpone(postpone);
        } else if (command instanceof Recovered recovered) {
            return new PolicyRules(context).recovered(recovered);
        } else if (command instanceof SetPolicy set) {
            return new PolicyRules(context).set(set);
        } else if (command instanceof RemovePolicy remove) {
            return new PolicyRules(context).remove(remove);
        } else if (command instanceof Enable enable) {
            return enable(context, enable);
        } else if (command instanceof Sight sight) {
            return sight(context, sight);
        } else if (command instanceof ChangeFleet change) {
            return change(context, change);
        } else if (command instanceof SavePolls save) {
            save.polls().forEach(draft::put);
            return CommandResult.NOTHING;
        } else if (command instanceof SetTenant set) {
            return new TenantRules(context).set(set);
        } else if (command instanceof AddToken add) {
            return add(context, add);
        } else if (command instanceof RemoveToken remove) {
            return remove(draft, remove, now);
        } else if (command instanceof Roll roll) {
            return RolloutOpener.roll(context, roll);
        } else if (command instanceof StartRollout start) {
            return new RolloutRules(context).start(start);
        } else if (command instanceof PauseRollout pause) {
            return new RolloutRules(context).pause(pause);
        } else if (command instanceof ResumeRollout resume) {
            return new RolloutRules(context).resume(resume);
        } else if (command instanceof AbortRollout abort) {
            return new RolloutRules(context).abort(abort);
        } else if (command instanceof RemoveRollout remove) {
            return new RolloutRules(context).remove(remove);
        } else if (command instanceof AddRecipient add) {
            return new SubscriptionRules(context).add(add);
        } else if (command instanceof RemoveRecipient remove) {
            return new SubscriptionRules(context).remove(remove);
        } else if (command instanceof TryRecipient trial) {
            return new SubscriptionRules(context).test(trial);
        } else if (command instanceof Resend resend) {
            return new SubscriptionRules(context).resend(resend);
        } else if (command instanceof Posted posted) {
            return new SubscriptionRules(context).posted(posted);
        } else if (command instanceof MoveClock move) {
            return move(draft, move, now);
        } else if (command instanceof NoteLoss) {
            return CommandResult.NOTHING; // Only the audit log records it.
        } else if (command instanceof RepairClock repair) {
            note(draft, HistoryEntry.What.CLOCK_MOVED, null, repair.actor(), now, "repaired, to " + repair.to());
            return CommandResult.NOTHING;
        } else if (command instanceof Denied denied) {
            throw new RefusedException(denied.problem(), denied.reason());
        }
        throw new IllegalStateException("no rule for " + command);
    }

    /** The limits on owners. */
    public OwnerLimits owners() {
        return terms.owners();
    }

    /** When time alone changes something in a group: a notice is over, or a recovery. */
    public Optional<Instant> due(StateReader facts, GroupState state, Instant now) {
        return new GroupDeadlines(facts, terms, now).next(state);
    }

    /** Whether machines of a group are to be shown an event at this moment that they are not shown yet. */
    public boolean isToBeShown(StateReader facts, GroupState state, Instant now) {
        return new GroupDeadlines(facts, terms, now).isToBeShown(state);
    }

    /** Why an event does not start although it is approved or its notice is over. */
    public Optional<StartBlocker> blocker(StateReader facts, GroupId group, Event event, Instant now) {
        return new StartBlockers(facts, terms, now).of(group, event);
    }

    /** Everything that keeps an open event from starting, its notice included; empty once it started. */
    public List<StartBlocker> blockers(StateReader facts, GroupId group, Event event, Instant now) {
        return new StartExplanation(facts, terms, now).of(group, event);
    }

    /** How long an owner's settings may hold platform work, counted from its request. */
    public Duration longestHold() {
        return terms.owners().longestHold();
    }

    /** The effective policy for a type of event of a group, with the source of each value. */
    public EffectivePolicy policy(StateReader facts, GroupId group, EventType type) {
        return PolicyResolver.of(facts, terms, group, type);
    }

    /** Whether the group gets notice: one of its machines polled, and not too long ago. */
    public boolean enabled(StateReader facts, GroupId group, Instant now) {
        return DecisionContext.enabled(facts, terms, group, now);
    }

    private static CommandResult enable(DecisionContext context, Enable enable) {
        ChangeSet draft = context.changes();
        if (draft.group(enable.group()).isEmpty()) {
            throw NotFound.group(draft, enable.group());
        }
        if (!context.enabled(enable.group())) {
            draft.put(draft.state(enable.group()).enabled(context.now()));
            note(draft, HistoryEntry.What.ENABLED, enable.group(), enable.actor(), context.now(), "");
        }
        // What was planned without notice is shown before the first answer, and so are units whose notice has begun.
        new StartRules(context).settle(enable.group(), Actor.SERVICE);
        Map<String, List<Integer>> units = new LinkedHashMap<>();
        for (UpcomingUnits.Upcoming upcoming : new UpcomingUnits(draft, context.terms()).in(enable.group())) {
            List<Integer> numbers = units.computeIfAbsent(upcoming.rollout().name(), name -> new ArrayList<>());
            if (!numbers.contains(upcoming.unit().unit())) {
                numbers.add(upcoming.unit().unit());
            }
        }
        units.forEach((rollout, numbers) -> {
            CommandResult looked = RolloutOpener.roll(context, new Roll(rollout, numbers));
            // What was not looked at, because one command does only so much, is looked at next.
            numbers.subList(looked.changes(), numbers.size())
                    .forEach(number ->
                            draft.put(BlockedUnit.forTime(new RolloutUnitId(rollout, number), context.now(), "")));
        });
        return CommandResult.NOTHING;
    }

    private static CommandResult sight(DecisionContext context, Sight sight) {
        ChangeSet draft = context.changes();
        for (EventId id : sight.shown()) {
            draft.state(sight.group())
                    .event(id)
                    .filter(e -> e.lists(sight.machine()) && !e.sightings().containsKey(sight.machine()))
                    .ifPresent(event -> {
                        draft.put(draft.state(sight.group()).with(event.seen(sight.machine(), sight.at())));
                        draft.note(new HistoryEntry(
                                sight.at(),
                                HistoryEntry.What.SEEN.name(),
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
            new StartRules(context).settle(sight.group(), Actor.SERVICE);
        }
        return CommandResult.NOTHING;
    }

    private static CommandResult change(DecisionContext context, ChangeFleet command) {
        ChangeSet draft = context.changes();
        Instant now = context.now();
        FleetChange change = command.change().version() == draft.fleetVersion()
                ? command.change()
                : command.plan().apply(draft);
        List<ValidationProblem> hindrances = new ArrayList<>(FleetRules.hindrances(draft, change.groups()));
        if (command.actor().limited()) {
            hindrances.addAll(ArrivalRules.refusedForOwners(draft, change.groups(), now));
        }
        if (!hindrances.isEmpty()) {
            throw new RefusedException(Problem.CONFLICT, FleetRules.message(hindrances));
        }
        if (!change.isEmpty()) {
            new CancelledDates(context).of(change.groups());
            List<MachineCondition> arrivals = ArrivalRules.conditions(draft, change.groups(), now);
            Map<GroupId, Long> overtaken = FleetRules.overtaken(draft, change.moves());
            draft.change(change);
            overtaken.forEach((group, seen) -> draft.put(draft.state(group).countedBeyond(seen)));
            arrivals.forEach(draft::put);
            change.groups().forEach(group -> forgetMachines(draft, group));
            note(
                    draft,
                    HistoryEntry.What.FLEET_CHANGED,
                    null,
                    command.actor(),
                    now,
                    change.touched() + " groups and machines");
        }
        return new CommandResult(List.of(), change.touched());
    }

    /** Nobody waits until a machine polls again that has left its group; another of the same name may come later. */
    private static void forgetMachines(ChangeSet draft, GroupChange change) {
        GroupState state = draft.state(change.id());
        if (state.lastDown() == null || state.lastDown().awaited().isEmpty()) {
            return;
        }
        Set<String> there = new HashSet<>();
        change.machines().forEach(m -> there.add(m.name()));
        for (String machine : state.lastDown().awaited().keySet()) {
            if (!there.contains(machine)) {
                state = state.down(state.lastDown().without(machine));
                draft.put(state);
            }
        }
    }

    private static CommandResult add(DecisionContext context, AddToken add) {
        ChangeSet draft = context.changes();
        add.token().check();
        ApiToken token = add.token();
        Optional<ApiToken> sameName = draft.token(token.name());
        boolean ours = sameName.filter(t -> token.everyTenant() || t.tenant().equals(token.tenant()))
                .isPresent();
        if (ours || draft.token(token.qualified().name()).isPresent()) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "there is already a token named " + add.token().name()
                            + "; remove it first or choose another name");
        }
        if (add.actor().limited()) {
            context.terms().owners().mustHaveRoom(draft, add.token().tenant(), Quota.TOKENS, 1);
        }
        // The error must not reveal which names other tenants use.
        draft.put(sameName.isPresent() ? token.qualified() : token);
        note(
                draft,
                HistoryEntry.What.TOKEN_ADDED,
                null,
                add.actor(),
                context.now(),
                add.token().name());
        return CommandResult.NOTHING;
    }

    /** By its name within its tenant or, for callers that see all tenants, by {@code tenant/name}. */
    private static Optional<ApiToken> named(ChangeSet draft, RemoveToken remove) {
        int slash = remove.name().indexOf('/');
        String tenant = slash < 0 ? remove.within() : remove.name().substring(0, slash);
        String given = remove.name().substring(slash + 1);
        if (tenant == null) {
            return draft.token(given);
        }
        return draft.token(ApiToken.qualified(tenant, given))
                .or(() -> draft.token(given))
                .filter(t -> t.tenant().equals(tenant))
                .filter(t -> remove.within() == null || remove.within().equals(t.tenant()));
    }

    private static CommandResult remove(ChangeSet draft, RemoveToken remove, Instant now) {
        ApiToken token = named(draft, remove)
                .orElseThrow(() -> new RefusedException(Problem.NOT_FOUND, "there is no token named " + remove.name()));
        draft.removeToken(token.name());
        note(draft, HistoryEntry.What.TOKEN_REMOVED, null, remove.actor(), now, remove.name());
        return CommandResult.NOTHING;
    }

    /** Refuses times that the manual clock cannot show. */
    public static void checkClock(Instant to) {
        if (to.isAfter(LAST_MOMENT)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the clock goes no further than " + LAST_MOMENT + ", not to " + to);
        }
    }

    private static CommandResult move(ChangeSet draft, MoveClock move, Instant now) {
        if (move.to().isBefore(now)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the clock stands at " + now + " and only goes forward, not to " + move.to());
        }
        checkClock(move.to());
        draft.put(new ManualClockRecord(move.to()));
        if (move.actor().kind() == Actor.Kind.PERSON) {
            note(draft, HistoryEntry.What.CLOCK_MOVED, null, move.actor(), now, "to " + move.to());
        }
        return CommandResult.NOTHING;
    }

    private static void note(
            ChangeSet draft, HistoryEntry.What what, GroupId group, Actor actor, Instant now, String detail) {
        draft.note(new HistoryEntry(now, what.name(), group, null, null, List.of(), actor, null, null, null, detail));
    }
}
