package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan comes true when nobody approves early and nothing fails. */
class RolloutPlanTest {
    private final EngineHarness world = new EngineHarness(ServiceTerms.AZURE, 1, 0);

    private static RolloutSpec spec(RolloutTarget.Kind kind, String name, ConcurrencyLimit atOnce) {
        return RolloutSpec.of("os", Cause.HOST_FREEZE, new RolloutTarget(kind, List.of(name)))
                .withAtOnce(atOnce)
                .withEvacuation(true);
    }

    private RolloutPlan plan(RolloutSpec spec) {
        return world.engine.rules().plan(world.engine.view(), spec, world.now());
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "host-1"})
    void thePlanOverHostsMatchesTheRollout(String hosts) {
        world.group(EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 6);
        comesTrue(spec(RolloutTarget.Kind.HOSTS, hosts, ConcurrencyLimit.ALL));
    }

    @Test
    void thePlanOverAGroupMatchesTheRollout() {
        world.group(EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 6);
        comesTrue(spec(RolloutTarget.Kind.GROUPS, "default/web", ConcurrencyLimit.ALL));
    }

    @Test
    void thePlanOfOneHostAtATimeMatchesTheRollout() {
        world.group(EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 6);
        comesTrue(spec(RolloutTarget.Kind.HOSTS, "*", new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1)));
    }

    /**
     * Host-1 and host-2 end together, and only then is host-3 free. Host-4 is free as soon as host-2 has ended, but comes
     * after host-3: it must not matter which of the two ends is told first.
     */
    @Test
    void unitsThatEndTogetherEndBeforeOthersOpen() {
        GroupId core = new GroupId("default", "core");
        world.ask(world.engine.change(
                facts -> FleetRules.apply(
                        facts,
                        new FleetSpec(
                                List.of(
                                        new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 2, 1),
                                        new GroupSpec(0, core, GroupKind.AVAILABILITY_SET, 2, 1)),
                                List.of(
                                        machine(core, 0, "host-1"),
                                        machine(core, 0, "host-2"),
                                        machine(EngineHarness.WEB, 0, "host-2"),
                                        machine(core, 1, "host-3"),
                                        machine(EngineHarness.WEB, 0, "host-3"),
                                        machine(EngineHarness.WEB, 1, "host-4"))),
                        false),
                EngineHarness.PERSON,
                null));
        RolloutSpec spec = spec(RolloutTarget.Kind.HOSTS, "*", ConcurrencyLimit.ALL);
        assertEquals(
                List.of("host-1", "host-2", "host-3", "host-4"),
                plan(spec).steps().stream().map(RolloutPlan.Step::unit).toList());
        comesTrue(spec);
    }

    private static MachineSpec machine(GroupId group, int domain, String host) {
        MachineId id = new MachineId(group.tenant(), group.name() + "-on-" + host);
        return new MachineSpec(0, id, group, domain, 0, host, List.of(), "", false, Map.of());
    }

    @Test
    void aPlanReckonsWithWhatTheDriverKnows() {
        world.group(EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 6);
        RolloutSpec freezes = spec(RolloutTarget.Kind.HOSTS, "host-1", ConcurrencyLimit.ALL);
        RolloutSpec reboots =
                RolloutSpec.of("os", Cause.HOST_REBOOT, freezes.target()).withEvacuation(true);
        assertEquals(List.of(Duration.ofMinutes(5), Duration.ofMinutes(5)), lengths(reboots), "nobody knows");
        assertEquals(List.of(Duration.ofMinutes(5), Duration.ofSeconds(5)), lengths(freezes), "as the terms say");
        world.durations.put(Cause.HOST_REBOOT, Duration.ofSeconds(90));
        world.durations.put(Cause.HOST_REDEPLOY, Duration.ofMinutes(3));
        assertEquals(List.of(Duration.ofMinutes(3), Duration.ofSeconds(90)), lengths(reboots));
    }

    private List<Duration> lengths(RolloutSpec spec) {
        return plan(spec).steps().stream()
                .map(step -> Duration.between(step.starts(), step.ends()))
                .toList();
    }

    @Test
    void aPlanChangesNothing() {
        world.group(EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 6);
        int before = world.log().size();
        RolloutPlan plan = plan(spec(RolloutTarget.Kind.HOSTS, "*", ConcurrencyLimit.ALL));
        assertEquals(3, plan.units());
        assertEquals(6, plan.machines());
        assertTrue(world.engine.view().rollouts().isEmpty());
        assertEquals(before, world.log().size());
    }

    private void comesTrue(RolloutSpec spec) {
        RolloutPlan plan = plan(spec);
        world.ask(world.engine.roll(spec, EngineHarness.PERSON, null));
        for (int i = 0; i < 100 && !rollout().isOver(); i++) {
            if (world.running.isEmpty()) {
                world.pass(Duration.ofSeconds(1));
                world.engine.due().ifPresent(at -> world.pass(Duration.between(world.now(), at)));
            } else {
                Instant first = world.running.values().stream()
                        .map(task -> ends(task, spec))
                        .min(Instant::compareTo)
                        .orElseThrow();
                if (first.isAfter(world.now())) {
                    world.pass(Duration.between(world.now(), first));
                }
                List<DriverTask> ended = new ArrayList<>(world.running.values());
                ended.removeIf(task -> ends(task, spec).isAfter(first));
                ended.forEach(task -> world.running.remove(task.event().id()));
                // Told of together, the last that started first.
                Collections.reverse(ended);
                world.report(ended, DriverReport.DONE);
            }
        }
        assertEquals(Rollout.Status.DONE, rollout().status());
        List<String> happened = world.log().stream()
                .filter(e -> e.what().startsWith("STARTED") && e.cause().rolledOut())
                .map(e -> e.at() + " " + e.group() + " " + e.machines())
                .sorted()
                .toList();
        List<String> planned = plan.steps().stream()
                .flatMap(step -> step.shares().stream()
                        .map(share -> step.starts() + " " + share.group() + " "
                                + share.machines().stream().map(Machine::name).toList()))
                .sorted()
                .toList();
        assertEquals(planned, happened);
    }

    private static Instant ends(DriverTask task, RolloutSpec spec) {
        Event event = task.event();
        boolean moves = event.work().cause() != spec.cause();
        Duration takes = ServiceTerms.AZURE.interruption().get(spec.cause().type());
        return event.attempt().startedAt().plus(moves ? Duration.ofMinutes(5) : takes);
    }

    private Rollout rollout() {
        return world.engine.view().rollout("os").orElseThrow();
    }
}
