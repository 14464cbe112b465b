package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Step;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.Said;
import io.forewarn.core.rollout.OpenPiece.Part;
import io.forewarn.core.rollout.Piece;
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
import java.util.function.Supplier;

/** Accepts maintenance, or says why not: contract §5. */
final class Scheduling {
    /** So that one command fits into one commit of any store. */
    static final int MOST_MACHINES = 50;

    /** So that a group's state fits into one record of any store. */
    static final int MOST_OPEN_EVENTS = 200;

    static final int LONGEST_DESCRIPTION = 500;

    static final Duration LONGEST_NOTICE = Duration.ofDays(365);

    private final Turn turn;
    private final Starting starting;
    private final Supplier<EventId> ids;

    Scheduling(Turn turn, Supplier<EventId> ids) {
        this.turn = turn;
        this.starting = new Starting(turn);
        this.ids = ids;
    }

    Answer schedule(Schedule command) {
        if (command.cause().rolledOut()) {
            throw new Refusal(Problem.BAD_INPUT, "work on a host comes with a rollout; see forewarn rollout start");
        }
        List<Machine> machines = machines(command);
        machines.forEach(m -> notice(command, m.group()));
        checkDescription(command);
        checkUserOperations(command);
        List<EventId> events = new ArrayList<>();
        for (Machine machine : machines) {
            checkRoom(command, machine);
            checkNotice(command, machine);
            events.add(schedule(command, machine, notice(command, machine.group())));
        }
        return Answer.of(events);
    }

    private List<Machine> machines(Schedule command) {
        if (command.machines().isEmpty() || command.machines().size() > MOST_MACHINES) {
            throw new Refusal(
                    Problem.BAD_INPUT,
                    "name from 1 to " + MOST_MACHINES + " machines, not "
                            + command.machines().size());
        }
        Set<MachineId> named = new HashSet<>();
        List<Machine> machines = new ArrayList<>();
        for (MachineId id : command.machines()) {
            Machine machine = turn.draft().machine(id).orElseThrow(() -> Unknown.machine(turn.draft(), id));
            if (!named.add(id)) {
                throw new Refusal(Problem.BAD_INPUT, "machine " + id + " is named twice");
            }
            checkMachine(command.cause(), machine);
            machines.add(machine);
        }
        return machines;
    }

    private void checkMachine(Cause cause, Machine machine) {
        if (cause == Cause.PREEMPT && !machine.spot()) {
            throw new Refusal(
                    Problem.CONFLICT, machine.id() + " is not a spot machine; only spot machines are taken away");
        }
        if (cause == Cause.TERMINATE && machine.spot()) {
            throw new Refusal(
                    Problem.CONFLICT,
                    machine.id() + " is a spot machine, which is never terminated with notice;"
                            + " preempt it instead");
        }
        if (turn.draft().condition(machine.id()).state() == Condition.State.TAKEN) {
            throw new Refusal(
                    Problem.CONFLICT,
                    machine.id() + " was taken away; nothing can be done to it until it is removed"
                            + " and added again");
        }
        Optional<Event> open = turn.open(machine.group(), machine.name());
        if (open.isPresent() && !cause.overrides() && !cause.planned()) {
            throw new Refusal(
                    Problem.CONFLICT,
                    machine.id() + " already has the open event " + open.get().id() + " ("
                            + word(open.get().type()) + ", " + word(open.get().phase())
                            + "); wait for its end or cancel it");
        }
    }

    /** Who asks for notice must not be surprised that there is none. */
    private void checkNotice(Schedule command, Machine machine) {
        if (command.notice() != null && !turn.enabled(machine.group())) {
            throw new Refusal(
                    Problem.CONFLICT,
                    "group " + machine.group() + " gets no notice, because no machine of it asked lately;"
                            + " leave the notice out to go ahead at once");
        }
    }

    /** Failures and preemptions are never refused: contract §5. */
    private void checkRoom(Schedule command, Machine machine) {
        if (!command.cause().overrides()
                && turn.draft().state(machine.group()).events().size() >= MOST_OPEN_EVENTS) {
            throw new Refusal(
                    Problem.TOO_MANY,
                    "group " + machine.group() + " has " + MOST_OPEN_EVENTS
                            + " open events, the most a group may have");
        }
    }

    private Duration notice(Schedule command, GroupId group) {
        EventType type = command.cause().type();
        if (command.notice() == null
                && Policies.approvedInAdvance(turn.draft(), turn.terms(), group, command.cause())) {
            return Duration.ZERO;
        }
        Said<Duration> said =
                Policies.of(turn.draft(), turn.terms(), group, type).notice();
        Duration least = command.cause().immediate() ? Duration.ZERO : said.value();
        Duration notice = command.notice() == null ? least : command.notice();
        Duration most = type == EventType.TERMINATE ? turn.terms().longestTerminateNotice() : LONGEST_NOTICE;
        if (notice.compareTo(least) < 0 || notice.compareTo(most) > 0) {
            throw new Refusal(
                    Problem.BAD_INPUT,
                    "notice of " + inWords(notice) + " is not possible for a "
                            + word(type) + ": at least " + inWords(least) + ", at most "
                            + inWords(most) + (said.by() == null ? "" : ", by " + said.origin()));
        }
        if (command.cause().immediate() && command.notice() != null) {
            throw new Refusal(Problem.BAD_INPUT, "a hardware failure gives no notice; leave the notice out");
        }
        return notice;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** As people write it: 15m, 1h30m, 365d. */
    static String inWords(Duration duration) {
        String days = duration.toDays() == 0 ? "" : duration.toDays() + "d";
        Duration rest = duration.minusDays(duration.toDays());
        return rest.isZero() && !days.isEmpty()
                ? days
                : days + rest.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static void checkDescription(Schedule command) {
        if (command.description() != null && command.description().length() > LONGEST_DESCRIPTION) {
            throw new Refusal(
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
            int open = turn.draft().openUserOperations(tenant);
            int most = Policies.userOperations(turn.draft(), turn.terms(), tenant);
            if (open + more > most) {
                throw new Refusal(
                        Problem.TOO_MANY,
                        "tenant " + tenant + " has " + open + " user operations open and asks for "
                                + more + " more; at most " + most
                                + " are allowed at once: wait for one to end, or cancel one");
            }
        });
    }

    private EventId schedule(Schedule command, Machine machine, Duration notice) {
        Cause cause = command.cause();
        Pieces pieces = new Pieces(turn);
        List<Part> calledOff = List.of();
        Optional<Event> open = turn.open(machine.group(), machine.name());
        if (open.isPresent() && open.get().phase() == Phase.STARTED && cause.overrides()) {
            return join(command, machine, open.get());
        }
        if (open.isPresent() && cause.overrides()) {
            Step step = open.get().shared() ? Step.SUPERSEDED : Step.CALLED_OFF_UNSEEN;
            turn.life().walk(machine.group(), step, open.get(), null, command.actor(), "by " + cause);
            calledOff = pieces.callOff(machine.group(), open.get(), Piece.State.PENDING, command.actor());
        }
        Duration interruption = turn.terms().interruption().get(cause.type());
        String description = command.description() == null ? cause.description() : command.description();
        Work work = new Work(
                cause,
                List.of(machine.name()),
                machine.updateDomain(),
                notice,
                description,
                interruption,
                turn.now(),
                null,
                command.drill());
        EventId id = ids.get();
        starting.accept(machine.group(), Event.accepted(id, work), command.actor());
        pieces.settle(calledOff, Actor.SERVICE);
        return id;
    }

    private EventId join(Schedule command, Machine machine, Event started) {
        Event joined = started.joined(machine.name(), command.cause());
        turn.life().walk(machine.group(), Step.JOINED, started, joined, command.actor(), "by " + command.cause());
        return started.id();
    }
}
