package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A unit opens all its events when the first of its groups is shown its own; a plan counts them from then on. */
class LongestNoticeTest extends RolloutFixture {
    private static final GroupId BANK = new GroupId("default", "bank");
    private static final int SHARED = 150;
    private static final int MORE = 50;
    private static final Instant EARLY = Instant.parse("2026-03-02T03:00:00Z");
    private static final Instant LATER = Instant.parse("2026-03-02T03:20:00Z");

    /**
     * Web has machines on hosts x-*, which it shares with bank, and on hosts y-*. Bank is shown its work twelve hours before. A rollout
     * over the hosts x-* is planned for 06:00, so that its events are open from 18:00 on.
     */
    @BeforeEach
    void aRolloutIsShownLongBeforeToAnotherGroup() {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < SHARED; i++) {
            machines.add(machine(EngineHarness.WEB, "w" + i, 0, "x-" + i));
            machines.add(machine(BANK, "b" + i, 0, "x-" + i));
        }
        for (int i = 0; i < MORE; i++) {
            machines.add(machine(EngineHarness.WEB, "v" + i, 0, "y-" + i));
        }
        List<GroupSpec> groups = List.of(
                new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 1, 2),
                new GroupSpec(0, BANK, GroupKind.AVAILABILITY_SET, 1, 2));
        FleetSpec fleet = new FleetSpec(groups, machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        world.poll(EngineHarness.WEB, "w0");
        world.poll(BANK, "b0");
        Scope scope = new Scope("default", "bank", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, Duration.ofHours(12), null, null, null, null, null, null, null, null, null),
                EngineHarness.PERSON));
        start(spec("first", RolloutTarget.Kind.HOSTS, "x-*").with(b -> b.at = EARLY.plus(Duration.ofHours(3))));
    }

    private Map<Instant, Integer> turns() {
        Map<Instant, Integer> turns = new TreeMap<>();
        IntStream.range(0, MORE).forEach(i -> turns.merge(turn(i).at(), 1, Integer::sum));
        return turns;
    }

    @Test
    void aPlanCountsTheLongestNoticeOfAUnitsGroupsWhenItCountsOpenEvents() {
        RolloutPlan plan = world.engine
                .rules()
                .plan(
                        world.engine.view(),
                        spec("os", RolloutTarget.Kind.HOSTS, "y-*").with(b -> b.at = EARLY),
                        world.now());
        assertEquals(
                List.of(EARLY, LATER),
                plan.steps().stream().map(RolloutPlan.Step::starts).distinct().toList());
    }

    @Test
    void theUnitsThatHaveATurnAreOpenedForIt() {
        start(spec("os", RolloutTarget.Kind.HOSTS, "y-*").with(b -> b.at = EARLY));
        assertEquals(Map.of(EARLY, 30, LATER, 20), turns());
        passUntil(EARLY.minusSeconds(60));
        assertEquals(
                30,
                IntStream.range(0, MORE)
                        .filter(i -> unit(i).state() == RolloutUnit.State.OPEN)
                        .count());
        passUntil(EARLY.plusSeconds(90));
        done();
        passUntil(LATER.minusSeconds(60));
        assertEquals(Map.of(EARLY, 30, LATER, 20), turns(), "no date moves");
    }
}
