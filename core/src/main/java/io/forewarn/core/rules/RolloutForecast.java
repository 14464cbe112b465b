package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.PreparedRollout;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutPlan.Step;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Simulates a rollout with the actual rules, next to everything that is open now. Its clock jumps from one moment at which
 * something ends or is due to the next. Nothing fails, nobody approves, and work takes as long as the driver estimates. Only
 * the times at which the rollout's work was announced, started and ended are kept.
 */
final class RolloutForecast {
    /** The duration of work for which neither the driver nor the terms have one. */
    static final Duration UNKNOWN = Duration.ofMinutes(5);

    /** A limit, because work that waits for something that never happens is checked again and again. */
    private static final int MOST_MOMENTS = 200_000;

    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

    private record Alarm(Instant at, GroupId group) {}

    private record End(Instant at, EventId event) {}

    /** A unit that was opened, until it ends. */
    private static final class OpenUnit {
        final Instant announced;
        final int place;
        final boolean moves;
        Instant starts;
        List<AffectedMachines> shares = List.of();

        OpenUnit(Instant announced, int place, boolean moves) {
            this.announced = announced;
            this.place = place;
            this.moves = moves;
        }
    }

    private final ServiceTerms terms;
    private final WorkDurations durations;
    private final RolloutSpec spec;
    private final ForecastState state;
    private final Rules rules;
    private final RolloutWorkQueue queue = new RolloutWorkQueue();
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparing(Alarm::at).thenComparing(Alarm::group));
    private final Map<GroupId, Instant> armed = new HashMap<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparing(End::at));
    private final Map<RolloutUnitId, OpenUnit> open = new HashMap<>();
    private final Map<Integer, Step> steps = new TreeMap<>();
    private final Map<RolloutUnitId, String> waits = new LinkedHashMap<>();
    private final Map<String, GroupId> hosts = new HashMap<>();
    private final Instant horizon;
    private Instant now;
    private int places;

    RolloutForecast(StateReader facts, ServiceTerms terms, WorkDurations durations, RolloutSpec spec, Instant now) {
        this.terms = terms;
        this.durations = durations;
        this.spec = spec;
        this.now = now;
        this.horizon = now.plus(WindowSearch.HORIZON).plus(WindowSearch.HORIZON);
        this.state = new ForecastState(facts, terms, now);
        this.rules = new Rules(terms, ids(), durations);
    }

    private static Supplier<EventId> ids() {
        long[] last = new long[1];
        return () -> new EventId(new UUID(0, ++last[0]));
    }

    /** Whether anything is open that the rollout must wait for or share groups with. */
    static boolean isNeeded(StateReader facts, Iterable<GroupId> groups) {
        if (facts.rollouts().stream().anyMatch(r -> !r.isOver())) {
            return true;
        }
        for (GroupId group : groups) {
            if (!facts.state(group).events().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    void run(PreparedRollout prepared) {
        for (GroupId group : state.groups()) {
            GroupState known = state.state(group);
            if (!known.events().isEmpty()) {
                known.events().stream()
                        .filter(e -> e.phase() == Phase.STARTED && leads(e))
                        .forEach(this::begin);
                arm(known);
            }
        }
        for (Rollout rollout : state.rollouts()) {
            if (!rollout.isOver() || rollout.open() > 0) {
                queue.published(rollout);
                for (int chunk = 0; chunk < RolloutUnitChunk.chunks(rollout.units()); chunk++) {
                    queue.published(null, state.units(rollout.name(), chunk));
                }
                state.open(rollout.name()).forEach(unit -> hosts.put(name(unit.tie()), group(unit)));
            }
        }
        decide(new Command.StartRollout(spec, prepared, Actor.SERVICE));
        for (int moment = 0; moment < MOST_MOMENTS && !isOver(); moment++) {
            pass();
            Optional<Instant> next = next();
            if (isOver() || next.isEmpty() || next.get().isAfter(horizon)) {
                return;
            }
            now = next.get().isAfter(now) ? next.get() : now;
            state.advance(now);
        }
    }

    boolean isOver() {
        return state.rollout(spec.name()).map(Rollout::isOver).orElse(false);
    }

    /** What was done, in the order it was announced. */
    List<Step> steps() {
        return List.copyOf(steps.values());
    }

    /** When it is over, or when nothing more of it happens. */
    Instant ends() {
        Instant over = state.rollout(spec.name()).map(Rollout::endedAt).orElse(null);
        return over != null
                ? over
                : steps.values().stream()
                        .map(Step::ends)
                        .max(Instant::compareTo)
                        .orElse(now);
    }

    /** What keeps which unit from being done, for people; nothing if all were. */
    List<String> blocked() {
        List<String> blocked = new ArrayList<>();
        waits.forEach((unit, why) -> {
            if (unit(unit).state() == RolloutUnit.State.PENDING) {
                blocked.add(name(unit) + ": " + why);
            }
        });
        open.keySet().forEach(unit -> blocked.add(name(unit) + ": is scheduled and never starts"));
        return isOver() ? List.of() : blocked;
    }

    /** All that happens at this moment: what is due, then what ends, then what follows from that. */
    private void pass() {
        lookAround();
        boolean ended = false;
        while (!ends.isEmpty() && !ends.peek().at.isAfter(now)) {
            EventId event = ends.remove().event;
            Optional<Event> known =
                    state.groupOf(event).flatMap(g -> state.state(g).event(event));
            if (known.isPresent()) {
                decide(new Command.Told(event, known.get().attempt().attempt(), DriverReport.DONE, ""));
                ended = true;
            }
        }
        if (ended) {
            roll();
            lookAround();
        }
    }

    private void lookAround() {
        boolean more = true;
        while (more) {
            more = false;
            for (Alarm alarm = due(); alarm != null; alarm = due()) {
                armed.remove(alarm.group);
                decide(new Command.Due(alarm.group));
                armAgain(alarm.group);
                more = true;
            }
            more |= roll();
        }
    }

    private boolean roll() {
        boolean rolled = false;
        for (Optional<Command.Roll> roll = queue.take(now); roll.isPresent(); roll = queue.take(now)) {
            queue.rolled(roll.get(), decide(roll.get()).changes());
            rolled = true;
        }
        return rolled;
    }

    private Alarm due() {
        Optional<Instant> next = nextAlarm();
        return next.isPresent() && !next.get().isAfter(now) ? alarms.remove() : null;
    }

    private Optional<Instant> nextAlarm() {
        while (!alarms.isEmpty() && !alarms.peek().at.equals(armed.get(alarms.peek().group))) {
            alarms.remove();
        }
        return Optional.ofNullable(alarms.peek()).map(Alarm::at);
    }

    private Optional<Instant> next() {
        return Stream.of(
                        nextAlarm(),
                        queue.next(),
                        Optional.ofNullable(ends.peek()).map(End::at))
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    private void arm(GroupState known) {
        Optional<Instant> due = rules.due(state, known, now);
        if (due.isEmpty()) {
            armed.remove(known.group());
        } else {
            arm(known.group(), due.get().isAfter(now) ? due.get() : now);
        }
    }

    private void arm(GroupId group, Instant at) {
        armed.put(group, at);
        alarms.add(new Alarm(at, group));
    }

    /** A group that was due, and in which nothing happened, is not due at this moment again. */
    private void armAgain(GroupId group) {
        if (!armed.containsKey(group)) {
            arm(state.state(group));
            Instant at = armed.get(group);
            if (at != null && !at.isAfter(now)) {
                arm(group, now.plus(TRY_AGAIN));
            }
        }
    }

    private CommandResult decide(Command command) {
        ChangeSet upper = state.over();
        CommandResult result = rules.decide(upper, command, now);
        upper.waits().forEach(queue::waits);
        upper.waits().stream()
                .filter(w -> w.unit().rollout().equals(spec.name()))
                .forEach(w -> waits.put(w.unit(), w.why()));
        upper.changedRollouts().forEach(queue::published);
        upper.changedUnits().forEach(chunk -> queue.published(state.units(chunk.rollout(), chunk.chunk()), chunk));
        state.absorb(upper);
        upper.opened().forEach(this::opened);
        upper.states().forEach(this::arm);
        // A rehearsal may start and be ended by real work in the same moment.
        upper.starts().forEach(id -> event(id).ifPresent(this::begin));
        upper.closed().forEach(this::closed);
        wake(upper);
        return result;
    }

    /** What waited for a group, a machine or the fleet may go on. */
    private void wake(ChangeSet upper) {
        upper.conditions().forEach(c -> state.machine(c.machine()).ifPresent(m -> queue.moved(m.group())));
        upper.entries().stream().filter(e -> e.group() != null).forEach(e -> {
            queue.moved(e.group());
            for (String name : e.rollout() == null ? e.machines() : List.<String>of()) {
                state.machine(new MachineId(e.group().tenant(), name))
                        .map(Machine::host)
                        .map(hosts::get)
                        .ifPresent(group -> arm(group, now));
            }
        });
        if (!upper.fleet().isEmpty()) {
            queue.everythingMoved();
        }
    }

    private void opened(ActiveUnit unit) {
        hosts.put(name(unit.tie()), group(unit));
        if (unit.tie().rollout().equals(spec.name())) {
            open.computeIfAbsent(unit.tie(), tie -> new OpenUnit(now, places++, unit.moves()));
        }
    }

    private void closed(RolloutUnitId tie) {
        hosts.remove(name(tie));
        OpenUnit unit = open.remove(tie);
        if (unit != null && unit.starts != null) {
            List<GroupId> groups =
                    unit.shares.stream().map(AffectedMachines::group).distinct().toList();
            int machines =
                    unit.shares.stream().mapToInt(s -> s.machines().size()).sum();
            steps.put(
                    unit.place,
                    new Step(name(tie), unit.moves, unit.announced, unit.starts, now, groups, machines, unit.shares));
        }
    }

    /** The driver is told to start. */
    private void begin(Event event) {
        Instant started = event.attempt().startedAt();
        Instant end = started.plus(takes(event.work()));
        ends.add(new End(end.isAfter(now) ? end : now, event.id()));
        OpenUnit unit = open.get(event.work().unit());
        if (unit != null) {
            unit.starts = now;
            unit.shares = shares(state.open(event.work().unit()).orElseThrow());
        }
    }

    private List<AffectedMachines> shares(ActiveUnit unit) {
        List<AffectedMachines> shares = new ArrayList<>();
        for (ActiveUnit.Part part : unit.parts()) {
            Event event = state.state(part.group()).event(part.event()).orElseThrow();
            List<Machine> machines = event.resources().stream()
                    .map(name -> state.machine(new MachineId(part.group().tenant(), name)))
                    .flatMap(Optional::stream)
                    .toList();
            shares.add(new AffectedMachines(part.group(), event.work().updateDomain(), machines));
        }
        return shares;
    }

    private Duration takes(Work work) {
        RolloutSpec of = Optional.ofNullable(work.rollout())
                .flatMap(state::rollout)
                .map(Rollout::spec)
                .orElse(null);
        if (of != null && of.interruption() != null && of.cause() == work.cause()) {
            return of.interruption();
        }
        return durations
                .of(work.cause(), work.rehearsal())
                .orElseGet(() -> work.interruption() != null
                        ? work.interruption()
                        : terms.interruption().getOrDefault(work.cause().type(), UNKNOWN));
    }

    private boolean leads(Event event) {
        return Optional.ofNullable(event.work().unit())
                .flatMap(state::open)
                .map(unit -> unit.lead().equals(event.id()))
                .orElse(true);
    }

    private Optional<Event> event(EventId id) {
        return state.groupOf(id).flatMap(g -> state.state(g).event(id));
    }

    private static GroupId group(ActiveUnit unit) {
        return unit.parts().get(0).group();
    }

    private RolloutUnit unit(RolloutUnitId tie) {
        return state.units(tie.rollout(), tie.unit() / RolloutUnitChunk.SIZE).unit(tie.unit());
    }

    private String name(RolloutUnitId tie) {
        return unit(tie).name();
    }
}
