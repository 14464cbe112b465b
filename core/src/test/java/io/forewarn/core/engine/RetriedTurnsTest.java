package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a unit that is retried takes from the units that are still to come. */
class RetriedTurnsTest extends RolloutFixture {
    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + "Z");
    }

    private List<Instant> turns() {
        return IntStream.range(0, rollout().units()).mapToObj(i -> turn(i).at()).toList();
    }

    private List<RolloutUnit> units() {
        return IntStream.range(0, rollout().units()).mapToObj(this::unit).toList();
    }

    private void firstFailsAt(Instant then) {
        passUntil(then);
        EventId failing = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(failing, DriverReport.FAILED);
        world.pass(Duration.ofMinutes(1));
    }

    private void retry(Instant until) {
        world.ask(new Command.ResumeRollout("os", true, null, until, null, EngineHarness.PERSON));
        world.pass(Duration.ofSeconds(2));
    }

    /** One host after the other, each with a machine of a group of its own; the work takes half an hour. */
    private void groupsOneAfterTheOther(int groups) {
        world.durations.put(Cause.HOST_REBOOT, Duration.ofMinutes(30));
        List<GroupSpec> specs = new ArrayList<>();
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            GroupId group = new GroupId("default", "g" + i);
            specs.add(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, 1, 2));
            machines.add(machine(group, "m" + i, 0, "host-" + i));
        }
        FleetSpec fleet = new FleetSpec(specs, machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        for (int i = 0; i < groups; i++) {
            world.poll(new GroupId("default", "g" + i), "m" + i);
        }
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1)).with(b -> b.at = at("13:00:00")));
        assertEquals(at("13:00:00"), turn(0).at());
    }

    /** Turns of three update domains at 22:00:00, 22:31:30 and 23:03:00; the first failed, and the rollout goes on without it. */
    private void theFirstOfThreeDomainsFailed(Instant until) {
        world.durations.put(Cause.HOST_REBOOT, Duration.ofSeconds(90));
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*")
                .withNotice(Duration.ofHours(1))
                .between(at("22:00:00"), until, RolloutSpec.Late.REFUSE, ZoneId.of("UTC")));
        firstFailsAt(at("22:02:00"));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        world.pass(Duration.ofMinutes(1));
    }

    @Test
    void aRetriedUnitTakesNoRoomThatAUnitOfAnotherGroupHas() {
        groupsOneAfterTheOther(3);
        firstFailsAt(at("13:10:00"));
        retry(null);
        assertEquals(List.of(at("14:30:00"), at("13:30:00"), at("14:00:00")), turns());
        assertEquals("it failed and is retried; no more units are worked on at once", turn(0).why());
        passUntil(at("13:30:00"));
        assertEquals(1, world.running.size());
        assertTrue(world.running.values().iterator().next().event().lists("m1"), "it keeps its turn");
    }

    @Test
    void aTurnThatWasMissedMeanwhileTakesNoRoomFromARetriedUnit() {
        groupsOneAfterTheOther(2);
        assertEquals(at("13:30:00"), turn(1).at());
        firstFailsAt(at("13:10:00"));
        passUntil(at("13:31:00"));
        retry(null);
        assertEquals(List.of(at("13:46:00"), at("14:16:00")), turns());
    }

    @Test
    void aRetryOfARunningRolloutIsRefusedIfAUnitThatMakesWayWouldBeTooLate() {
        theFirstOfThreeDomainsFailed(at("23:10:00"));
        List<RolloutUnit> before = units();
        List<EventId> shown = world.shown().stream().map(event -> event.id()).toList();
        int said = world.history.size();
        RefusedException refusal = assertThrows(RefusedException.class, () -> retry(null));
        assertEquals(Problem.CONFLICT, refusal.problem());
        assertTrue(
                refusal.getMessage()
                        .startsWith("host-1 cannot start by 2026-03-01T23:10:00Z, but at 2026-03-01T23:34:30Z"),
                refusal.getMessage());
        world.pass(Duration.ofSeconds(5));
        assertEquals(before, units());
        assertEquals(shown, world.shown().stream().map(event -> event.id()).toList());
        assertEquals(said, world.history.size(), "nobody is told anything");
        assertEquals(Status.RUNNING, rollout().status());
    }

    @Test
    void itIsAcceptedWithALatestStartThatSuitsAll() {
        theFirstOfThreeDomainsFailed(at("23:10:00"));
        assertThrows(RefusedException.class, () -> retry(null));
        retry(at("23:40:00"));
        assertEquals(List.of(at("22:19:00"), at("23:34:30"), at("23:03:00")), turns());
    }
}
