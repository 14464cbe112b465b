package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
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
import java.util.Map;
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
    void norPreemptMachinesThen() {
        place(spot("s1", 2), spot("s2", 2));
        start(work());
        Instant due = turn(0).at();
        passUntil(due.minus(MINUTE));
        asks(Cause.PREEMPT, "s1");
        passUntil(due);
        RefusedException refusal = assertThrows(RefusedException.class, () -> asks(Cause.PREEMPT, "s2"));
        assertTrue(refusal.getMessage().contains("would wait for the preemption"), refusal.getMessage());
        world.schedule(Cause.PREEMPT, "s2");
    }

    private static MachineSpec spot(String name, int domain) {
        return new MachineSpec(
                0,
                EngineHarness.machine(name),
                EngineHarness.WEB,
                domain,
                0,
                "host-" + name,
                List.of(),
                "",
                true,
                Map.of());
    }

    /** On host-1, each a group of its own that does not poll. */
    private List<GroupId> silentGroups(int count) {
        List<GroupId> silent = IntStream.range(0, count)
                .mapToObj(i -> new GroupId("evil", "g" + i))
                .toList();
        List<GroupSpec> groups = silent.stream()
                .map(id -> new GroupSpec(0, id, GroupKind.AVAILABILITY_SET, 1, 1))
                .toList();
        List<MachineSpec> machines = silent.stream()
                .map(id -> new MachineSpec(
                        0, new MachineId("evil", id.name()), id, 0, 0, "host-1", List.of(), "", false, Map.of()))
                .toList();
        FleetSpec fleet = new FleetSpec(groups, machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        return silent;
    }

    @Test
    void aTenantsGroupsThatBeginToPollOneAfterTheOtherDelayTheWorkOnce() {
        List<GroupId> silent = silentGroups(3);
        start(work());
        Instant due = turn(0).at();
        passUntil(due.minus(MINUTE));
        world.poll(silent.get(0), "g0");
        Instant moved = turn(0).at();
        assertEquals(world.now().plus(NOTICE), moved);
        assertEquals("a group began to poll", turn(0).why());
        passUntil(moved.minus(MINUTE));
        world.poll(silent.get(1), "g1");
        assertEquals(moved, turn(0).at());
        assertEquals(moved, only(silent.get(1)).noticePeriod().notBefore(), "it is shown the date that there is");
        passUntil(moved);
        assertEquals(Phase.STARTED, only(DB).phase());
    }

    @Test
    void moreNoticeForOneGroupAfterTheOtherDelaysTheWorkOnce() {
        List<GroupId> silent = silentGroups(2);
        world.poll(silent.get(0), "g0");
        world.poll(silent.get(1), "g1");
        start(work().with(b -> b.at = world.now().plus(Duration.ofHours(9))));
        Instant due = turn(0).at();
        passUntil(due.minus(Duration.ofHours(1)));
        notice(silent.get(0));
        Instant moved = turn(0).at();
        assertEquals(world.now().plus(Duration.ofDays(2)), moved);
        assertEquals(due, turn(0).due());
        assertEquals("its machines get their notice", turn(0).why());
        passUntil(moved.minus(Duration.ofHours(1)));
        notice(silent.get(1));
        assertEquals(moved, turn(0).at());
        passUntil(moved);
        assertEquals(Phase.STARTED, only(DB).phase());
    }

    private void notice(GroupId group) {
        Scope scope = new Scope(group.tenant(), group.name(), null);
        Duration notice = Duration.ofDays(2);
        world.ask(new Command.SetPolicy(
                new Policy(scope, notice, null, null, null, null, null, null, null, null, null), OWNER));
        world.pass(Duration.ZERO);
    }

    private static MachineSpec tagged(String name, int domain, String tag) {
        return new MachineSpec(
                0,
                EngineHarness.machine(name),
                EngineHarness.WEB,
                domain,
                0,
                "host-" + name,
                List.of(),
                "",
                false,
                Map.of("os", tag));
    }

    @Test
    void aMachineDoesNotLeaveTheWorkAndComeBackOnceItIsDue() {
        place(tagged("a", 0, "old"), tagged("c", 1, "old"));
        start(spec("os", RolloutTarget.Kind.TAG, "os=old"));
        passUntil(turn(0).at());
        done();
        world.poll(EngineHarness.WEB, "a");
        Instant due = turn(1).at();
        passUntil(due.minus(MINUTE));
        owner(tagged("c", 1, ""));
        owner(tagged("c", 1, "old"));
        passUntil(due.plus(MINUTE));
        RefusedException refusal = refusedToOwner(tagged("c", 1, ""));
        assertTrue(refusal.getMessage().contains("cannot leave default/web#1"), refusal.getMessage());
        refusedToOwner(tagged("c", 2, "old"));
        passUntil(due.plus(NOTICE));
        assertEquals(1, world.running.size());
    }

    @Test
    void aMachineThatComesToADomainWhenItIsDoneStaysThereUntilItIsWorkedOn() {
        place(tagged("a", 0, "old"), tagged("c", 1, "old"));
        start(spec("os", RolloutTarget.Kind.TAG, "os=old"));
        passUntil(turn(0).at());
        done();
        world.poll(EngineHarness.WEB, "a");
        Instant due = turn(1).at();
        passUntil(due.minus(MINUTE));
        owner(tagged("c", 0, "old"));
        passUntil(due.plus(MINUTE));
        assertEquals(RolloutUnit.State.OPEN, unit(0).state());
        RefusedException refusal = refusedToOwner(tagged("c", 1, "old"));
        assertTrue(refusal.getMessage().contains("cannot leave default/web#0"), refusal.getMessage());
        passUntil(turn(0).at());
        done();
        assertTrue(rollout().isOver());
    }

    @Test
    void aMachineThatComesToAShownUnitMovesThatUnitAndNoOther() {
        place(DB, "x", 0, "host-4");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-4").withNotice(Duration.ofHours(3)));
        Instant shown = turn(0).at();
        RolloutSpec later = spec("later", RolloutTarget.Kind.HOSTS, "host-2")
                .with(b -> b.at = shown.plus(Duration.ofMinutes(10)))
                .with(b -> b.until = shown.plus(Duration.ofMinutes(20)));
        start(later);
        place(EngineHarness.WEB, "n", 0, "host-4");
        assertEquals(shown.plus(Duration.ofMinutes(10 + 5 + 30)), turn(0).at());
        assertEquals(turn(0).at(), only(DB).noticePeriod().notBefore());
        passUntil(shown.plus(Duration.ofMinutes(10)));
        assertEquals(1, world.running.size());
        assertEquals(
                Status.RUNNING,
                world.engine.view().rollout("later").orElseThrow().status());
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
