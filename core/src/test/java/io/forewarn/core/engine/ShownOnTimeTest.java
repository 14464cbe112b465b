package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Machines are shown their events when their notice begins, or a second later if that goes wrong. */
class ShownOnTimeTest extends RolloutFixture {
    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + "Z");
    }

    private static RolloutSpec oneHost(Instant turn) {
        return spec("os", RolloutTarget.Kind.HOSTS, "host-0").with(b -> b.at = turn);
    }

    /** Each group has a machine on a host of its own, and polls. */
    private List<GroupId> groupsOnHosts(int count) {
        List<GroupId> groups = IntStream.range(0, count)
                .mapToObj(i -> new GroupId("default", "g" + i))
                .toList();
        List<GroupSpec> specs = new ArrayList<>();
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            specs.add(new GroupSpec(0, groups.get(i), GroupKind.AVAILABILITY_SET, 1, 2));
            machines.add(machine(groups.get(i), "m" + i, 0, "host-" + i));
        }
        FleetSpec fleet = new FleetSpec(specs, machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        for (int i = 0; i < count; i++) {
            world.poll(groups.get(i), "m" + i);
        }
        return groups;
    }

    /** Web and db share a host. Web is shown the work four hours before 18:00, db a quarter of an hour before. */
    private void webIsShownTheWorkAndDbIsNotYet() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        Scope scope = new Scope("default", "web", null);
        Duration notice = Duration.ofHours(4);
        world.ask(new Command.SetPolicy(
                new Policy(scope, notice, null, null, null, null, null, null, null, null, null), EngineHarness.PERSON));
        start(oneHost(at("18:00:00")));
        passUntil(at("17:44:59"));
        assertTrue(only(EngineHarness.WEB).shared());
        assertFalse(only(DB).shared());
    }

    @Test
    void aUnitThatIsOpenedBetweenTwoSecondsIsShownItsWork() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.slowCommits(Duration.ofMillis(1300));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertTrue(only(EngineHarness.WEB).shared());
        assertEquals(
                Transition.SCHEDULED.name(),
                world.steps(only(EngineHarness.WEB).id()).get(0));
        assertEquals(at("12:15:05"), only(EngineHarness.WEB).noticePeriod().notBefore());
    }

    @Test
    void manyUnitsAreAllShownAlthoughTheirCommitsTakeTime() {
        List<GroupId> groups = groupsOnHosts(80);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*")
                .withNotice(Duration.ofHours(2))
                .with(b -> b.at = at("17:00:00")));
        world.slowCommits(Duration.ofMillis(300));
        passUntil(at("15:00:30"));
        world.slowCommits(Duration.ZERO);
        assertTrue(groups.stream().allMatch(group -> only(group).shared()));
        Set<Instant> turns = IntStream.range(0, 80).mapToObj(i -> turn(i).at()).collect(Collectors.toSet());
        assertEquals(Set.of(at("17:00:00")), turns);
    }

    @Test
    void aShowingThatTheStoreRefusedIsTriedAgainASecondLater() {
        webIsShownTheWorkAndDbIsNotYet();
        world.store.fail(SimulatedStore.Fault.REJECTED);
        passUntil(at("17:45:02"));
        assertEquals(1, world.troubles);
        assertTrue(only(DB).shared());
        assertEquals(at("18:00:01"), only(DB).noticePeriod().notBefore(), "it gets all of its notice");
        passUntil(at("18:00:05"));
        assertEquals(at("18:00:00"), turn(0).at());
        assertEquals(2, world.running.values().iterator().next().machines().size(), "both groups are worked on");
    }

    @Test
    void anEventThatBecameReadableLateIsNotRoundedPastTheEndOfTheHours() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.slowCommits(Duration.ofMillis(1300));
        start(oneHost(null).between(at("12:10:00"), at("12:15:03"), RolloutSpec.Late.NEXT_WINDOW, ZoneId.of("UTC")));
        world.pass(Duration.ofSeconds(5));
        assertEquals(at("12:15:02"), turn(0).first());
        Instant nextHours = at("12:10:00").plus(Duration.ofDays(1));
        assertEquals(nextHours, turn(0).at());
        assertEquals(nextHours, only(EngineHarness.WEB).noticePeriod().notBefore());
        assertTrue(only(EngineHarness.WEB).shared());
    }
}
