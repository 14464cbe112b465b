package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.ClockReading;
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
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A fleet far larger than one commit of the smallest store. */
// Takes more than 20 s: a large change is interrupted at many of its slices.
class MultipartCommitTest {
    private static final int GROUPS = 700;
    private static final int MACHINES = 3;

    private static final int MANY = 200;
    private static final ServiceTerms ALWAYS_ENABLED = ServiceTerms.AZURE.alwaysEnabled();

    private EngineHarness world = EngineHarness.enabled();

    private static FleetSpec big(String host) {
        List<GroupSpec> groups = new ArrayList<>();
        List<MachineSpec> machines = new ArrayList<>();
        for (int g = 0; g < GROUPS; g++) {
            GroupId group = new GroupId("default", "g" + g);
            groups.add(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, null, null));
            for (int m = 0; m < MACHINES; m++) {
                MachineId id = new MachineId("default", "g" + g + "-" + m);
                machines.add(new MachineSpec(0, id, group, null, null, host, List.of(), "", false, Map.of()));
            }
        }
        return new FleetSpec(groups, machines);
    }

    private CompletableFuture<CommandResult> apply(FleetSpec spec) {
        return world.engine.change(facts -> FleetRules.apply(facts, spec, false), EngineHarness.PERSON, null);
    }

    private void oneTurn() {
        world.engine.turn(new ClockReading(world.now(), world.nanos()));
    }

    private long machinesOn(String host) {
        return world.engine.view().allMachines().stream()
                .filter(m -> m.machine().host().equals(host))
                .count();
    }

    @Test
    void aLargeFleetIsAppliedWholeAndApprovalsPassMeanwhile() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        CompletableFuture<CommandResult> applied = apply(big("h1"));
        oneTurn();
        oneTurn();
        assertFalse(applied.isDone());
        CompletableFuture<CommandResult> approved =
                world.engine.submit(new Command.Approve(null, List.of(id), EngineHarness.PERSON));
        oneTurn();
        assertTrue(approved.isDone());
        assertFalse(applied.isDone());
        assertEquals(0, machinesOn("h1"));
        world.turn();
        assertEquals(GROUPS * (1 + MACHINES), world.ask(applied).changes());
        assertEquals(GROUPS * MACHINES, machinesOn("h1"));
        world.open();
        assertEquals(GROUPS * MACHINES, machinesOn("h1"));
        assertEquals(Phase.STARTED, world.event(id).orElseThrow().phase());
    }

    @Test
    void aCrashAfterAnyNumberOfTurnsLeavesAllOfItOrNothing() {
        world.ask(apply(big("h1")));
        boolean done = false;
        for (int turns = 1; !done; turns += 3) {
            CompletableFuture<CommandResult> applied = apply(big("h2"));
            for (int i = 0; i < turns; i++) {
                oneTurn();
            }
            boolean answered = applied.isDone();
            done = world.engine.isIdle();
            world.open();
            long after = machinesOn("h2");
            assertTrue(after == 0 || after == GROUPS * MACHINES, after + " after " + turns + " turns");
            assertTrue(!answered || after > 0, "answered and then lost");
            assertEquals(GROUPS * MACHINES, machinesOn("h1") + after);
            assertNothingStaged();
            world.ask(apply(big("h1")));
        }
    }

    private void assertNothingStaged() {
        List<String> keys = new ArrayList<>();
        try {
            world.store.scan(MultipartCommit.STAGED, "", 10, (key, value) -> keys.add(key));
            world.store.scan(MultipartCommit.SWITCH, "", 10, (key, value) -> keys.add(key));
        } catch (StoreException impossible) {
            throw new IllegalStateException(impossible);
        }
        assertEquals(List.of(), keys);
    }

    /** The states of groups go on changing while the fleet does. */
    @Test
    void machinesThatMoveInALargeChangeReadHigherIncarnationsAndNoEventIsLost() {
        world = EngineHarness.withWeb(ALWAYS_ENABLED);
        world.ask(apply(big("h1")));
        GroupId from = new GroupId("default", "g0");
        GroupId to = new GroupId("default", "g1");
        world.schedule(Cause.RESTART, "g0-0");
        FleetSpec next = big("h2");
        List<MachineSpec> machines = new ArrayList<>(next.machines());
        machines.set(
                1,
                new MachineSpec(
                        0, EngineHarness.machine("g0-1"), to, null, null, "h2", List.of(), "", false, Map.of()));
        CompletableFuture<CommandResult> applied = apply(new FleetSpec(next.groups(), machines));
        oneTurn();
        oneTurn();
        assertFalse(applied.isDone());
        for (String machine : List.of("g1-0", "g0-2")) {
            world.engine.submit(new Command.Schedule(
                    Cause.RESTART, List.of(EngineHarness.machine(machine)), null, null, EngineHarness.PERSON));
        }
        while (!applied.isDone()) {
            oneTurn();
        }
        world.engine.submit(new Command.Schedule(
                Cause.RESTART, List.of(EngineHarness.machine("g1-2")), null, null, EngineHarness.PERSON));
        world.turn();
        for (int i = 0; i < 2; i++) {
            PublishedState view = world.engine.view();
            assertEquals(
                    to,
                    view.machine(EngineHarness.machine("g0-1")).orElseThrow().group());
            assertEquals(2, view.state(from).events().size());
            assertEquals(3, view.state(from).incarnation());
            assertEquals(2, view.state(to).events().size());
            assertEquals(5, view.state(to).incarnation());
            world.open();
        }
    }

    /** So do the conditions of machines. */
    @Test
    void machinesThatComeInALargeChangeKeepWhatHappenedToThemMeanwhile() {
        world = EngineHarness.withWeb(ALWAYS_ENABLED);
        world.ask(apply(big("h1")));
        MachineId resident = EngineHarness.machine("resident");
        GroupId group = new GroupId("default", "g0");
        world.ask(apply(new FleetSpec(
                List.of(), List.of(new MachineSpec(0, resident, group, 1, 0, "h2", List.of(), "", false, Map.of())))));
        RolloutTarget hosts = new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("h2"));
        RolloutSpec spec = RolloutSpec.of("os", Cause.HOST_REBOOT, hosts)
                .withEvacuation(true)
                .with(b -> b.at = world.now().plus(Duration.ofDays(1)));
        world.ask(world.engine.roll(spec, EngineHarness.PERSON, null));
        CompletableFuture<CommandResult> applied = apply(big("h2"));
        oneTurn();
        oneTurn();
        assertFalse(applied.isDone());
        world.engine.submit(new Command.Schedule(
                Cause.FAILURE, List.of(EngineHarness.machine("g0-0")), null, null, EngineHarness.PERSON));
        while (!applied.isDone()) {
            oneTurn();
        }
        for (int i = 0; i < 2; i++) {
            world.turn();
            for (int machine = 0; machine < MACHINES; machine++) {
                MachineCondition condition = world.engine.view().condition(EngineHarness.machine("g0-" + machine));
                assertEquals(world.now(), condition.arrived());
                assertEquals(
                        machine == 0 ? MachineCondition.State.BROKEN_DOWN : MachineCondition.State.RUNNING,
                        condition.state());
            }
            world.open();
        }
    }

    /** Machines change groups, hosts, addresses and listeners; some swap them, some go. */
    @Test
    void afterALargeChangeEveryIndexSaysWhatTheFleetSays() {
        for (int round = 0; round < 3; round++) {
            FleetSpec next = shuffled(round);
            boolean prune = round == 2;
            world.ask(world.engine.change(facts -> FleetRules.apply(facts, next, prune), EngineHarness.PERSON, null));
            world.turn();
            SortedMap<String, String> indexed = indexed();
            assertEquals(told(), indexed);
            long bytes = world.engine.view().fleetBytes();
            long used = world.engine.view().used("default", Quota.MACHINES);
            assertEquals(world.engine.view().allMachines().size(), used);
            world.open();
            assertEquals(indexed, indexed(), "after a restart");
            assertEquals(bytes, world.engine.view().fleetBytes());
        }
        assertEquals(
                GROUPS * MACHINES * 2 / 3, world.engine.view().allMachines().size());
    }

    /** In each round the machines have what others had before; in the last, a third is missing. */
    private static FleetSpec shuffled(int round) {
        List<GroupSpec> groups = new ArrayList<>();
        List<MachineSpec> machines = new ArrayList<>();
        for (int g = 0; g < GROUPS; g++) {
            GroupId group = new GroupId("default", "g" + g);
            groups.add(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, null, null));
            for (int m = 0; m < MACHINES; m++) {
                int number = g * MACHINES + m;
                int other = (number + 7 * round) % (GROUPS * MACHINES);
                MachineId id = new MachineId("default", "x" + other);
                String address = "10." + (number >> 8) + "." + (number & 255) + ".1";
                String listen = number % 5 == 0 ? "127.0.0.1:" + (10_000 + number) : "";
                if (round < 2 || number % 3 != 0) {
                    machines.add(new MachineSpec(
                            0, id, group, null, null, "h" + number % 70, List.of(address), listen, false, Map.of()));
                }
            }
        }
        return new FleetSpec(groups, machines);
    }

    /** What the machines say. */
    private SortedMap<String, String> told() {
        SortedMap<String, String> all = new TreeMap<>();
        for (MachineView view : world.engine.view().allMachines()) {
            Machine machine = view.machine();
            machine.addresses().forEach(address -> all.put(address, machine.name()));
            if (!machine.listen().isEmpty()) {
                all.put(machine.listen(), machine.name());
            }
            all.put(machine.host() + " " + machine.name(), "");
            all.put("group of " + machine.name(), view.group().id().name());
        }
        return all;
    }

    /** What the indexes say. */
    private SortedMap<String, String> indexed() {
        SortedMap<String, String> all = new TreeMap<>();
        PublishedState view = world.engine.view();
        for (int number = 0; number < GROUPS * MACHINES; number++) {
            String address = "10." + (number >> 8) + "." + (number & 255) + ".1";
            view.atAddress(address).ifPresent(id -> all.put(address, id.name()));
        }
        for (String listen : view.listeners()) {
            all.put(listen, view.atListener(listen).orElseThrow().name());
        }
        for (String host : view.hosts()) {
            view.machinesOn(host).forEach(id -> all.put(host + " " + id.name(), ""));
        }
        for (GroupId group : view.groups()) {
            view.machines(group).forEach(machine -> all.put("group of " + machine.name(), group.name()));
        }
        return all;
    }

    @Test
    void aStoreThatRejectsHalfWayRefusesTheWholeAndSweeps() {
        CompletableFuture<CommandResult> applied = apply(big("h1"));
        oneTurn();
        oneTurn();
        world.store.fail(SimulatedStore.Fault.REJECTED);
        world.turn();
        world.pass(Duration.ofSeconds(2));
        assertTrue(applied.isCompletedExceptionally());
        assertEquals(0, machinesOn("h1"));
        assertNothingStaged();
        assertNotNull(world.ask(apply(big("h1"))));
    }

    @Test
    void aSecondChangeWaitsForTheFirst() {
        CompletableFuture<CommandResult> first = apply(big("h1"));
        CompletableFuture<CommandResult> second = apply(big("h2"));
        world.turn();
        assertNotNull(world.ask(first));
        assertNotNull(world.ask(second));
        assertEquals(GROUPS * MACHINES, machinesOn("h2"));
        world.open();
        assertEquals(GROUPS * MACHINES, machinesOn("h2"));
    }

    @Test
    void aMachineThatGotAnEventMeanwhileIsNotRemoved() {
        world.ask(apply(big("h1")));
        FleetSpec nothing = new FleetSpec(List.of(new GroupSpec(0, EngineHarness.WEB, null, null, null)), List.of());
        CompletableFuture<CommandResult> pruned =
                world.engine.change(facts -> FleetRules.apply(facts, nothing, true), EngineHarness.PERSON, null);
        oneTurn();
        oneTurn();
        EventId id = world.schedule(Cause.RESTART, "g7-1");
        world.turn();
        assertTrue(pruned.isCompletedExceptionally());
        assertEquals(GROUPS * MACHINES, machinesOn("h1"));
        assertTrue(world.event(id).isPresent());
        assertNothingStaged();
    }

    @Test
    void waitingCommandsAreAnsweredWhenTheEngineStops() {
        CompletableFuture<CommandResult> first = apply(big("h1"));
        CompletableFuture<CommandResult> second = apply(big("h2"));
        oneTurn();
        oneTurn();
        world.store.fail(SimulatedStore.Fault.REJECTED);
        oneTurn();
        world.engine.close(new ClockReading(world.now(), world.nanos()));
        assertTrue(first.isDone());
        assertTrue(second.isDone());
    }

    /** It may have been switched: whoever takes over finds all of it there. */
    @Test
    void anUncertainCommandIsNotReportedAsNotExecutedAfterATakeover() {
        CompletableFuture<CommandResult> applied = apply(big("h1"));
        while (!isAboutToSwitch()) {
            oneTurn();
        }
        world.store.fail(SimulatedStore.Fault.KEPT);
        world.store.failRecoveries(Integer.MAX_VALUE);
        oneTurn();
        assertFalse(applied.isDone());
        world.engine.fence("another node writes now");
        RefusedException told = assertThrows(RefusedException.class, () -> world.ask(applied));
        assertEquals(Problem.OUTCOME_UNKNOWN, told.problem(), told.getMessage());
        world.open();
        assertEquals(GROUPS * MACHINES, machinesOn("h1"));
    }

    @Test
    void aRejectedSwitchSweepsOnlyWhatWasStaged() {
        CompletableFuture<CommandResult> applied = apply(big("h1"));
        while (!applied.isDone()) {
            if (isAboutToSwitch()) {
                world.store.fail(SimulatedStore.Fault.REJECTED);
            }
            oneTurn();
        }
        assertTrue(applied.isCompletedExceptionally());
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.pass(Duration.ofSeconds(5));
        assertNothingStaged();
        assertTrue(world.log().stream().anyMatch(e -> id.equals(e.event())));
    }

    /** All chunks are staged: the next slice is the switch. */
    private boolean isAboutToSwitch() {
        int[] staged = {0};
        try {
            world.store.scan(MultipartCommit.STAGED, "", Integer.MAX_VALUE, (key, value) -> staged[0]++);
        } catch (StoreException impossible) {
            throw new IllegalStateException(impossible);
        }
        return staged[0] == GROUPS;
    }

    /** One host that carries a machine of each of many groups: its work changes more at once than a commit holds. */
    private void oneHostOfManyGroups() {
        world = new EngineHarness(ALWAYS_ENABLED, 1, 0);
        List<GroupSpec> groups = new ArrayList<>();
        List<MachineSpec> machines = new ArrayList<>();
        for (int g = 0; g < MANY; g++) {
            GroupId group = new GroupId("default", "g" + g);
            groups.add(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, null, null));
            MachineId id = new MachineId("default", "g" + g + "-0");
            machines.add(new MachineSpec(0, id, group, null, null, "h", List.of(), "", false, Map.of()));
        }
        world.ask(apply(new FleetSpec(groups, machines)));
    }

    private void roll() {
        RolloutTarget host = new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("h"));
        world.engine.roll(RolloutSpec.of("os", Cause.HOST_REBOOT, host), EngineHarness.PERSON, null);
    }

    private long in(Phase phase) {
        return world.engine.view().allGroups().stream()
                .flatMap(g -> g.state().events().stream())
                .filter(e -> e.phase() == phase)
                .count();
    }

    @Test
    void workOnAHostOfManyGroupsIsScheduledStartedAndEndedTogether() {
        oneHostOfManyGroups();
        roll();
        world.turn();
        assertEquals(MANY, in(Phase.SCHEDULED));
        assertNothingStaged();
        world.pass(Duration.ofMinutes(15));
        assertEquals(MANY, in(Phase.STARTED));
        assertEquals(1, world.running.size(), "the driver is told once");
        world.report(List.copyOf(world.running.keySet()).get(0), DriverReport.DONE);
        assertEquals(0, in(Phase.STARTED));
        assertEquals(
                Rollout.Status.DONE,
                world.engine.view().rollout("os").orElseThrow().status());
        world.open();
        assertEquals(
                Rollout.Status.DONE,
                world.engine.view().rollout("os").orElseThrow().status());
        assertNothingStaged();
    }

    @Test
    void aCrashAfterAnyTurnLeavesAllEventsOfAUnitOrNone() {
        for (int turns = 1; turns < 14; turns++) {
            oneHostOfManyGroups();
            roll();
            for (int i = 0; i < turns; i++) {
                oneTurn();
            }
            world.open();
            assertEquals(MANY, in(Phase.SCHEDULED), "after " + turns + " turns");
            assertNothingStaged();
        }
    }

    @Test
    void whileALargeChangeIsAloneOthersAreAnsweredAfterItOrRefused() {
        oneHostOfManyGroups();
        roll();
        oneTurn();
        oneTurn();
        oneTurn();
        CompletableFuture<CommandResult> asked =
                world.engine.submit(new Command.Enable(new GroupId("default", "g7"), EngineHarness.PERSON));
        world.store.fail(SimulatedStore.Fault.REJECTED);
        world.turn();
        world.pass(Duration.ofSeconds(5));
        assertTrue(asked.isDone());
        assertEquals(MANY, in(Phase.SCHEDULED), "what the service itself wants is tried again");
    }
}
