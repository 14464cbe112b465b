package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.PreparedRollout;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.Command.AbortRollout;
import io.forewarn.core.rules.Command.PauseRollout;
import io.forewarn.core.rules.Command.RemoveRollout;
import io.forewarn.core.rules.Command.ResumeRollout;
import io.forewarn.core.rules.Command.StartRollout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Rules for what people do with rollouts: start, pause, resume, abort and remove them. */
final class RolloutRules {
    /** Limited so that other commands are processed in between. */
    private static final int CALLED_OFF_PER_COMMAND = 20;

    private static final Duration LONGEST_RECOVERY = Duration.ofDays(30);
    private static final int MOST_WINDOWS = 20;

    private final DecisionContext context;
    private final ChangeSet changes;
    private final RolloutUnitRules unitRules;

    RolloutRules(DecisionContext context) {
        this.context = context;
        this.changes = context.changes();
        this.unitRules = new RolloutUnitRules(context);
    }

    CommandResult start(StartRollout start) {
        RolloutSpec spec = start.spec();
        check(spec);
        PreparedRollout prepared = start.prepared().version() == RolloutPlanner.version(changes)
                ? start.prepared()
                : new RolloutPlanner(changes, context.terms(), spec, context.now()).prepare();
        checkOverlap(spec, prepared.units());
        RolloutUnitChunk.of(spec.name(), prepared.units()).forEach(changes::put);
        int count = prepared.units().size();
        changes.put(Rollout.started(spec, context.now(), count, prepared.ends()));
        unitRules.note(
                HistoryEntry.What.ROLLOUT_STARTED,
                spec.name(),
                start.actor(),
                (spec.rehearsal() ? "rehearsal of " : "") + (count == 1 ? "1 unit" : count + " units"));
        unitRules.notePlan(spec, prepared.times());
        return new CommandResult(List.of(), count);
    }

    void check(RolloutSpec spec) {
        if (!NameRules.valid(spec.name())) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "'" + spec.name() + "' is no name for a rollout: " + NameRules.RULE);
        }
        if (changes.rollout(spec.name()).isPresent()) {
            throw new RefusedException(
                    Problem.CONFLICT, "there is already a rollout " + spec.name() + "; choose another name");
        }
        if (!spec.cause().rolledOut()) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "a rollout freezes, reboots or redeploys; " + spec.cause() + " cannot be rolled out");
        }
        Duration least = context.terms().minimumNotice(spec.cause().type());
        within("notice", spec.notice(), least, ScheduleRules.LONGEST_NOTICE);
        within("recovery", spec.recovery(), Duration.ZERO, LONGEST_RECOVERY);
        checkTimes(spec);
        ScheduleRules.checkInterruption(spec.interruption());
        if (spec.windows().size() > MOST_WINDOWS) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "a rollout has at most " + MOST_WINDOWS + " windows, not "
                            + spec.windows().size());
        }
        if (spec.description() != null && spec.description().length() > ScheduleRules.LONGEST_DESCRIPTION) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "a description has at most " + ScheduleRules.LONGEST_DESCRIPTION + " characters, not "
                            + spec.description().length());
        }
        boolean percent = spec.atOnce().kind() == ConcurrencyLimit.Kind.PERCENT;
        if (spec.atOnce().kind() != ConcurrencyLimit.Kind.FAULT_DOMAIN
                && (spec.atOnce().number() < 1 || percent && spec.atOnce().number() > 100)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "atOnce (--at-once) must be at least 1, or from 1% to 100%, not "
                            + spec.atOnce().number() + (percent ? "%" : ""));
        }
        if (spec.selfServiceUntil() != null && !spec.selfServiceUntil().isAfter(context.now())) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "selfServiceUntil (--self-service-until) must be later than now, which is " + context.now()
                            + ", not " + spec.selfServiceUntil());
        }
        if (spec.selfServiceUntil() != null
                && spec.selfServiceUntil().isAfter(context.now().plus(ScheduleRules.LONGEST_NOTICE))) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "selfServiceUntil (--self-service-until) must be within a year from now, not "
                            + spec.selfServiceUntil());
        }
    }

    private void checkTimes(RolloutSpec spec) {
        Instant most = context.now().plus(ScheduleRules.LONGEST_NOTICE);
        if (spec.at() != null && spec.at().isAfter(most)) {
            throw new RefusedException(Problem.BAD_INPUT, "at (--at) must be within a year from now, not " + spec.at());
        }
        checkUntil(spec);
        checkLateness(spec);
    }

    private void checkUntil(RolloutSpec spec) {
        Instant from = spec.at() == null || spec.at().isBefore(context.now()) ? context.now() : spec.at();
        if (spec.until() != null && !spec.until().isAfter(from)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "until (--until), the latest start, must be later than " + from + ", not " + spec.until());
        }
    }

    private static void checkLateness(RolloutSpec spec) {
        if (spec.late() == RolloutSpec.Late.NEXT_WINDOW
                && (spec.at() == null
                        || spec.until() == null
                        || !spec.until().isAfter(spec.at())
                        || Duration.between(spec.at(), spec.until()).compareTo(Duration.ofDays(1)) >= 0)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "late (--late) next-window repeats the hours from at (--at) to until (--until) on later days, so it needs both,"
                            + " and until must be later than at by less than a day"
                            + (spec.at() == null || spec.until() == null
                                    ? ""
                                    : " (at is " + spec.at() + ", until is " + spec.until() + ")"));
        }
        if (spec.late() != RolloutSpec.Late.REFUSE && spec.until() == null) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "late (--late) says what becomes of units that cannot start by until; give until (--until) too");
        }
    }

    private static void within(String what, Duration said, Duration least, Duration most) {
        if (said != null && (said.compareTo(least) < 0 || said.compareTo(most) > 0)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    what + " of a rollout must be from " + ScheduleRules.inWords(least) + " to "
                            + ScheduleRules.inWords(most) + ", not " + ScheduleRules.inWords(said));
        }
    }

    private void checkOverlap(RolloutSpec spec, List<RolloutUnit> units) {
        overlap(spec, units).ifPresent(what -> {
            throw new RefusedException(Problem.CONFLICT, what + "; wait for it, or abort it");
        });
    }

    /** Another rollout that is not over and works on the same. Real work does not wait for the end of a rehearsal. */
    Optional<String> overlap(RolloutSpec spec, List<RolloutUnit> units) {
        RolloutPartitioner partitioner = new RolloutPartitioner(changes, spec);
        for (Rollout other : changes.rollouts()) {
            if (other.isOver() || other.spec().rehearsal() && !spec.rehearsal()) {
                continue;
            }
            Set<String> theirs = new HashSet<>();
            for (int chunk = 0; chunk < RolloutUnitChunk.chunks(other.units()); chunk++) {
                changes.units(other.name(), chunk).units().stream()
                        .filter(unit -> !isFinished(other, unit))
                        .forEach(unit -> theirs.add(unit.name()));
            }
            for (RolloutUnit unit : units) {
                Optional<String> what = overlap(partitioner, unit.name(), other, theirs);
                if (what.isPresent()) {
                    return Optional.of("rollout " + other.name() + " is not over and works on " + what.get() + " too");
                }
            }
        }
        return Optional.empty();
    }

    /** Whether a rollout will not work on a unit again. It may on a group: machines that come to it later are worked on too. */
    private static boolean isFinished(Rollout rollout, RolloutUnit unit) {
        return rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS
                && (unit.state() == RolloutUnit.State.DONE || unit.state() == RolloutUnit.State.SKIPPED);
    }

    private static Optional<String> overlap(
            RolloutPartitioner partitioner, String unit, Rollout other, Set<String> theirs) {
        if (theirs.contains(unit)) {
            return Optional.of(unit);
        }
        if (other.spec().target().kind() == partitioner.kind()) {
            return Optional.empty();
        }
        for (AffectedMachines affected : partitioner.of(unit)) {
            String domain = affected.group() + "#" + affected.updateDomain();
            if (theirs.contains(domain)) {
                return Optional.of(domain);
            }
            for (Machine machine : affected.machines()) {
                if (theirs.contains(machine.host())) {
                    return Optional.of(machine.host());
                }
            }
        }
        return Optional.empty();
    }

    CommandResult pause(PauseRollout pause) {
        ReasonCheck.check(pause.reason());
        Rollout rollout = known(pause.rollout());
        if (rollout.status() != Status.RUNNING) {
            throw not(rollout, "paused");
        }
        changes.put(rollout.with(Status.PAUSED, pause.reason()));
        unitRules.note(HistoryEntry.What.ROLLOUT_PAUSED, rollout.name(), pause.actor(), "", pause.reason());
        return CommandResult.NOTHING;
    }

    CommandResult resume(ResumeRollout resume) {
        Rollout rollout = known(resume.rollout());
        boolean stands = rollout.status() == Status.PAUSED || rollout.status() == Status.HALTED;
        if (!stands && !(resume.retry() && rollout.status() == Status.RUNNING)) {
            throw not(rollout, "resumed");
        }
        RolloutSpec spec = resume.change(rollout.spec());
        if (resume.until() != null) {
            checkUntil(spec);
        }
        if (resume.until() != null || resume.late() != null) {
            checkLateness(spec);
        }
        if (spec.isTooLate(context.now())) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "no unit of rollout " + rollout.name() + " starts after " + spec.until()
                            + "; resume with another latest start (until, --until), or let late units start (late, --late)");
        }
        Rollout resumed = rollout.with(spec).with(Status.RUNNING, "");
        changes.put(stands ? resumed.replanningSince(context.now()) : resumed);
        ResumedTurns resumedTurns = new ResumedTurns(context);
        int failed = resume.retry() ? rollout.failed() : 0;
        unitRules.note(
                HistoryEntry.What.ROLLOUT_RESUMED,
                rollout.name(),
                resume.actor(),
                failed == 0 ? "" : failed + " tried again");
        List<Integer> retried = resume.retry() ? retry(resumedTurns, resumed, resume.notice()) : List.of();
        resumedTurns.replanAtOnce(known(rollout.name()));
        // If a unit is too late, the resume is refused as a whole, and nobody is told dates for a rollout that stands
        // still.
        mustStillRun(rollout.name());
        takeUpAgain(resumedTurns, rollout.name(), resume.until() != null || resume.late() != null);
        resumedTurns.tooLate(known(rollout.name())).ifPresent(why -> {
            throw new RefusedException(Problem.CONFLICT, why);
        });
        if (!resume.retry()) {
            leaveOut(rollout);
        }
        if (known(rollout.name()).isReplanning()) {
            unitRules.judgeRest(rollout.name());
        } else {
            // Whoever resumes reads in the answer what is scheduled again.
            RolloutOpener.roll(context, new Command.Roll(rollout.name(), retried));
        }
        return CommandResult.NOTHING;
    }

    /**
     * Units that were too late may fit by now, or may start later.
     *
     * @param all whether all of them must fit
     */
    private void takeUpAgain(ResumedTurns turns, String name, boolean all) {
        for (int number = 0; number < known(name).units(); number++) {
            RolloutUnitId id = new RolloutUnitId(name, number);
            RolloutUnit unit = UpcomingUnits.unit(changes, id);
            if (unit.state() == RolloutUnit.State.PENDING
                    && unit.isSetAside()
                    && (all || new TurnRules(context).fitsAgain(id))) {
                changes.put(unitRules.chunk(id).with(number, RolloutUnit.State.PENDING));
                turns.placeAgain(id, null);
                mustStillRun(name);
                if (all) {
                    mustNotBeLate(id);
                }
            }
        }
        new RolloutFinalizer(context, known(name)).late().ifPresent(why -> {
            throw new RefusedException(Problem.CONFLICT, why);
        });
    }

    /**
     * The rollout goes on without units that could not be worked on, or whose evacuation failed. If they are retried later, they get
     * another date.
     */
    private void leaveOut(Rollout rollout) {
        CancelledDates cancelled = new CancelledDates(context);
        cancelled.ofUnfit(rollout);
        cancelled.ofFailedEvacuations(rollout);
        Stream.concat(UpcomingUnits.unfit(changes, rollout), UpcomingUnits.failedEvacuations(changes, rollout))
                .map(unit -> unit.id(rollout))
                .toList()
                .forEach(id -> changes.put(unitRules.chunk(id).withoutTurn(id.unit())));
    }

    /** Units that failed get another turn, with the least notice or as much as is asked for. */
    private List<Integer> retry(ResumedTurns turns, Rollout rollout, Duration notice) {
        within(
                "notice",
                notice,
                context.terms().minimumNotice(rollout.spec().cause().type()),
                ScheduleRules.LONGEST_NOTICE);
        List<Integer> retried = new ArrayList<>();
        for (int number = 0; number < rollout.units(); number++) {
            RolloutUnitId id = new RolloutUnitId(rollout.name(), number);
            RolloutUnit unit = UpcomingUnits.unit(changes, id);
            if (unit.state() == RolloutUnit.State.FAILED) {
                changes.put(unitRules.chunk(id).with(number, RolloutUnit.State.PENDING));
                // One whose work never began left nothing down, and keeps the date that its owners were told. They are
                // told no other if it still cannot be worked on.
                if (!unit.wasUnfit()) {
                    turns.retry(id, notice);
                } else if (!new RolloutFinalizer(context, rollout).isUnfit(unit.name())) {
                    turns.placeAgain(id, notice);
                }
                mustStillRun(rollout.name());
                mustNotBeLate(id);
                retried.add(number);
            }
        }
        // Machines on which work failed may be in units by now that are done.
        int reopened = new RolloutFinalizer(context, known(rollout.name())).reopenFailed();
        if (retried.isEmpty() && reopened == 0) {
            throw new RefusedException(
                    Problem.CONFLICT, "nothing of rollout " + rollout.name() + " failed; resume it plainly");
        }
        changes.put(changes.rollout(rollout.name()).orElseThrow().counted(0, 0, -retried.size(), 0));
        return retried;
    }

    private void mustNotBeLate(RolloutUnitId id) {
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        if (unit.isSetAside()) {
            throw new RefusedException(Problem.CONFLICT, unit.why() + RolloutFinalizer.TOO_LATE);
        }
    }

    private void mustStillRun(String name) {
        Rollout now = changes.rollout(name).orElseThrow();
        if (now.status() == Status.HALTED) {
            throw new RefusedException(Problem.CONFLICT, now.why());
        }
    }

    /** Finishes what has started and calls off what is only scheduled: as much as one command can, the rest by {@link RolloutOpener#roll}. */
    CommandResult abort(AbortRollout abort) {
        ReasonCheck.check(abort.reason());
        Rollout rollout = known(abort.rollout());
        if (rollout.isOver()) {
            throw not(rollout, "aborted");
        }
        String why = "by " + abort.actor().name() + (abort.reason().isBlank() ? "" : ": " + abort.reason());
        unitRules.note(HistoryEntry.What.ROLLOUT_ABORTED, rollout.name(), abort.actor(), "", abort.reason());
        new CancelledDates(context).ofAll(rollout);
        changes.put(rollout.ended(Status.ABORTED, context.now(), why));
        callOffSome(rollout.name(), abort.actor());
        return CommandResult.NOTHING;
    }

    CommandResult remove(RemoveRollout remove) {
        Rollout rollout = known(remove.rollout());
        if (!rollout.isOver()) {
            throw not(rollout, "removed");
        }
        if (rollout.open() > 0) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "rollout " + rollout.name() + " was aborted and what had started of it, " + rollout.open()
                            + ", is not over yet; remove it when that is done");
        }
        changes.removeRollout(rollout);
        unitRules.note(HistoryEntry.What.ROLLOUT_REMOVED, rollout.name(), remove.actor(), "");
        return new CommandResult(List.of(), 1);
    }

    void callOffSome(String rollout, Actor actor) {
        List<ActiveUnit> scheduled = changes.open(rollout).stream()
                .filter(p -> !p.hasStarted())
                .limit(CALLED_OFF_PER_COMMAND)
                .toList();
        scheduled.forEach(p -> unitRules.callOff(p, RolloutUnit.State.PENDING, actor, "rollout aborted"));
    }

    private Rollout known(String name) {
        return changes.rollout(name).orElseThrow(() -> NotFound.rollout(changes, name));
    }

    private static RefusedException not(Rollout rollout, String done) {
        return new RefusedException(
                Problem.CONFLICT,
                "rollout " + rollout.name() + " is " + rollout.status().name().toLowerCase(Locale.ROOT)
                        + " and cannot be " + done + "; " + possible(rollout.status()));
    }

    private static String possible(Status status) {
        return switch (status) {
            case RUNNING -> "it can be paused or aborted";
            case PAUSED -> "it can be resumed or aborted";
            case HALTED -> "it can be resumed, with or without another try at what failed, or aborted";
            case ABORTED, DONE -> "start another, under another name, or remove this one first";
        };
    }
}
