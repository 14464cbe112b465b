package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Machines that change hosts: while they are moved, before their turn, and back again. */
class MovedMachinesTest extends RolloutFixture {
    private static RolloutSpec oneByOne(boolean evacuate, Instant selfServiceUntil) {
        RolloutSpec all = spec("os", RolloutTarget.Kind.HOSTS, "*");
        return all.withRecovery(Duration.ZERO)
                .withAtOnce(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1))
                .withEvacuation(evacuate)
                .withSelfServiceUntil(selfServiceUntil);
    }

    /** The machines of each unit of work, in the order they are done. */
    private List<List<String>> works() {
        List<List<String>> works = new ArrayList<>();
        for (int i = 0; i < 20 && !rollout().isOver(); i++) {
            world.pass(Duration.ofHours(1));
            world.running
                    .values()
                    .forEach(task -> works.add(
                            task.machines().stream().map(Machine::name).sorted().toList()));
            done();
        }
        assertEquals(Status.DONE, rollout().status());
        return works;
    }

    private void twoDomainsOnTheFirstHost() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 1, "host-1"),
                        machine(EngineHarness.WEB, "c", 0, "host-2")));
    }

    @Test
    void workOnAHostWaitsUntilAMoveOffItByAnOwnerIsOver() {
        apply(1, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(DB, "d", 0, "host-1")));
        Instant until = world.now().plus(Duration.ofHours(1));
        start(oneByOne(false, until));
        passUntil(until.minusSeconds(60));
        EventId move = world.schedule(Cause.REDEPLOY, "a");
        passUntil(until.plusSeconds(60));
        assertEquals(Set.of(move), world.running.keySet(), "a is still on the host, and might stay there");
        world.running.clear();
        world.report(move, DriverReport.FAILED);
        world.pass(Duration.ofMinutes(1));
        assertEquals(List.of(List.of("a", "d")), works());
    }

    @Test
    void aMachineWhoseNewHostIsKnownBeforeItsMoveIsOverIsInTheWorkOfThatHost() {
        twoDomainsOnTheFirstHost();
        start(oneByOne(true, null));
        assertEquals(List.of("b"), only(EngineHarness.WEB).resources());
        place(EngineHarness.WEB, "b", 1, "host-2");
        done();
        assertEquals(List.of(List.of("a"), List.of("b"), List.of("c")), works());
    }

    @Test
    void aHostThatGetsASecondDomainMovesNoOtherHost() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 0, "host-2"),
                        machine(EngineHarness.WEB, "c", 1, "host-3")));
        world.poll(EngineHarness.WEB, "a");
        Instant begins = world.now().plus(Duration.ofHours(2));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1", "host-2").with(b -> b.at = begins));
        assertEquals(List.of(begins, begins), List.of(turn(0).at(), turn(1).at()));
        place(EngineHarness.WEB, "c", 1, "host-1");
        passUntil(begins);
        assertEquals(begins, turn(1).at());
        assertEquals(List.of("b"), only(EngineHarness.WEB).resources());
        assertEquals(1, world.running.size());
    }

    @Test
    void aHostThatCannotBeWorkedOnKeepsNoOtherWaitingInAnyOfItsGroups() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 0, "host-2")));
        GroupId cache = new GroupId("default", "cache");
        FleetSpec spec = new FleetSpec(
                List.of(new FleetSpec.GroupSpec(0, cache, GroupKind.AVAILABILITY_SET, 2, 2)),
                List.of(machine(cache, "d", 0, "host-1"), machine(cache, "e", 1, "host-9")));
        world.ask(world.engine.change(state -> FleetRules.apply(state, spec, false), EngineHarness.PERSON, null));
        Instant begins = world.now().plus(Duration.ofHours(2));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1", "host-2").with(b -> b.at = begins));
        place(cache, "e", 1, "host-1");
        place(EngineHarness.WEB, "b", 1, "host-2");
        passUntil(begins);
        done();
        assertEquals(Status.HALTED, rollout().status());
        assertEquals(1, rollout().done(), "host-2 does not wait for group web on host-1");
    }

    @Test
    void aHostWhoseGroupsHaveNoCommonWindowKeepsNoOtherWaiting() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(DB, "d", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 0, "host-2")));
        world.poll(EngineHarness.WEB, "a");
        Instant begins = world.now().plus(Duration.ofHours(2));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1", "host-2").with(b -> b.at = begins));
        policy(EngineHarness.WEB, 14);
        policy(DB, 20);
        passUntil(begins.minus(Duration.ofMinutes(20)));
        place(EngineHarness.WEB, "b", 1, "host-2");
        for (int i = 0; i < 200 && rollout().status() == Status.RUNNING; i++) {
            world.pass(Duration.ofMinutes(15));
            world.poll(EngineHarness.WEB, "a");
            done();
        }
        assertEquals(Status.HALTED, rollout().status());
        assertEquals(1, rollout().done());
    }

    @Test
    void anEvacuationThatIsShownStaysTheFirstThoughAnotherDomainComes() {
        twoDomainsOnTheFirstHost();
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1").withEvacuation(true));
        assertEquals(List.of("b"), only(EngineHarness.WEB).resources());
        place(EngineHarness.WEB, "c", 0, "host-1");
        place(EngineHarness.WEB, "a", 0, "host-9");
        EventId evacuation = only(EngineHarness.WEB).id();
        PostponementLimit once = new PostponementLimit(1, Duration.ofHours(2));
        world.ask(new Command.SetPolicy(
                new Policy(
                        new Scope("default", "web", null), null, null, null, null, null, null, once, null, null, null),
                EngineHarness.PERSON));
        world.ask(new Command.Postpone(null, evacuation, null, Duration.ofHours(1), EngineHarness.PERSON));
        passUntil(turn(0).next());
        assertEquals(evacuation, only(EngineHarness.WEB).id());
        assertTrue(
                world.history.stream()
                        .filter(entry -> entry.what().equals(HistoryEntry.What.ROLLOUT_MOVED.name()))
                        .noneMatch(entry -> entry.machines().contains("b")),
                "b is moved by the evacuation, not worked on after it");
    }

    @Test
    void theWorkOnAHostComesAfterItsRetriedEvacuation() {
        twoDomainsOnTheFirstHost();
        world.poll(EngineHarness.WEB, "a");
        start(oneByOne(true, null));
        world.pass(Duration.ofMinutes(10));
        EventId moving = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(moving, DriverReport.FAILED);
        world.pass(Duration.ofHours(5));
        world.ask(new Command.ResumeRollout("os", true, EngineHarness.PERSON));
        Instant evacuated = turn(0).next();
        assertTrue(evacuated.isAfter(world.now()), "evacuated at " + evacuated);
        assertTrue(turn(0).at().isAfter(evacuated), "worked on at " + turn(0).at());
        assertTrue(
                world.history.stream()
                        .anyMatch(entry -> entry.what().equals(HistoryEntry.What.ROLLOUT_MOVED.name())
                                && entry.machines().equals(List.of("b"))
                                && evacuated.equals(entry.notBefore())),
                "its owner is told");
    }

    @Test
    void aMachineThatWasEvacuatedStaysAwayThoughItsOwnerMovesItAgain() {
        twoDomainsOnTheFirstHost();
        start(oneByOne(true, null));
        done();
        EventId again = world.schedule(Cause.REDEPLOY, "b");
        assertEquals(List.of("b"), world.event(again).orElseThrow().resources());
        world.running.clear();
        world.report(again, DriverReport.DONE);
        assertEquals(List.of(List.of("a"), List.of("c")), works());
    }

    @Test
    void anEvacuationComesNoEarlierBecauseAnotherDomainLeftTheHost() {
        Instant begins = world.now().plus(Duration.ofHours(1));
        startEvacuationOfThreeDomains(begins);
        List<Instant> planned = turn(0).evacuations();
        assertEquals(2, planned.size());
        assertEquals(begins, planned.get(0));
        world.pass(Duration.ofMinutes(52));
        assertEquals(List.of("c"), only(EngineHarness.WEB).resources());
        place(EngineHarness.WEB, "c", 2, "host-7");
        assertEquals(List.of(), open(EngineHarness.WEB), "the next is not shown yet");
        assertEquals(planned.subList(1, 2), turn(0).evacuations());
        passUntil(planned.get(1));
        assertEquals(List.of("b"), only(EngineHarness.WEB).resources());
    }

    /** A host whose machine is told a date, and gets a machine of another update domain before that. */
    private Instant hostWithAnArrival(int there, int arriving) {
        apply(
                3,
                List.of(
                        machine(EngineHarness.WEB, "c", arriving, "host-1"),
                        machine(EngineHarness.WEB, "d", 1, "host-2"),
                        machine(EngineHarness.WEB, "a", there, "host-3"),
                        machine(EngineHarness.WEB, "b", arriving, "host-4")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1", "host-2", "host-3")
                .withEvacuation(true)
                .withRecovery(Duration.ofHours(1)));
        Instant told = turn(2).at();
        place(EngineHarness.WEB, "b", arriving, "host-3");
        return told;
    }

    private List<String> workedOnUntil(Instant then) {
        List<String> works = new ArrayList<>();
        while (world.now().isBefore(then)) {
            world.pass(Duration.ofMinutes(5));
            world.running.values().forEach(task -> task.machines().forEach(m -> works.add(m.name())));
            done();
            "abcd".chars().forEach(m -> world.poll(EngineHarness.WEB, Character.toString(m)));
        }
        return works;
    }

    @Test
    void aDomainThatCameToTheHostIsEvacuatedAndTheOtherKeepsItsDate() {
        Instant told = hostWithAnArrival(0, 2);
        assertEquals(told, turn(2).at());
        assertEquals(List.of("b", "c", "d", "a"), workedOnUntil(told));
    }

    @Test
    void aDomainThatWasToldADateIsNotEvacuatedEarlierBecauseAnotherCame() {
        Instant told = hostWithAnArrival(2, 0);
        assertEquals(told, turn(2).next());
        assertEquals(List.of("c", "d"), workedOnUntil(told.minus(Duration.ofMinutes(5))));
        assertEquals(List.of("a"), workedOnUntil(told));
        Instant work = turn(2).at();
        assertTrue(work.isAfter(told));
        assertEquals(List.of("b"), workedOnUntil(work));
    }

    @Test
    void aUnitThatMendsAMachineIsPlannedAfterOneThatItWaitsFor() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(DB, "d", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 1, "host-2")));
        world.poll(EngineHarness.WEB, "a");
        for (String name : List.of("d", "b")) {
            EventId restart = world.schedule(Cause.RESTART, name);
            world.pass(NOTICE);
            world.running.clear();
            world.report(restart, DriverReport.FAILED);
        }
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertTrue(turn(1).at().isBefore(turn(0).at()), turn(0) + " " + turn(1));
        assertEquals(turn(0).first(), turn(0).at());
    }

    @Test
    void theDomainThatHasFailedIsEvacuatedBecauseTheOtherWaitsForThat() {
        twoDomainsOnTheFirstHost();
        world.poll(EngineHarness.WEB, "a");
        EventId restart = world.schedule(Cause.RESTART, "a");
        world.pass(NOTICE);
        world.running.clear();
        world.report(restart, DriverReport.FAILED);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1").withEvacuation(true));
        assertEquals(List.of("a"), only(EngineHarness.WEB).resources());
        passUntil(turn(0).next());
        done();
        world.poll(EngineHarness.WEB, "a");
        passUntil(turn(0).at());
        assertEquals(List.of("b"), only(EngineHarness.WEB).resources());
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aMachineThatItsOwnerMovedMeanwhileIsInTheWorkOfItsNewHost() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(DB, "d", 0, "host-2")));
        start(oneByOne(false, world.now().plus(Duration.ofHours(4))));
        EventId move = world.schedule(Cause.REDEPLOY, "a");
        place(EngineHarness.WEB, "a", 0, "host-2");
        world.running.clear();
        world.report(move, DriverReport.DONE);
        assertEquals(List.of(List.of("a", "d")), works());
    }

    @Test
    void aMoveThatIsUnderWayWhenSelfServiceEndsCountsAsDoneUnlessItFails() {
        for (DriverReport report : new DriverReport[] {DriverReport.DONE, DriverReport.FAILED}) {
            MovedMachinesTest each = new MovedMachinesTest();
            each.apply(
                    2,
                    List.of(
                            machine(EngineHarness.WEB, "a", 0, "host-1"),
                            machine(EngineHarness.WEB, "b", 0, "host-1")));
            each.world.poll(EngineHarness.WEB, "a");
            Instant until = each.world.now().plus(Duration.ofHours(1));
            each.start(spec("os", RolloutTarget.Kind.HOSTS, "host-1").withSelfServiceUntil(until));
            each.passUntil(until.minus(Duration.ofMinutes(11)));
            EventId move = each.world.schedule(Cause.REDEPLOY, "b");
            each.passUntil(until);
            List<Event> rolled = each.open(EngineHarness.WEB).stream()
                    .filter(e -> e.work().unit() != null)
                    .toList();
            assertEquals(List.of("a"), rolled.get(0).resources());
            each.world.running.clear();
            each.world.report(move, report);
            List<String> named = each.open(EngineHarness.WEB).stream()
                    .flatMap(e -> e.resources().stream())
                    .toList();
            assertEquals(report == DriverReport.DONE ? List.of("a") : List.of("a", "b"), named);
        }
    }

    @Test
    void aHostIsEvacuatedAgainAsSoonAsAnOwnersMoveFails() {
        twoDomainsOnTheFirstHost();
        world.poll(EngineHarness.WEB, "a");
        Instant until = world.now().plus(Duration.ofHours(1));
        Instant begins = world.now().plus(Duration.ofHours(9));
        RolloutSpec spec = spec("os", RolloutTarget.Kind.HOSTS, "host-1").withEvacuation(true);
        start(spec.withSelfServiceUntil(until).with(b -> b.at = begins));
        EventId move = world.schedule(Cause.REDEPLOY, "b");
        world.pass(Duration.ofMinutes(10));
        policy(DB, 12); // Every unit is looked at again.
        assertEquals(List.of(), turn(0).evacuations());
        world.running.clear();
        world.report(move, DriverReport.FAILED);
        assertEquals(1, turn(0).evacuations().size());
    }

    @Test
    void whatOwnersDidDuringSelfServiceCountsThoughTheyMoveTheMachineAgain() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        Instant until = world.now().plus(Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").withSelfServiceUntil(until));
        ownerMoves("w1");
        passUntil(until.plusSeconds(1));
        ownerMoves("w1");
        assertEquals(List.of(List.of("w0")), worksWhilePolling());
    }

    @Test
    void aHostWhoseMachinesTheirOwnersMovedWaitsForOthersUntilSelfServiceEnds() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        Instant until = world.now().plus(Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1").withSelfServiceUntil(until));
        ownerMoves("w1");
        place(DB, "d", 0, "host-9");
        assertEquals(Status.RUNNING, rollout().status());
        place(DB, "d", 0, "host-1");
        assertEquals(List.of(List.of("d")), works());
    }

    @Test
    void aMachineThatCameBackBeforeItsTurnIsNotLeftOut() {
        twoDomainsOnTheFirstHost();
        start(oneByOne(true, null));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        done();
        place(EngineHarness.WEB, "b", 1, "host-3");
        place(EngineHarness.WEB, "b", 1, "host-1");
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        assertEquals(List.of(List.of("b"), List.of("a"), List.of("c")), works());
    }

    @Test
    void aMachineThatWasMovedOffForTheRolloutIsNotWorkedOnThoughTheFleetIsNotUpToDate() {
        twoDomainsOnTheFirstHost();
        start(oneByOne(true, null));
        done();
        assertEquals(List.of(List.of("a"), List.of("c")), works());
    }

    @Test
    void machinesMovedByOwnersCountAsDoneOnlyWithSelfService() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.GROUPS, "default/web"));
        assertEquals(List.of("w0"), only(EngineHarness.WEB).resources());
        ownerMoves("w1");
        assertEquals(List.of(List.of("w0"), List.of("w1")), worksWhilePolling());
    }

    @Test
    void onHostsToo() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        ownerMoves("w1");
        assertEquals(List.of(List.of("w0"), List.of("w1")), worksWhilePolling(), "the fleet says w1 is on its host");
    }

    @Test
    void workThatAnOwnerBeginsTooLateDoesNotCountAsDone() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        Instant until = world.now().plus(Duration.ofHours(1));
        RolloutSpec plain = spec("os", RolloutTarget.Kind.GROUPS, "default/web");
        start(plain.withSelfServiceUntil(until));
        world.pass(Duration.ofHours(1));
        ownerMoves("w1");
        assertEquals(List.of(List.of("w0"), List.of("w1")), worksWhilePolling());
    }

    @Test
    void workThatAnOwnerBeginsInTimeCountsAsDoneEvenIfItEndsLater() {
        webOnHosts(2);
        Instant until = world.now().plus(Duration.ofHours(1));
        RolloutSpec plain = spec("os", RolloutTarget.Kind.GROUPS, "default/web");
        start(plain.withSelfServiceUntil(until));
        EventId move = world.schedule(Cause.REDEPLOY, "w0");
        world.pass(Duration.ofHours(2));
        world.running.clear();
        world.report(move, DriverReport.DONE);
        assertEquals(List.of(List.of("w1")), worksWhilePolling());
    }

    private void ownerMoves(String machine) {
        EventId move = world.schedule(Cause.REDEPLOY, machine);
        world.ask(new Command.Approve(null, List.of(move), EngineHarness.PERSON));
        world.running.clear();
        world.report(move, DriverReport.DONE);
    }

    private List<List<String>> worksWhilePolling() {
        List<List<String>> works = new ArrayList<>();
        for (int i = 0; i < 20 && !rollout().isOver(); i++) {
            world.pass(Duration.ofHours(1));
            world.running
                    .values()
                    .forEach(task -> works.add(
                            task.machines().stream().map(Machine::name).toList()));
            done();
            world.poll(EngineHarness.WEB, "w0");
            world.poll(EngineHarness.WEB, "w1");
        }
        assertEquals(Status.DONE, rollout().status());
        return works;
    }

    @Test
    void aUnitIsNotDoneBeforeAnOwnersMoveIsOver() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        Instant until = world.now().plus(Duration.ofMinutes(30));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0").withSelfServiceUntil(until));
        passUntil(until.minus(Duration.ofMinutes(11)));
        EventId move = world.schedule(Cause.REDEPLOY, "w0");
        passUntil(until.plusSeconds(60));
        assertEquals(Status.RUNNING, rollout().status());
        world.running.clear();
        world.report(move, DriverReport.FAILED);
        assertEquals(List.of(List.of("w0")), works());
    }
}
