package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reason that people read for a date is what determined it. */
class TurnReasonsTest extends RolloutFixture {
    private static final GroupId SHOP = new GroupId("shop", "web");
    private static final GroupId BANK = new GroupId("bank", "core");
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final RolloutSpec ALL = spec("os", RolloutTarget.Kind.HOSTS, "*");

    /** Each host carries a machine of both tenants; their update domains are the host's number. */
    private void hosts(int count) {
        List<GroupSpec> groups = List.of(
                new GroupSpec(0, SHOP, GroupKind.AVAILABILITY_SET, count, 2),
                new GroupSpec(0, BANK, GroupKind.AVAILABILITY_SET, count, 2));
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            machines.add(machine(SHOP, "w" + i, i, "host-" + i));
            machines.add(machine(BANK, "c" + i, i, "host-" + i));
        }
        FleetSpec spec = new FleetSpec(groups, machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, spec, false), EngineHarness.PERSON, null));
        world.poll(SHOP, "w0");
        world.poll(BANK, "c0");
    }

    private void set(GroupId group, List<MaintenanceWindow> windows, List<Blackout> blackouts, Duration notice) {
        Scope scope = new Scope(group.tenant(), group.name(), null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, notice, null, null, null, windows, blackouts, null, null, null, null),
                EngineHarness.PERSON));
    }

    /** Until eight o'clock on the next morning. */
    private static Blackout untilMorning() {
        LocalDateTime from = LocalDateTime.of(2026, 3, 1, 10, 0);
        return new Blackout(from, from.plusHours(22), UTC);
    }

    private String reason(RolloutSpec spec) {
        RolloutPlan plan = world.engine.rules().plan(world.engine.view(), spec, world.now());
        return plan.steps().get(plan.steps().size() - 1).why();
    }

    @Test
    void ofSeveralCalendarsTheOneThatOpensLastIsNamed() {
        hosts(1);
        set(BANK, null, List.of(untilMorning()), null);
        assertEquals("a blackout until 2026-03-02T08:00:00Z, by the policy of group bank/core", reason(ALL));
        assertEquals("no window of the rollout opens before", reason(ALL.withWindows(List.of(daily(22)))));
        set(SHOP, List.of(daily(22)), null, null);
        assertEquals("no maintenance window opens before, by the policy of group shop/web", reason(ALL));
    }

    @Test
    void workThatFollowsAnEvacuationSaysSoInThePlanToo() {
        hosts(2);
        place(machine(SHOP, "w1", 1, "host-0"));
        assertEquals(
                "its host is evacuated first",
                reason(spec("os", RolloutTarget.Kind.HOSTS, "host-0")
                        .withEvacuation(true)
                        .with(b -> b.recovery = Duration.ZERO)));
    }

    @Test
    void aReasonThatSpeaksOfSeveralTenantsBlamesNone() {
        hosts(2);
        start(ALL.withNotice(Duration.ofHours(3)));
        world.pass(Duration.ofHours(1));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        world.pass(Duration.ofHours(5));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        List<String> told = world.history.stream()
                .filter(entry -> entry.what().equals(Transition.MOVED.name())
                        && entry.machines().get(0).endsWith("1"))
                .map(HistoryEntry::detail)
                .distinct()
                .toList();
        assertEquals(List.of("other update domains of groups on its host were planned before it"), told);
    }

    @Test
    void unitsThatMoveForTheirNoticeKeepTheirOrderAndNameWhatComesBeforeThem() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(ALL.with(b -> {
            b.at = world.now().plus(Duration.ofHours(1));
            b.recovery = Duration.ofMinutes(5);
        }));
        world.pass(Duration.ofMinutes(30));
        set(EngineHarness.WEB, null, null, Duration.ofHours(2));
        world.pass(Duration.ofSeconds(1));
        Instant first = turn(0).at();
        assertTrue(!first.isAfter(world.now().plus(Duration.ofHours(2))), "the first free slot");
        assertEquals(first.plus(Duration.ofMinutes(10)), turn(1).at());
        assertEquals(first.plus(Duration.ofMinutes(20)), turn(2).at());
        assertEquals("update domain 1 of group default/web and its recovery were planned before it", turn(2).why());
    }
}
