package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan comes true when nobody approves early and nothing fails. */
class RolloutPlanTest {
    private final EngineHarness world = new EngineHarness(ServiceTerms.AZURE, 1, 0);

    private static RolloutSpec spec(RolloutTarget.Kind kind, String name, ConcurrencyLimit atOnce) {
        return new RolloutSpec(
                "os",
                Cause.HOST_FREEZE,
                new RolloutTarget(kind, List.of(name)),
                null,
                null,
                atOnce,
                List.of(),
                true,
                false,
                null,
                null);
    }

    private RolloutPlan plan(RolloutSpec spec) {
        return world.engine.rules().plan(world.engine.view(), spec, world.now());
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "host-1"})
    void whatIsPlannedOverHostsIsWhatHappens(String hosts) {
        world.group(EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 6);
        comesTrue(spec(RolloutTarget.Kind.HOSTS, hosts, ConcurrencyLimit.ALL));
    }

    @Test
    void whatIsPlannedOverAGroupIsWhatHappens() {
        world.group(EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 6);
        comesTrue(spec(RolloutTarget.Kind.GROUPS, "default/web", ConcurrencyLimit.ALL));
    }

    @Test
    void whatIsPlannedOneHostAtATimeIsWhatHappens() {
        world.group(EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 6);
        comesTrue(spec(RolloutTarget.Kind.HOSTS, "*", new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1)));
    }

    @Test
    void aPlanReckonsWithWhatTheDriverKnows() {
        world.group(EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 6);
        RolloutSpec freezes = spec(RolloutTarget.Kind.HOSTS, "host-1", ConcurrencyLimit.ALL);
        RolloutSpec reboots = new RolloutSpec(
                "os",
                Cause.HOST_REBOOT,
                freezes.target(),
                null,
                null,
                ConcurrencyLimit.ALL,
                List.of(),
                true,
                false,
                null,
                null);
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
        Duration takes = ServiceTerms.AZURE.interruption().get(spec.cause().type());
        world.ask(world.engine.roll(spec, EngineHarness.PERSON, null));
        for (int i = 0; i < 100 && !rollout().isOver(); i++) {
            if (world.running.isEmpty()) {
                world.pass(Duration.ofSeconds(1));
                world.engine.due().ifPresent(at -> world.pass(Duration.between(world.now(), at)));
            } else {
                EventId id = world.running.keySet().iterator().next();
                boolean moves = world.running.get(id).event().work().cause() != spec.cause();
                Instant started = world.event(id).orElseThrow().attempt().startedAt();
                Instant ends = started.plus(moves ? Duration.ofMinutes(5) : takes);
                if (ends.isAfter(world.now())) {
                    world.pass(Duration.between(world.now(), ends));
                }
                world.running.remove(id);
                world.report(id, DriverReport.DONE);
            }
        }
        assertEquals(Rollout.Status.DONE, rollout().status());
        List<Instant> starts = world.log().stream()
                .filter(e -> e.what().startsWith("STARTED") && e.cause().rolledOut())
                .map(HistoryEntry::at)
                .toList();
        assertEquals(
                plan.steps().stream().map(RolloutPlan.Step::starts).sorted().toList(), starts);
    }

    private Rollout rollout() {
        return world.engine.view().rollout("os").orElseThrow();
    }
}
