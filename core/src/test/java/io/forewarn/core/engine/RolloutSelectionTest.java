package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutTarget.Kind;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which hosts and groups the names and filters of a rollout select, and what it says about the others. */
class RolloutSelectionTest extends RolloutFixture {
    private static final GroupId SHOP_WEB = new GroupId("shop", "web");
    private static final GroupId SHOP_DB = new GroupId("shop", "db");
    private static final GroupId BANK = new GroupId("bank", "ledger");
    private static final List<String> NONE = List.of();

    /** Hosts 1 and 2 carry the shop's machines, hosts 2 and 10 the bank's, and host 11 none of either. */
    @BeforeEach
    void fleet() {
        apply(
                List.of(SHOP_WEB, SHOP_DB, BANK, EngineHarness.WEB),
                machine(SHOP_WEB, "w0", 0, "host-1"),
                machine(SHOP_WEB, "w1", 1, "host-2"),
                machine(SHOP_DB, "d0", 0, "host-1"),
                machine(BANK, "l0", 0, "host-2"),
                machine(BANK, "l1", 1, "host-10"),
                machine(EngineHarness.WEB, "x0", 0, "host-11"));
    }

    private void apply(List<GroupId> groups, MachineSpec... machines) {
        FleetSpec spec = new FleetSpec(
                groups.stream()
                        .map(id -> new GroupSpec(0, id, GroupKind.AVAILABILITY_SET, 2, 2))
                        .toList(),
                Arrays.asList(machines));
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, spec, false), EngineHarness.PERSON, null));
    }

    private static RolloutTarget target(
            Kind kind, String name, List<String> exclude, List<String> tenants, List<String> exceptTenants) {
        return new RolloutTarget(kind, List.of(name), exclude, tenants, exceptTenants);
    }

    private List<String> units(RolloutTarget target) {
        return world
                .engine
                .rules()
                .prepare(world.engine.view(), RolloutSpec.of("os", Cause.HOST_REBOOT, target), EngineHarness.START)
                .units()
                .stream()
                .map(RolloutUnit::name)
                .toList();
    }

    private List<String> excluded(RolloutTarget target) {
        return world.engine.rules().excluded(world.engine.view(), target).stream()
                .map(e -> e.name() + " " + e.why())
                .toList();
    }

    private void refused(String reason, RolloutTarget target) {
        String sentence =
                assertThrows(RefusedException.class, () -> units(target)).getMessage();
        assertTrue(sentence.contains(reason), sentence);
    }

    @Test
    void hostsAreNamedByPatternsInTheOrderOfTheNames() {
        assertEquals(List.of("host-10", "host-11"), units(target(Kind.HOSTS, "host-1?", NONE, NONE, NONE)));
        assertEquals(
                List.of("host-2", "host-1", "host-10", "host-11"),
                units(new RolloutTarget(Kind.HOSTS, List.of("host-2", "host-*"))));
    }

    @Test
    void excludedHostsAreLeftOutAndThePlanSaysSo() {
        RolloutTarget target = target(Kind.HOSTS, "*", List.of("host-1?", "host-2"), NONE, NONE);
        assertEquals(List.of("host-1"), units(target));
        assertEquals(
                List.of("host-10 is excluded by 'host-1?'", "host-11 is excluded by 'host-1?'", "host-2 is excluded"),
                excluded(target));
        assertEquals(NONE, excluded(target(Kind.HOSTS, "*", NONE, NONE, NONE)));
    }

    @Test
    void aTenantsRolloutTakesWholeHostsThatCarryOneOfItsMachines() {
        RolloutTarget target = target(Kind.HOSTS, "*", NONE, List.of("shop"), NONE);
        assertEquals(List.of("host-1", "host-2"), units(target));
        assertEquals(
                List.of("host-10 carries no machine of tenant shop", "host-11 carries no machine of tenant shop"),
                excluded(target));
    }

    @Test
    void aSparedTenantsHostsAreLeftOutAsAWhole() {
        RolloutTarget target = target(Kind.HOSTS, "*", NONE, NONE, List.of("bank"));
        assertEquals(List.of("host-1", "host-11"), units(target));
        assertEquals(
                List.of("host-10 carries a machine of tenant bank", "host-2 carries a machine of tenant bank"),
                excluded(target));
        assertEquals(List.of("host-1"), units(target(Kind.HOSTS, "*", NONE, List.of("shop"), List.of("bank"))));
    }

    @Test
    void groupsAreSelectedByPatternTenantAndExclusion() {
        assertEquals(
                List.of("shop/db#0", "shop/web#0", "shop/web#1"),
                units(target(Kind.GROUPS, "shop/*", NONE, NONE, NONE)));
        assertEquals(List.of("shop/db#0"), units(target(Kind.GROUPS, "shop/*", List.of("*/web"), NONE, NONE)));
        RolloutTarget target = target(Kind.GROUPS, "*/*", NONE, List.of("shop", "bank"), List.of("ba*"));
        assertEquals(List.of("shop/db#0", "shop/web#0", "shop/web#1"), units(target));
        assertEquals(
                List.of("bank/ledger belongs to tenant bank", "default/web belongs to tenant default"),
                excluded(target));
    }

    @Test
    void aTagIsLimitedToGroupsAndTenants() {
        assertEquals(List.of("shop/web#0"), units(target(Kind.TAG, "env=w0", NONE, List.of("shop"), NONE)));
        refused("shop/web belongs to tenant shop", target(Kind.TAG, "env=w0", NONE, NONE, List.of("shop")));
        refused("no machine carries the tag", target(Kind.TAG, "env=w9", NONE, NONE, List.of("shop")));
    }

    @Test
    void whatMatchesNothingIsRefusedWithASuggestion() {
        refused("no host matches 'hots-*'; did you mean host-1?", target(Kind.HOSTS, "hots-*", NONE, NONE, NONE));
        refused("no host matches 'rack*'; there are host-1, host-10", target(Kind.HOSTS, "rack*", NONE, NONE, NONE));
        refused("no machine runs on host host-12; did you mean", target(Kind.HOSTS, "host-12", NONE, NONE, NONE));
        refused("no group matches 'shp/*'", target(Kind.GROUPS, "shp/*", NONE, NONE, NONE));
        refused("there is no host host-7; did you mean", target(Kind.HOSTS, "*", List.of("host-7"), NONE, NONE));
        refused("there is no tenant bnk; did you mean bank?", target(Kind.HOSTS, "*", NONE, NONE, List.of("bnk")));
        refused("no tenant matches 'x*'; there are", target(Kind.HOSTS, "*", NONE, List.of("x*"), NONE));
        refused(
                "the filters leave nothing to do: host-11 carries no machine of tenant bank",
                target(Kind.HOSTS, "host-11", NONE, List.of("bank"), NONE));
        refused("at most 100 names", target(Kind.HOSTS, "*", Collections.nCopies(101, "a*"), NONE, NONE));
    }

    @Test
    void aFilteredRolloutWorksOnNothingElseAndCoversGroupsThatJoinItsPattern() {
        RolloutTarget target = target(Kind.GROUPS, "shop/*", List.of("shop/db"), NONE, NONE);
        start(RolloutSpec.of("os", Cause.HOST_REBOOT, target).withRecovery(Duration.ZERO));
        GroupId joined = new GroupId("shop", "cache");
        apply(List.of(joined), machine(joined, "c0", 0, "host-1"));
        List<String> worked = Stream.iterate(0, i -> i + 1)
                .limit(10)
                .takeWhile(i -> rollout().status() == Rollout.Status.RUNNING)
                .flatMap(i -> {
                    world.pass(Duration.ofHours(1));
                    List<String> names = world.running.values().stream()
                            .flatMap(task -> task.machines().stream())
                            .map(machine -> machine.id().toString())
                            .toList();
                    done();
                    return names.stream();
                })
                .sorted()
                .toList();
        assertEquals(Rollout.Status.DONE, rollout().status());
        assertEquals(List.of("shop/c0", "shop/w0", "shop/w1"), worked);
    }
}
