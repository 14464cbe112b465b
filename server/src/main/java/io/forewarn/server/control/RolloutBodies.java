package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rollout.UnitPass;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.NotFound;
import io.forewarn.wire.control.BlockedUnitsBody;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.PlannedUnitBody;
import io.forewarn.wire.control.PolicyText;
import io.forewarn.wire.control.RolloutBody;
import io.forewarn.wire.control.RolloutUnitBody;
import io.forewarn.wire.control.UnitOutcomeBody;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Describes rollouts to callers. A caller of one tenant sees the units that touch its machines, and of these its own share. */
final class RolloutBodies {
    /** For how many units to come the reason for waiting is computed. */
    private static final int LOOKED_AT = 100;

    private static final int ACTIVE = 1000;
    private static final int NEXT = 10;
    private static final int NAMED = 100;

    /** By how much a start must differ from the first plan for people to want to know. */
    private static final Duration NOTABLE = Duration.ofMinutes(1);

    private final ControlParts parts;
    private final CommandGateway gateway;
    private final PolicyHandlers policies;

    RolloutBodies(ControlParts parts) {
        this.parts = parts;
        this.gateway = parts.gateway();
        this.policies = new PolicyHandlers(parts);
    }

    /** A rollout as its caller may see it. */
    private final class Sight {
        final Caller caller;
        final Rollout rollout;
        final PublishedState published = gateway.view();
        final Collection<Integer> numbers;

        Sight(Caller caller, Rollout rollout) {
            this.caller = caller;
            this.rollout = rollout;
            this.numbers = caller.everyTenant()
                    ? IntStream.range(0, rollout.units()).boxed().toList()
                    : gateway.rules().unitsOf(published, rollout, caller.tenant());
        }

        boolean isEmpty() {
            return numbers.isEmpty();
        }

        RolloutUnit unit(int number) {
            return published
                    .units(rollout.name(), number / RolloutUnitChunk.SIZE)
                    .unit(number);
        }

        RolloutUnitId id(int number) {
            return new RolloutUnitId(rollout.name(), number);
        }

        /** Null for a caller who may read everything. */
        String tenant() {
            return caller.everyTenant() ? null : caller.tenant();
        }

        String state(int number) {
            RolloutUnit unit = unit(number);
            if (unit.state() != RolloutUnit.State.OPEN) {
                return EnumNames.of(unit.state());
            }
            return isStarted(number) ? "started" : "scheduled";
        }

        /** While its host is evacuated, the work itself is still to come. */
        boolean isStarted(int number) {
            return published
                    .open(id(number))
                    .filter(active -> active.hasStarted() && !active.moves())
                    .isPresent();
        }

        boolean isBeingEvacuated(int number) {
            return published
                    .open(id(number))
                    .filter(active -> active.hasStarted() && active.moves())
                    .isPresent();
        }

        int count(RolloutUnit.State state) {
            return (int) numbers.stream().filter(n -> unit(n).state() == state).count();
        }

        Stream<Integer> byStart() {
            return numbers.stream()
                    .filter(n -> unit(n).turn() != null)
                    .sorted(Comparator.comparing((Integer n) -> unit(n).turn().at())
                            .thenComparing(n -> n));
        }
    }

    /** Whether a caller may know of a rollout. */
    boolean isVisible(Caller caller, Rollout rollout) {
        return caller.everyTenant() || !new Sight(caller, rollout).isEmpty();
    }

    private Sight sight(Caller caller, String name) {
        WorkerPools.mustNotBeEventLoop();
        PublishedState published = gateway.view();
        Rollout rollout = published
                .rollout(name)
                .filter(known -> isVisible(caller, known))
                .orElseThrow(() -> caller.everyTenant()
                        ? NotFound.rollout(published, name)
                        : new RefusedException(Problem.NOT_FOUND, "there is no rollout " + name));
        return new Sight(caller, rollout);
    }

    RolloutBody listed(Caller caller, Rollout rollout) {
        return body(new Sight(caller, rollout), null, null, null, null, null, null);
    }

    RolloutBody whole(Caller caller, String name) {
        Sight sight = sight(caller, name);
        List<Integer> ahead =
                sight.byStart().filter(n -> sight.unit(n).isAhead()).toList();
        Instant end = ahead.stream()
                .map(n -> gateway.rules().expectedEnd(sight.published, sight.rollout, sight.id(n), now()))
                .max(Instant::compareTo)
                .orElse(null);
        int moved = (int)
                sight.byStart().filter(n -> sight.unit(n).turn().hasMoved()).count();
        List<PlannedUnitBody> next = ahead.stream()
                .filter(n -> !sight.isStarted(n))
                .limit(NEXT)
                .map(n -> planned(sight, n))
                .toList();
        List<RolloutUnitBody> active = sight.published.open(name).stream()
                .filter(unit -> sight.caller.everyTenant()
                        || sight.numbers.contains(unit.tie().unit()))
                .sorted(Comparator.comparing(unit -> unit.tie().unit()))
                .limit(ACTIVE)
                .map(unit -> active(sight, unit))
                .toList();
        return body(
                sight,
                sight.rollout.status() == Rollout.Status.RUNNING ? end : null,
                moved,
                blocked(sight),
                sight.rollout.isOver() ? null : next,
                active,
                incomplete(sight));
    }

    /** The units with their planned starts, soonest first, after the one with that name. */
    List<PlannedUnitBody> units(Caller caller, String name, String state, String after, long limit) {
        Sight sight = sight(caller, name);
        List<Integer> all = Stream.concat(
                        sight.byStart(),
                        sight.numbers.stream().filter(n -> sight.unit(n).turn() == null))
                .toList();
        int from = 0;
        if (after != null) {
            from = 1
                    + all.stream()
                            .filter(n -> sight.unit(n).name().equals(after))
                            .findFirst()
                            .map(all::indexOf)
                            .orElseThrow(() -> new RefusedException(
                                    Problem.NOT_FOUND,
                                    "rollout " + name + " has no unit " + after + " to list units after"));
        }
        return all.subList(from, all.size()).stream()
                .filter(n -> state == null || sight.state(n).equals(state))
                .limit(limit)
                .map(n -> planned(sight, n))
                .toList();
    }

    private PlannedUnitBody planned(Sight sight, int number) {
        RolloutUnit unit = sight.unit(number);
        Turn turn = unit.turn();
        String reason = unit.isAhead() ? waits(sight, number) : sight.caller.everyTenant() ? unit.why() : "";
        ActiveUnit open = sight.published.open(sight.id(number)).orElse(null);
        List<AffectedMachines> affected = gateway.rules().affected(sight.published, sight.rollout, unit).stream()
                .filter(each -> sight.caller.maySee(each.group().tenant()))
                .toList();
        Instant started = open != null && open.hasStarted() && !open.moves()
                ? open.started()
                : unit.run() == null ? null : unit.run().started();
        // A unit that ended without being worked on never started.
        Instant starts = started != null || turn == null || !unit.isAhead()
                ? started
                : gateway.rules().expectedStart(sight.published, sight.rollout, sight.id(number), now());
        Instant ends = unit.isAhead()
                ? turn == null
                        ? null
                        : gateway.rules().expectedEnd(sight.published, sight.rollout, sight.id(number), now())
                : unit.run() == null ? null : unit.run().ended();
        return new PlannedUnitBody(
                unit.name(),
                sight.state(number),
                BodyMapper.time(shown(sight, unit, open, affected)),
                BodyMapper.time(starts),
                BodyMapper.time(ends),
                ends == null ? null : BodyMapper.time(ends.plus(gateway.rules().recovery(sight.rollout.spec()))),
                turn == null || starts == null || !isElsewhere(turn, starts) ? null : BodyMapper.time(turn.first()),
                evacuations(sight, unit),
                reason.isEmpty() ? null : reason,
                affected.isEmpty()
                        ? null
                        : affected.stream()
                                .map(each -> each.group().toString())
                                .distinct()
                                .limit(NAMED)
                                .toList(),
                affected.stream()
                        .flatMap(each -> each.machines().stream().map(m -> m.id().toString()))
                        .limit(NAMED)
                        .toList());
    }

    /** When machines that the caller may see are evacuated; null if none are. */
    private List<String> evacuations(Sight sight, RolloutUnit unit) {
        if (unit.turn() == null || unit.turn().evacuations().isEmpty()) {
            return null;
        }
        List<String> times = (sight.caller.everyTenant()
                        ? unit.turn().evacuations().stream()
                        : gateway.rules().passes(sight.published, sight.rollout, unit).stream()
                                .filter(pass -> unit.turn().evacuations().contains(pass.at()))
                                .filter(pass -> sight.caller.maySee(
                                        pass.affected().group().tenant()))
                                .map(UnitPass::at)
                                .distinct())
                .map(BodyMapper::time)
                .toList();
        return times.isEmpty() ? null : times;
    }

    private static boolean isElsewhere(Turn turn, Instant starts) {
        return turn.hasMoved() || Duration.between(turn.first(), starts).abs().compareTo(NOTABLE) >= 0;
    }

    /** When the machines that a caller may see were first shown a unit, or are to be; null if that is not known. */
    private Instant shown(Sight sight, RolloutUnit unit, ActiveUnit open, List<AffectedMachines> affected) {
        if (!unit.isAhead()) {
            // Of several tenants the first may be another one.
            return unit.run() == null || !sight.caller.everyTenant()
                    ? null
                    : unit.run().shown();
        }
        if (open != null && !open.moves()) {
            return open.parts().stream()
                    .filter(part -> sight.caller.maySee(part.group().tenant()))
                    .flatMap(part -> sight.published.state(part.group()).event(part.event()).stream())
                    .filter(Event::shared)
                    .map(event -> event.noticePeriod().at())
                    .min(Instant::compareTo)
                    .orElse(null);
        }
        return gateway.rules()
                .shows(sight.published, sight.rollout, unit, affected, now())
                .orElse(null);
    }

    /** Why a unit has its turn, or what holds its events once that has come. */
    private String waits(Sight sight, int number) {
        Turn turn = sight.unit(number).turn();
        Instant now = now();
        if (sight.isBeingEvacuated(number)) {
            return "its host is being evacuated";
        }
        if (sight.unit(number).isSetAside()) {
            return sight.caller.everyTenant()
                    ? sight.unit(number).why()
                    : "it cannot start by " + sight.rollout.spec().until();
        }
        if (turn == null || turn.next().isAfter(now)) {
            return turn == null ? "" : turn.why(sight.tenant());
        }
        List<ActiveUnit.Part> units =
                sight.published.open(sight.id(number)).map(ActiveUnit::parts).orElse(List.of());
        // Of its own groups a tenant may read everything, so these come first.
        return Stream.concat(
                        units.stream()
                                .filter(part -> sight.caller.maySee(part.group().tenant())),
                        units.stream()
                                .filter(part ->
                                        !sight.caller.maySee(part.group().tenant())))
                .flatMap(part -> sight.published.state(part.group()).event(part.event()).stream()
                        .flatMap(event -> gateway.rules().blockers(sight.published, part.group(), event, now).stream())
                        .map(blocker -> sight.caller.maySee(part.group().tenant())
                                ? blocker.toldTo(other -> sight.caller.maySee(other.tenant()))
                                        .why()
                                : Turn.ANOTHER_TENANT))
                .findFirst()
                .orElse("");
    }

    private RolloutUnitBody active(Sight sight, ActiveUnit unit) {
        List<EventBody> events = unit.parts().stream()
                .filter(part -> sight.caller.maySee(part.group().tenant()))
                .flatMap(part -> sight.published.state(part.group()).event(part.event()).stream()
                        .map(e -> BodyMapper.event(
                                part.group(), e, policies.blockers(sight.caller, part.group(), e), null, null)))
                .toList();
        return new RolloutUnitBody(sight.unit(unit.tie().unit()).name(), unit.moves() ? true : null, events);
    }

    /** Why units are not scheduled although their time has come. */
    private List<BlockedUnitsBody> blocked(Sight sight) {
        Rollout rollout = sight.rollout;
        if (rollout.status() != Rollout.Status.RUNNING || !sight.caller.everyTenant()) {
            return null;
        }
        Map<String, Integer> reasons = new LinkedHashMap<>();
        sight.published.open(rollout.name()).stream()
                .filter(active -> !active.hasStarted())
                .map(active -> active.tie().unit())
                .filter(n -> sight.unit(n).turn() != null
                        && !sight.unit(n).turn().next().isAfter(now()))
                .limit(LOOKED_AT)
                .map(n -> waits(sight, n))
                .filter(why -> !why.isEmpty())
                .forEach(why -> reasons.merge(why, 1, Integer::sum));
        List<Integer> next = sight.numbers.stream()
                .filter(n -> sight.unit(n).state() == RolloutUnit.State.PENDING)
                .limit(LOOKED_AT)
                .toList();
        gateway.rules().blockedUnits(sight.published, new Command.Roll(rollout.name(), next), now()).stream()
                .filter(waits -> !waits.why().isEmpty())
                .forEach(waits -> reasons.merge(waits.why(), 1, Integer::sum));
        return reasons.isEmpty()
                ? null
                : reasons.entrySet().stream()
                        .map(r -> new BlockedUnitsBody(r.getValue(), r.getKey()))
                        .toList();
    }

    private static List<UnitOutcomeBody> incomplete(Sight sight) {
        List<UnitOutcomeBody> incomplete = sight.numbers.stream()
                .map(sight::unit)
                .filter(u -> u.state() == RolloutUnit.State.FAILED || u.state() == RolloutUnit.State.SKIPPED)
                .limit(NAMED)
                .map(u -> new UnitOutcomeBody(
                        u.name(),
                        EnumNames.of(u.state()),
                        u.why().isEmpty() || !sight.caller.everyTenant() ? null : u.why()))
                .toList();
        return incomplete.isEmpty() ? null : incomplete;
    }

    /** Names of others are left out for a caller of one tenant. */
    private static List<String> target(Sight sight) {
        RolloutTarget target = sight.rollout.spec().target();
        if (sight.caller.everyTenant() || target.kind() == RolloutTarget.Kind.TAG) {
            return target.names();
        }
        return sight.numbers.stream()
                .map(sight::unit)
                .map(RolloutUnit::name)
                .map(name ->
                        target.kind() == RolloutTarget.Kind.HOSTS ? name : name.substring(0, name.lastIndexOf('#')))
                .distinct()
                .limit(NAMED)
                .toList();
    }

    private static String reason(Sight sight) {
        String why = sight.rollout.why();
        if (why.isEmpty() || sight.caller.everyTenant()) {
            return why.isEmpty() ? null : why;
        }
        return sight.rollout.status() == Rollout.Status.HALTED ? "a unit failed or could not start in time" : null;
    }

    private RolloutBody body(
            Sight sight,
            Instant expectedEnd,
            Integer moved,
            List<BlockedUnitsBody> blocked,
            List<PlannedUnitBody> next,
            List<RolloutUnitBody> active,
            List<UnitOutcomeBody> incomplete) {
        Rollout rollout = sight.rollout;
        RolloutSpec spec = rollout.spec();
        boolean all = sight.caller.everyTenant();
        return new RolloutBody(
                rollout.name(),
                EnumNames.of(spec.cause().type()),
                EnumNames.of(rollout.status()),
                reason(sight),
                target(sight),
                all ? unlessEmpty(spec.target().exclude()) : null,
                all ? unlessEmpty(spec.target().tenants()) : null,
                all ? unlessEmpty(spec.target().exceptTenants()) : null,
                spec.rehearsal() ? true : null,
                unlessEmpty(spec.windows().stream().map(PolicyText::window).toList()),
                BodyMapper.time(spec.selfServiceUntil()),
                BodyMapper.time(spec.at()),
                BodyMapper.time(spec.until()),
                spec.until() == null ? null : EnumNames.of(spec.late()),
                all ? BodyMapper.time(rollout.plannedEnd()) : null,
                BodyMapper.time(expectedEnd),
                moved,
                BodyMapper.time(rollout.createdAt()),
                BodyMapper.time(rollout.endedAt()),
                all ? rollout.units() : sight.numbers.size(),
                all ? rollout.pending() : sight.count(RolloutUnit.State.PENDING),
                all ? rollout.open() : sight.count(RolloutUnit.State.OPEN),
                all ? rollout.done() : sight.count(RolloutUnit.State.DONE),
                all ? rollout.failed() : sight.count(RolloutUnit.State.FAILED),
                all ? rollout.skipped() : sight.count(RolloutUnit.State.SKIPPED),
                blocked,
                next,
                active,
                incomplete);
    }

    private static List<String> unlessEmpty(List<String> texts) {
        return texts.isEmpty() ? null : texts;
    }

    private Instant now() {
        return parts.clock().now().wall();
    }
}
