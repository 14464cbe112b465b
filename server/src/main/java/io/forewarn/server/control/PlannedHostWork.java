package io.forewarn.server.control;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.UnitPass;
import io.forewarn.core.rules.Rules;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.HostWorkBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Work of a rollout on a host, or on update domains of which it carries machines, that has no events yet.
 *
 * @param startsAt null if that is not known
 * @param machines how many of the machines on the host that the caller may see it affects
 */
record PlannedHostWork(Rollout rollout, Cause cause, Instant startsAt, int machines) {
    /** @param there the machines on the host that the caller may see */
    static List<PlannedHostWork> of(
            PublishedState published,
            Rules rules,
            Rollout rollout,
            String host,
            Map<GroupId, ? extends Set<Integer>> domains,
            List<MachineView> there) {
        if (rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS) {
            return unit(published, rollout, host).stream()
                    .flatMap(id -> ofHost(published, rules, rollout, id, there))
                    .toList();
        }
        List<PlannedHostWork> all = new ArrayList<>();
        domains.forEach((group, numbers) -> numbers.forEach(
                domain -> unit(published, rollout, group + "#" + domain).ifPresent(id -> {
                    RolloutUnit unit = unit(published, id);
                    int machines = (int) there.stream()
                            .map(MachineView::machine)
                            .filter(m -> m.group().equals(group)
                                    && m.updateDomain() == domain
                                    && rules.isConcerned(published, rollout, m))
                            .count();
                    if (unit.state() == RolloutUnit.State.PENDING && machines > 0) {
                        all.add(whole(rollout, unit, machines));
                    }
                })));
        return all;
    }

    /** A host that is evacuated first has work at several times, each on some of its machines. */
    private static Stream<PlannedHostWork> ofHost(
            PublishedState published, Rules rules, Rollout rollout, RolloutUnitId id, List<MachineView> there) {
        RolloutUnit unit = unit(published, id);
        Optional<ActiveUnit> evacuation = published.open(id).filter(ActiveUnit::moves);
        if (unit.state() != RolloutUnit.State.PENDING && evacuation.isEmpty()) {
            return Stream.empty();
        }
        if (unit.turn() == null || unit.turn().evacuations().isEmpty()) {
            return Stream.of(whole(rollout, unit, there.size()));
        }
        return rules.passes(published, rollout, unit).stream()
                .map(pass -> new PlannedHostWork(rollout, pass.cause(), pass.at(), count(published, id, pass, there)))
                .filter(work -> work.machines > 0);
    }

    private static PlannedHostWork whole(Rollout rollout, RolloutUnit unit, int machines) {
        return new PlannedHostWork(
                rollout,
                rollout.spec().cause(),
                unit.turn() == null ? null : unit.turn().next(),
                machines);
    }

    /** How many of the machines a pass affects that no event of the unit names yet. */
    private static int count(PublishedState published, RolloutUnitId id, UnitPass pass, List<MachineView> there) {
        return (int) there.stream()
                .filter(view -> pass.affected().machines().stream()
                        .anyMatch(machine -> machine.id().equals(view.machine().id())))
                .filter(view -> published.state(pass.affected().group()).events().stream()
                        .noneMatch(event -> id.equals(event.work().unit())
                                && event.lists(view.machine().name())))
                .count();
    }

    private static Optional<RolloutUnitId> unit(PublishedState published, Rollout rollout, String name) {
        OptionalInt number = published.unitNumber(rollout.name(), name);
        return number.isPresent()
                ? Optional.of(new RolloutUnitId(rollout.name(), number.getAsInt()))
                : Optional.empty();
    }

    private static RolloutUnit unit(PublishedState published, RolloutUnitId id) {
        return published.units(id.rollout(), id.unit() / RolloutUnitChunk.SIZE).unit(id.unit());
    }

    HostWorkBody body() {
        return new HostWorkBody(
                null, EnumNames.of(cause.type()), "planned", rollout.name(), BodyMapper.time(startsAt), machines);
    }
}
