package io.forewarn.server.calendar;

import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.UnitPass;
import io.forewarn.core.rules.Rules;
import io.forewarn.server.calendar.CalendarEntry.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the work that rollouts have planned and machines are not shown yet, and what an abort called off before it was
 * shown.
 */
final class PlannedWork {
    private record Planned(Rollout rollout, RolloutUnit unit) {}

    private final PublishedState published;
    private final Rules rules;
    private final WorkLength length;
    private final CalendarScope scope;
    private final Instant since;

    /** @param since rollouts that were aborted before then are left out */
    PlannedWork(PublishedState published, Rules rules, WorkLength length, CalendarScope scope, Instant since) {
        this.published = published;
        this.rules = rules;
        this.length = length;
        this.scope = scope;
        this.since = since;
    }

    /** The first so many, in the order of their turns: a rollout may have a million machines. */
    List<CalendarEntry> first(int most) {
        List<Planned> units = new ArrayList<>();
        published.rollouts().stream()
                .filter(rollout -> scope.rollout() == null || scope.rollout().equals(rollout.name()))
                .filter(rollout -> !rollout.isOver() || isAborted(rollout))
                .forEach(rollout -> units(rollout).forEach(unit -> units.add(new Planned(rollout, unit))));
        units.sort(Comparator.comparing(planned -> planned.unit.turn().next()));
        return units.stream().flatMap(this::entries).limit(most).toList();
    }

    private boolean isAborted(Rollout rollout) {
        return rollout.status() == Rollout.Status.ABORTED
                && rollout.endedAt() != null
                && !rollout.endedAt().isBefore(since);
    }

    private Stream<RolloutUnit> units(Rollout rollout) {
        IntStream numbers = scope.tenant() == null
                ? IntStream.range(0, rollout.units())
                : rules.unitsOf(published, rollout, scope.tenant()).stream().mapToInt(Integer::intValue);
        return numbers.filter(number -> isAhead(rollout, number))
                .mapToObj(number -> unit(rollout, number))
                .filter(unit -> unit.turn() != null);
    }

    private RolloutUnit unit(Rollout rollout, int number) {
        return published.units(rollout.name(), number / RolloutUnitChunk.SIZE).unit(number);
    }

    /** Also while its host is being evacuated: the events that are open then are not those of the unit itself. */
    private boolean isAhead(Rollout rollout, int number) {
        RolloutUnit.State state = unit(rollout, number).state();
        return state == RolloutUnit.State.PENDING
                || state == RolloutUnit.State.OPEN
                        && published
                                .open(new RolloutUnitId(rollout.name(), number))
                                .filter(ActiveUnit::moves)
                                .isPresent();
    }

    private Stream<CalendarEntry> entries(Planned planned) {
        return rules.passes(published, planned.rollout, planned.unit).stream()
                .filter(pass -> scope.includes(pass.affected().group(), planned.rollout.name()))
                .filter(pass ->
                        !isShown(pass.affected().group(), pass.affected().machines(), planned.rollout))
                .map(pass -> entry(planned, pass));
    }

    /** Whether another event of the rollout is open for them: they are being moved away. */
    private boolean isShown(GroupId group, Collection<Machine> machines, Rollout rollout) {
        return published.state(group).events().stream()
                .filter(event -> rollout.name().equals(event.work().rollout()))
                .anyMatch(event -> machines.stream().anyMatch(machine -> event.lists(machine.name())));
    }

    private CalendarEntry entry(Planned planned, UnitPass pass) {
        Rollout rollout = planned.rollout;
        // What the rollout says applies to the work itself, not to an evacuation before it.
        Duration given = pass.cause() == rollout.spec().cause() ? rollout.spec().interruption() : null;
        return new CalendarEntry(
                pass.affected().group(),
                rollout.name(),
                null,
                pass.cause(),
                rollout.spec().rehearsal(),
                pass.affected().machines().stream().map(Machine::name).toList(),
                rollout.isOver() ? Stage.CANCELLED : Stage.PLANNED,
                pass.at(),
                pass.at(),
                pass.at().plus(length.of(pass.cause(), rollout.spec().rehearsal(), given)),
                rollout.isOver() ? rollout.endedAt() : rollout.createdAt(),
                planned.unit.turn().why(scope.tenant()),
                0);
    }
}
