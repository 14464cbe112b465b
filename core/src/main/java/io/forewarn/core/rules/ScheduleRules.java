package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Transition;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.SourcedValue;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rules.Command.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Accepts maintenance, or refuses it with a reason: contract §5. */
final class ScheduleRules {
    /** So that one command fits into one commit of any store. */
    static final int MOST_MACHINES = 50;

    /** So that a group's state fits into one record of any store. */
    static final int MOST_OPEN_EVENTS = 200;

    /** Of those, as many as rollouts and freezes may have: owners must always find room. */
    private static final int MOST_PLANNED = 180;

    /** Of those, as many as may be open before another one of a rehearsal: real rollouts must always find room. */
    private static final int MOST_BESIDE_REHEARSALS = 90;

    /** Of those, as many as single freezes may have: rollouts must always find room, too. */
    private static final int MOST_FREEZES = 160;

    /** The longest interruption that may be given. */
    static final Duration LONGEST_INTERRUPTION = Duration.ofDays(7);

    static final int LONGEST_DESCRIPTION = 500;

    static final Duration LONGEST_NOTICE = Duration.ofDays(365);

    private final DecisionContext context;
    private final StartRules startRules;

    ScheduleRules(DecisionContext context) {
        this.context = context;
        this.startRules = new StartRules(context);
    }

    CommandResult schedule(Schedule command) {
        if (command.cause().rolledOut()) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "work on a host comes with a rollout; see forewarn rollout start");
        }
        List<Machine> machines = machines(command);
        machines.forEach(m -> notice(command, m.group()));
        checkDescription(command);
        checkInterruption(command.interruption());
        checkUserOperations(command);
        List<EventId> events = new ArrayList<>();
        for (Machine machine : machines) {
            checkRoom(command, machine);
            checkWorkThatGoesFirst(command, machine);
            checkNotice(command, machine);
            events.add(schedule(command, machine, notice(command, machine.group())));
        }
        return CommandResult.of(events);
    }

    private List<Machine> machines(Schedule command) {
        if (command.machines().isEmpty() || command.machines().size() > MOST_MACHINES) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "name from 1 to " + MOST_MACHINES + " machines, not "
                            + command.machines().size());
        }
        Set<MachineId> named = new HashSet<>();
        List<Machine> machines = new ArrayList<>();
        for (MachineId id : command.machines()) {
            Machine machine = context.changes().machine(id).orElseThrow(() -> NotFound.machine(context.changes(), id));
            if (!named.add(id)) {
                throw new RefusedException(Problem.BAD_INPUT, "machine " + id + " is named twice");
            }
            checkMachine(command, machine);
            machines.add(machine);
        }
        return machines;
    }

    private void checkMachine(Schedule command, Machine machine) {
        Cause cause = command.cause();
        if (cause == Cause.PREEMPT && !machine.spot()) {
            throw new RefusedException(
                    Problem.CONFLICT, machine.id() + " is not a spot machine; only spot machines are taken away");
        }
        if (cause == Cause.TERMINATE && machine.spot()) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    machine.id() + " is a spot machine, which is never terminated with notice;"
                            + " preempt it instead");
        }
        if (context.changes().condition(machine.id()).state() == MachineCondition.State.TAKEN) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    machine.id() + " was taken away; nothing can be done to it until it is removed"
                            + " and added again");
        }
        if (!isUrgent(command) && !cause.planned()) {
            inTheWay(command, machine).ifPresent(open -> {
                if (open.joined().get(machine.name()) == Cause.PREEMPT) {
                    throw new RefusedException(
                            Problem.CONFLICT,
                            machine.id() + " was preempted and is taken away when event " + open.id() + " is over");
                }
                throw new RefusedException(
                        Problem.CONFLICT,
                        machine.id() + " already has the open event " + open.id() + " (" + word(open.type()) + ", "
                                + word(open.phase()) + "); wait for its end or cancel it");
            });
        }
    }

    /** A rehearsed failure or preemption does not replace real work. */
    private static boolean isUrgent(Schedule command) {
        return command.cause().overrides() && !command.rehearsal();
    }

    private Optional<Event> inTheWay(Schedule command, Machine machine) {
        Optional<Event> own = command.rehearsal()
                ? context.inTheWayOfRehearsal(machine.group(), machine.name())
                : context.inTheOwnersWay(machine.group(), machine.name());
        return own.isPresent() || !command.cause().immediate() ? own : started(machine);
    }

    private Optional<Event> started(Machine machine) {
        return context.open(machine.group(), machine.name()).stream()
                .filter(e -> e.phase() == Phase.STARTED)
                .findFirst();
    }

    /** A caller that sets a notice must not get none without an error. */
    private void checkNotice(Schedule command, Machine machine) {
        if (command.notice() != null && !context.enabled(machine.group())) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "group " + machine.group() + " gets no notice, because no machine of it asked lately;"
                            + " leave the notice out to go ahead at once");
        }
    }

    /** How many events of rollouts and freezes a group may have open, so that a rollout may show another one. */
    static int mostPlanned(boolean rehearsal) {
        return rehearsal ? MOST_BESIDE_REHEARSALS : MOST_PLANNED;
    }

    /** Failures and preemptions are never refused: contract §5. */
    private void checkRoom(Schedule command, Machine machine) {
        List<Event> open = context.changes().state(machine.group()).events();
        if (command.rehearsal() && open.size() >= MOST_BESIDE_REHEARSALS) {
            throw new RefusedException(
                    Problem.LIMIT_EXCEEDED,
                    "group " + machine.group() + " has " + open.size() + " open events; with " + MOST_BESIDE_REHEARSALS
                            + " or more, it gets no more rehearsals");
        }
        if (!command.cause().overrides() && open.size() >= MOST_OPEN_EVENTS) {
            throw new RefusedException(
                    Problem.LIMIT_EXCEEDED,
                    "group " + machine.group() + " has " + MOST_OPEN_EVENTS
                            + " open events, the most a group may have");
        }
        long planned =
                open.stream().filter(event -> event.work().cause().planned()).count();
        long freezes = open.stream()
                .filter(event -> event.work().cause() == Cause.FREEZE)
                .count();
        if (command.cause() == Cause.FREEZE && (freezes >= MOST_FREEZES || planned >= MOST_PLANNED)) {
            throw new RefusedException(
                    Problem.LIMIT_EXCEEDED,
                    "group " + machine.group() + " has " + freezes + " open freezes and " + (planned - freezes)
                            + " open events of rollouts; a group may have at most " + MOST_FREEZES + " freezes, and "
                            + MOST_PLANNED + " of both together");
        }
    }

    /** Failures and preemptions go before the work on a host that others share, so no owner may ask for them again and again. */
    private void checkWorkThatGoesFirst(Schedule command, Machine machine) {
        if (command.cause() != Cause.FAILURE && command.cause() != Cause.PREEMPT
                || command.rehearsal()
                || !command.actor().limited()) {
            return;
        }
        new UpcomingUnits(context.changes(), context.terms())
                .in(machine.group()).stream()
                        .filter(upcoming -> !upcoming.rollout().spec().rehearsal()
                                && !UpcomingUnits.unit(context.changes(), upcoming.unit())
                                        .turn()
                                        .due()
                                        .isAfter(context.now()))
                        .findFirst()
                        .ifPresent(upcoming -> {
                            throw new RefusedException(
                                    Problem.CONFLICT,
                                    "rollout " + upcoming.rollout().name() + " is due in group " + machine.group()
                                            + " and would wait for "
                                            + (command.cause() == Cause.FAILURE
                                                    ? "the failure of " + machine.id()
                                                            + "; an operator can report it, or report it when the work is over"
                                                    : "the preemption of " + machine.id()
                                                            + "; an operator can request it, or request it when the work is over"));
                        });
    }

    private Duration notice(Schedule command, GroupId group) {
        EventType type = command.cause().type();
        if (command.notice() == null
                && PolicyResolver.approvedInAdvance(context.changes(), context.terms(), group, command.cause())) {
            return Duration.ZERO;
        }
        SourcedValue<Duration> minimum = PolicyResolver.of(context.changes(), context.terms(), group, type)
                .notice();
        Duration least = command.cause().immediate() ? Duration.ZERO : minimum.value();
        Duration notice = command.notice() == null ? least : command.notice();
        Duration most =
                type == EventType.TERMINATE ? context.terms().longestTerminateNotice() : longest(command, least);
        if (notice.compareTo(least) < 0 || notice.compareTo(most) > 0) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "notice of " + inWords(notice) + " is not possible for a " + word(type) + ": " + range(least, most)
                            + (minimum.by() == null ? "" : ", by " + minimum.origin()));
        }
        if (command.cause().immediate() && command.notice() != null) {
            throw new RefusedException(Problem.BAD_INPUT, "a hardware failure gives no notice; leave the notice out");
        }
        return notice;
    }

    /** An owner may always request the minimum notice, however long it is. */
    private Duration longest(Schedule command, Duration least) {
        Duration most = command.actor().limited() ? context.terms().owners().longestNotice() : LONGEST_NOTICE;
        return most.compareTo(least) < 0 ? least : most;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** What notice is possible, for people. */
    static String range(Duration least, Duration most) {
        return least.equals(most)
                ? "only " + inWords(least)
                : "at least " + inWords(least) + ", at most " + inWords(most);
    }

    /** As people write it: 15m, 1h30m, 365d. */
    static String inWords(Duration duration) {
        String days = duration.toDays() == 0 ? "" : duration.toDays() + "d";
        Duration rest = duration.minusDays(duration.toDays());
        return rest.isZero() && !days.isEmpty()
                ? days
                : days + rest.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    /** What causes an event, as the documents name it. */
    private static String inWords(Cause cause) {
        return switch (cause) {
            case RESTART -> "a restart";
            case REDEPLOY -> "a redeploy";
            case TERMINATE -> "a deletion";
            case FREEZE -> "a freeze";
            case PREEMPT -> "a preemption";
            case FAILURE -> "a failure";
            case HOST_FREEZE, HOST_REBOOT, HOST_REDEPLOY -> "a rollout";
        };
    }

    static String inWords(Cause cause, EventId event) {
        return inWords(cause) + ", event " + event;
    }

    private static void checkDescription(Schedule command) {
        if (command.description() != null && command.description().length() > LONGEST_DESCRIPTION) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "a description has at most " + LONGEST_DESCRIPTION + " characters, not "
                            + command.description().length());
        }
    }

    private void checkUserOperations(Schedule command) {
        if (command.cause().source() != EventSource.USER) {
            return;
        }
        Map<String, Integer> asked = new TreeMap<>();
        command.machines().forEach(m -> asked.merge(m.tenant(), 1, Integer::sum));
        asked.forEach((tenant, more) -> {
            int open = context.changes().openUserOperations(tenant);
            int most = PolicyResolver.userOperations(context.changes(), context.terms(), tenant);
            if (open + more > most) {
                throw new RefusedException(
                        Problem.LIMIT_EXCEEDED,
                        "tenant " + tenant + " has " + open + " user operations open and asks for "
                                + more + " more; at most " + most
                                + " are allowed at once: wait for one to end, or cancel one");
            }
        });
    }

    static void checkInterruption(Duration interruption) {
        if (interruption != null && (interruption.isNegative() || interruption.compareTo(LONGEST_INTERRUPTION) > 0)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "the duration must be from 0s to " + LONGEST_INTERRUPTION.toDays() + " days, not "
                            + interruption.toString().substring(2).toLowerCase(Locale.ROOT));
        }
    }

    private EventId schedule(Schedule command, Machine machine, Duration notice) {
        Cause cause = command.cause();
        RolloutUnitRules unitRules = new RolloutUnitRules(context);
        List<Part> calledOff = new ArrayList<>();
        List<RolloutUnitId> units = List.of();
        EventId id = context.ids().get();
        if (isUrgent(command)) {
            Optional<Event> announced = announcedPreemption(command, machine);
            if (announced.isPresent()) {
                return announced.get().id();
            }
            calledOff.addAll(endRehearsals(command, machine, id));
            Optional<Event> started = started(machine);
            if (started.isPresent() && joins(cause, started.get())) {
                EventId joined = join(command, machine, started.get());
                unitRules.settle(calledOff, Actor.SERVICE);
                return joined;
            }
            units = supersede(command, machine, notice, id);
        }
        Duration interruption = command.interruption() == null
                ? context.terms().interruption().get(cause.type())
                : command.interruption();
        String description = command.description() == null ? cause.description() : command.description();
        Work work = new Work(
                cause,
                List.of(machine.name()),
                machine.updateDomain(),
                notice,
                description,
                interruption,
                context.now(),
                null,
                command.rehearsal());
        startRules.accept(machine.group(), Event.accepted(id, work), command.actor());
        units.forEach(new UnitReconciler(context)::reconcile);
        if (!units.isEmpty()) {
            // What waited for other machines of the event that is gone.
            startRules.settle(machine.group(), Actor.SERVICE);
        }
        unitRules.settle(calledOff, Actor.SERVICE);
        return id;
    }

    /** A machine is preempted once: a repeated request is answered with the existing event. */
    private Optional<Event> announcedPreemption(Schedule command, Machine machine) {
        return context.open(machine.group(), machine.name()).stream()
                .filter(e -> command.cause() == Cause.PREEMPT && e.type() == EventType.PREEMPT)
                .filter(e -> e.phase() == Phase.SCHEDULED && !e.work().rehearsal())
                .findFirst();
    }

    /** Real work never joins a rehearsal, but ends it. */
    private List<Part> endRehearsals(Schedule command, Machine machine, EventId id) {
        boolean joined = context.open(machine.group(), machine.name()).stream()
                .anyMatch(open ->
                        open.phase() == Phase.STARTED && !open.work().rehearsal() && joins(command.cause(), open));
        String real = joined ? inWords(command.cause()) : inWords(command.cause(), id);
        List<Part> ended = new ArrayList<>();
        for (Event open : context.open(machine.group(), machine.name())) {
            if (open.phase() == Phase.STARTED && open.work().rehearsal()) {
                ended.addAll(new CompletionRules(context).endRehearsal(machine.group(), open, real, command.actor()));
            }
        }
        return ended;
    }

    /**
     * A failure waits for the end of the work in progress on the machine, and a preemption for work that takes the machine down
     * anyway. A machine that is only frozen keeps running, and must get an event for its preemption.
     */
    private static boolean joins(Cause cause, Event started) {
        return cause == Cause.FAILURE || started.type() != EventType.FREEZE;
    }

    /** Answers of which units events are gone; the other events of these stay. */
    private List<RolloutUnitId> supersede(Schedule command, Machine machine, Duration notice, EventId id) {
        List<RolloutUnitId> units = new ArrayList<>();
        for (Event open : context.open(machine.group(), machine.name())) {
            if (open.phase() != Phase.SCHEDULED || outlasts(open, command.cause(), machine, notice)) {
                continue;
            }
            Transition transition = open.shared() ? Transition.SUPERSEDED : Transition.CANCELLED_UNSEEN;
            context.lifecycle()
                    .apply(
                            machine.group(),
                            transition,
                            open,
                            null,
                            command.actor(),
                            "by " + inWords(command.cause(), id));
            new RolloutUnitRules(context).left(open);
            Optional.ofNullable(open.work().unit()).ifPresent(units::add);
        }
        return units;
    }

    /**
     * Whether a scheduled event stays although urgent work affects one of its machines. An owner's request, and a preemption, are
     * still due when a failure is over. An event of a rollout that names other machines too stays for those, and one of a machine
     * whose preemption is later stays until then.
     */
    private boolean outlasts(Event open, Cause cause, Machine machine, Duration notice) {
        if (open.work().unit() != null) {
            boolean later =
                    cause == Cause.PREEMPT && notice.compareTo(context.terms().minimumNotice(EventType.PREEMPT)) > 0;
            return later || context.present(machine.group(), open).stream().anyMatch(m -> !m.equals(machine.name()));
        }
        return cause == Cause.FAILURE
                && !open.work().rehearsal()
                && (open.work().cause().source() == EventSource.USER || open.type() == EventType.PREEMPT);
    }

    private EventId join(Schedule command, Machine machine, Event started) {
        Event joined = started.joined(machine.name(), command.cause());
        context.lifecycle()
                .apply(
                        machine.group(),
                        Transition.JOINED,
                        started,
                        joined,
                        command.actor(),
                        "by " + inWords(command.cause()));
        if (command.cause() == Cause.FAILURE && started.type() == EventType.FREEZE) {
            MachineCondition was = context.changes().condition(machine.id());
            context.changes().put(was.now(MachineCondition.State.BROKEN_DOWN, context.now(), ""));
        }
        return started.id();
    }
}
