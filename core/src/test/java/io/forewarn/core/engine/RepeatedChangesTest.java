package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rules.BlockedUnit;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one owner does again and again does not hold the work on a host that others share. */
class RepeatedChangesTest extends RolloutFixture {
    private static final Actor OWNER = Actor.owner("shop-team", "127.0.0.1");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** On host-1 are web's a and b of update domain 0, and db's d; web's c and e of domain 1 are elsewhere. */
    @BeforeEach
    void fleet() {
        apply(
                3,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 0, "host-1"),
                        machine(EngineHarness.WEB, "c", 1, "host-2"),
                        machine(EngineHarness.WEB, "e", 1, "host-3"),
                        machine(DB, "d", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        world.poll(DB, "d");
    }

    private static RolloutSpec work() {
        return spec("os", RolloutTarget.Kind.HOSTS, "host-1");
    }

    private void owner(MachineSpec... machines) {
        FleetSpec spec = new FleetSpec(List.of(), List.of(machines));
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, spec, false), OWNER, null));
    }

    private RefusedException refusedToOwner(MachineSpec... machines) {
        return assertThrows(RefusedException.class, () -> owner(machines));
    }

    private EventId asks(Cause cause, String machine) {
        return world.ask(new Command.Schedule(cause, List.of(EngineHarness.machine(machine)), null, null, OWNER))
                .events()
                .get(0);
    }

    @Test
    void noMachineChangesItsUpdateDomainOnceTheWorkIsDue() {
        start(work());
        Instant due = turn(0).at();
        passUntil(due.minus(MINUTE));
        owner(machine(EngineHarness.WEB, "a", 2, "host-9"), machine(EngineHarness.WEB, "b", 2, "host-1"));
        Instant moved = turn(0).at();
        assertEquals(world.now().plus(NOTICE), moved);
        assertEquals(due, turn(0).due());
        passUntil(due);
        RefusedException refusal = refusedToOwner(machine(EngineHarness.WEB, "b", 0, "host-1"));
        assertTrue(refusal.getMessage().contains("is due there"), refusal.getMessage());
        passUntil(moved);
        assertEquals(1, world.running.size());
    }

    @Test
    void aSecondUpdateDomainOnTheHostCostsNobodyHisEvents() {
        start(work());
        EventId shown = only(DB).id();
        RefusedException refusal = refusedToOwner(machine(EngineHarness.WEB, "b", 1, "host-1"));
        assertTrue(refusal.getMessage().contains("update domain 0 is on it"), refusal.getMessage());
        assertEquals(shown, only(DB).id());
        place(EngineHarness.WEB, "b", 1, "host-1");
        assertEquals(Status.HALTED, rollout().status(), "an operator may do that");
    }

    @Test
    void beforeAnybodyIsShownItsEventAHostThatMayBeEvacuatedCanGetASecondDomain() {
        start(work().withEvacuation(true).with(b -> b.at = world.now().plus(Duration.ofHours(9))));
        owner(machine(EngineHarness.WEB, "b", 1, "host-1"));
        assertEquals(1, turn(0).evacuations().size());
        passUntil(turn(0).next().minus(Duration.ofMinutes(5)));
        refusedToOwner(machine(EngineHarness.WEB, "c", 2, "host-1"));
    }

    @Test
    void restartsInAnotherUpdateDomainAfterTheWorkIsDueDoNotHoldIt() {
        start(work());
        passUntil(turn(0).at().minus(MINUTE));
        EventId first = asks(Cause.RESTART, "c");
        world.ask(new Command.Approve(null, List.of(first), OWNER));
        passUntil(turn(0).at());
        assertEquals(List.of(first), List.copyOf(world.running.keySet()), "that one came before");
        EventId second = asks(Cause.RESTART, "e");
        world.ask(new Command.Approve(null, List.of(second), OWNER));
        world.running.remove(first);
        world.report(first, DriverReport.DONE);
        assertEquals(2, world.running.size(), "the second, and the work on the host");
    }

    @Test
    void ownersReportNoFailureOnceTheWorkIsDue() {
        start(work());
        Instant due = turn(0).at();
        passUntil(due.minus(MINUTE));
        EventId failure = asks(Cause.FAILURE, "b");
        passUntil(due);
        RefusedException refusal = assertThrows(RefusedException.class, () -> asks(Cause.FAILURE, "c"));
        assertEquals(Problem.CONFLICT, refusal.problem());
        world.schedule(Cause.FAILURE, "c");
        assertTrue(world.running.containsKey(failure));
    }

    @Test
    void freezesLeaveRoomForRolloutsAndRolloutsForOwners() {
        for (int i = 0; i < 160; i++) {
            world.schedule(Cause.FREEZE, "c", Duration.ofDays(7));
        }
        RefusedException refusal =
                assertThrows(RefusedException.class, () -> world.schedule(Cause.FREEZE, "e", Duration.ofDays(7)));
        assertEquals(Problem.LIMIT_EXCEEDED, refusal.problem());
        start(work());
        passUntil(turn(0).at());
        assertEquals(1, world.running.size());
    }

    @Test
    void aUnitForWhichThereIsNoRoomSaysSo() {
        for (int i = 0; i < 160; i++) {
            world.schedule(Cause.FREEZE, "c", Duration.ofDays(7));
        }
        for (int i = 0; i < 21; i++) {
            place(EngineHarness.WEB, "more" + i, 2, "host-" + (10 + i));
        }
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").withNotice(Duration.ofDays(2)));
        world.pass(Duration.ofHours(2));
        List<Integer> units = IntStream.range(0, rollout().units())
                .filter(number -> unit(number).state() == RolloutUnit.State.PENDING)
                .boxed()
                .toList();
        List<BlockedUnit> blocked =
                world.engine.rules().blockedUnits(world.engine.view(), new Command.Roll("os", units), world.now());
        assertTrue(
                blocked.stream().anyMatch(unit -> unit.why().contains("has as many open events as it may")),
                blocked.toString());
    }
}
