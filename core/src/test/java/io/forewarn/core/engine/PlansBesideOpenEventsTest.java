package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.event.Cause;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A plan reckons with what is open already: who goes first, how long it takes, and the recovery after it. */
class PlansBesideOpenEventsTest {
    /** The window that opens when the world begins, and is open for a minute longer than the least notice. */
    private static final MaintenanceWindow SHORT = daily(12, Duration.ofMinutes(16));

    private final EngineHarness world = EngineHarness.enabled();
    private final PlanComparison comparison = new PlanComparison(world, List.of(EngineHarness.WEB));

    @BeforeEach
    void theDriverKnowsHowLongWorkTakes() {
        for (Cause cause : Cause.values()) {
            world.durations.put(cause, Duration.ofSeconds(90));
        }
        comparison.poll();
    }

    private static MaintenanceWindow daily(int hour, Duration length) {
        return new MaintenanceWindow(EnumSet.allOf(DayOfWeek.class), LocalTime.of(hour, 0), length, ZoneId.of("UTC"));
    }

    private static RolloutSpec reboot(String name, List<MaintenanceWindow> windows, String... groups) {
        return RolloutSpec.of(
                        name, Cause.HOST_REBOOT, new RolloutTarget(RolloutTarget.Kind.GROUPS, List.of("default/web")))
                .withWindows(windows);
    }

    private static Instant at(Duration later) {
        return EngineHarness.START.plus(later);
    }

    @Test
    void aRestartThatGoesFirstTakesTheUnitPastItsWindow() {
        world.schedule(Cause.RESTART, "m0");
        RolloutPlan plan = comparison.comesTrue(reboot("os", List.of(SHORT)), "with a window");
        assertEquals(at(Duration.ofDays(1)), plan.steps().get(0).starts());
    }

    @Test
    void withoutAWindowTheUnitStartsWhenTheRestartEnds() {
        world.schedule(Cause.RESTART, "m0");
        RolloutPlan plan = comparison.comesTrue(reboot("os", List.of()), "without a window");
        assertEquals(
                at(Duration.ofMinutes(16).plusSeconds(30)), plan.steps().get(0).starts());
    }

    @Test
    void anEarlierFreezeThatWaitsForTheSameWindowIsReckonedWith() {
        Policy policy = new Policy(
                new Scope("default", "web", null),
                null,
                null,
                null,
                null,
                List.of(daily(20, Duration.ofHours(2))),
                null,
                null,
                null,
                null,
                null);
        world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
        world.schedule(Cause.FREEZE, "m1");
        comparison.comesTrue(reboot("os", List.of()), "both in the window");
    }

    private void scheduleLasting(Cause cause, String machine, Duration takes) {
        Command command = new Command.Schedule(
                cause, List.of(EngineHarness.machine(machine)), null, null, takes, false, EngineHarness.PERSON);
        comparison.lasting.put(world.ask(command).events().get(0), takes);
    }

    @Test
    void aFreezeTakesAsLongAsWasSaidWhenItWasRequested() {
        scheduleLasting(Cause.FREEZE, "m1", Duration.ofMinutes(45));
        RolloutPlan plan = comparison.comesTrue(reboot("os", List.of()), "after a long freeze");
        assertEquals(at(Duration.ofMinutes(15 + 45 + 30)), plan.steps().get(0).starts());
    }

    @Test
    void aFreezeThatIsUnderWayTakesAsLongAsWasSaidWhenItWasRequested() {
        scheduleLasting(Cause.FREEZE, "m1", Duration.ofMinutes(45));
        world.pass(Duration.ofMinutes(20));
        comparison.poll();
        RolloutPlan plan = comparison.comesTrue(reboot("os", List.of()), "during a long freeze");
        assertEquals(at(Duration.ofMinutes(15 + 45 + 30)), plan.steps().get(0).starts());
    }

    @Test
    void aRestartTakesAsLongAsItsOwnerSaid() {
        scheduleLasting(Cause.RESTART, "m0", Duration.ofMinutes(45));
        RolloutPlan plan = comparison.comesTrue(reboot("os", List.of()), "after a long restart");
        assertEquals(at(Duration.ofMinutes(15 + 45)), plan.steps().get(0).starts());
    }

    @Test
    void anotherRolloutIsReckonedWith() {
        RolloutSpec first = RolloutSpec.of(
                        "first", Cause.HOST_FREEZE, new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-0")))
                .withEvacuation(true);
        world.ask(world.engine.roll(first, EngineHarness.PERSON, null));
        RolloutSpec second = RolloutSpec.of(
                        "second",
                        Cause.HOST_FREEZE,
                        new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-1", "host-2")))
                .withEvacuation(true);
        comparison.comesTrue(second, "beside another");
    }
}
