package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who has delayed a unit past its original turn does not delay it again by asking for more notice; others still get theirs. */
class NoticeOfDelayedUnitsTest extends RolloutFixture {
    private static final Actor OWNER = Actor.owner("shop-team", "127.0.0.1");
    private static final GroupId CORE = new GroupId("bank", "core");
    private static final GroupId EDGE = new GroupId("bank", "edge");
    private static final Instant TURN = at("14:00");

    /** Web, and two groups of another tenant, share one host. What owners ask for takes 40 minutes. */
    @BeforeEach
    void threeGroupsOnOneHost() {
        world.durations.put(Cause.RESTART, Duration.ofMinutes(40));
        List<GroupSpec> groups = List.of(
                new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 1, 2),
                new GroupSpec(0, CORE, GroupKind.AVAILABILITY_SET, 1, 2),
                new GroupSpec(0, EDGE, GroupKind.AVAILABILITY_SET, 1, 2));
        List<MachineSpec> machines = List.of(
                machine(EngineHarness.WEB, "w", 0, "host-0"),
                machine(CORE, "c", 0, "host-0"),
                machine(EDGE, "e", 0, "host-0"));
        FleetSpec fleet = new FleetSpec(groups, machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0").with(b -> b.at = TURN));
        assertEquals(TURN, turn(0).at());
    }

    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + ":00Z");
    }

    private void notice(GroupId group, Duration notice) {
        Scope scope = new Scope(group.tenant(), group.name(), null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, notice, null, null, null, null, null, null, null, null, null), OWNER));
    }

    /** Nobody of the machine's group asks, so that it is restarted at once. */
    private EventId restart(GroupId group, String machine) {
        MachineId id = new MachineId(group.tenant(), machine);
        EventId restart = world.ask(new Command.Schedule(Cause.RESTART, List.of(id), null, null, OWNER))
                .events()
                .get(0);
        assertEquals(Phase.STARTED, world.event(restart).orElseThrow().phase());
        return restart;
    }

    /** A restart that begins then has the unit start 40 minutes later; it is over earlier. */
    private void delayed(GroupId group, String machine, String begins) {
        passUntil(at(begins));
        EventId restart = restart(group, machine);
        passUntil(at("14:00"));
        assertEquals(at(begins).plus(Duration.ofMinutes(40)), turn(0).at());
        world.running.remove(restart);
        world.report(restart, DriverReport.DONE);
    }

    private Instant date(GroupId group) {
        return only(group).noticePeriod().notBefore();
    }

    @Test
    void aLongerNoticeDoesNotMoveAUnitAgainThatOwnersDelayedPastItsTurn() {
        delayed(EngineHarness.WEB, "w", "13:50");
        notice(CORE, Duration.ofHours(2));
        passUntil(at("14:05"));
        world.poll(CORE, "c");
        assertEquals(at("14:30"), date(CORE), "it is shown at once, with what is left");
        assertEquals(at("14:30"), turn(0).at());
        passUntil(at("14:30"));
        assertEquals(1, rollout().started());
    }

    @Test
    void aLongerNoticeOfAGroupThatPollsDoesNotMoveItEither() {
        world.poll(CORE, "c");
        delayed(EngineHarness.WEB, "w", "13:40");
        assertEquals(List.of(), open(CORE), "shown at 14:05");
        passUntil(at("14:01"));
        notice(CORE, Duration.ofHours(2));
        world.pass(Duration.ofSeconds(2));
        assertEquals(at("14:20"), date(CORE), "it is shown at once, with what is left");
        assertEquals(at("14:20"), turn(0).at());
        passUntil(at("14:20"));
        assertEquals(1, rollout().started());
    }

    @Test
    void aGroupThatBeginsToPollGetsTheLeastNoticeOfTheServiceThen() {
        delayed(EngineHarness.WEB, "w", "13:50");
        notice(CORE, Duration.ofHours(2));
        passUntil(at("14:24"));
        world.poll(CORE, "c");
        assertEquals(at("14:39"), date(CORE), "15 minutes");
        assertEquals(at("14:39"), turn(0).at());
        passUntil(at("14:39"));
        assertEquals(1, rollout().started());
    }

    @Test
    void aLongerNoticeMovesAUnitBeforeItsOriginalTurn() {
        world.poll(CORE, "c");
        passUntil(at("13:30"));
        restart(EngineHarness.WEB, "w");
        passUntil(at("13:40"));
        notice(CORE, Duration.ofHours(2));
        world.pass(Duration.ofSeconds(2));
        assertEquals(at("15:40"), turn(0).at());
        assertEquals(at("15:40"), date(CORE));
    }

    @Test
    void itDoesSoToAUnitThatWasMovedBeforeItsOriginalTurn() {
        world.poll(EDGE, "e");
        passUntil(at("13:58"));
        place(EDGE, "more", 0, "host-0");
        assertEquals(at("14:13"), turn(0).at(), "15 minutes for the machine that came");
        notice(CORE, Duration.ofHours(2));
        passUntil(at("13:59"));
        world.poll(CORE, "c");
        assertEquals(at("15:59"), turn(0).at());
        assertEquals(at("15:59"), date(CORE));
    }

    @Test
    void aTenantGetsItsNoticeThoughAnotherDelayedTheUnit() {
        world.poll(CORE, "c");
        delayed(EngineHarness.WEB, "w", "13:44");
        passUntil(at("14:22"));
        assertEquals(at("14:24"), date(CORE));
        world.poll(EDGE, "e");
        assertEquals(at("14:37"), date(EDGE), "15 minutes");
        assertEquals(at("14:37"), date(CORE));
        assertEquals(at("14:37"), turn(0).at());
        passUntil(at("14:37"));
        assertEquals(1, rollout().started());
    }

    @Test
    void aTenantThatDelayedTheUnitItselfDoesNotMoveItAgain() {
        delayed(CORE, "c", "13:44");
        passUntil(at("14:05"));
        world.poll(CORE, "c");
        passUntil(at("14:22"));
        assertEquals(at("14:24"), date(CORE));
        world.poll(EDGE, "e");
        assertEquals(at("14:24"), date(EDGE));
        assertEquals(at("14:24"), turn(0).at());
        passUntil(at("14:24"));
        assertEquals(1, rollout().started());
    }

    @Test
    void norDoesItWhenAnotherTenantMovedItMeanwhile() {
        delayed(CORE, "c", "13:44");
        passUntil(at("14:05"));
        world.poll(CORE, "c");
        passUntil(at("14:22"));
        world.poll(EngineHarness.WEB, "w");
        assertEquals(at("14:37"), date(EngineHarness.WEB), "its tenant has not delayed it");
        passUntil(at("14:35"));
        world.poll(EDGE, "e");
        assertEquals(at("14:37"), date(EDGE));
        assertEquals(at("14:37"), turn(0).at());
    }
}
