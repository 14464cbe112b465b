package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What becomes of a scheduled unit when its machines move, break down or are taken: the events of all others stay as they are. */
class UnitMembersTest extends RolloutFixture {
    /** Web's a and b and db's d on the first host, db's e on the second; all ask. */
    private void announced(String... hosts) {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 0, "host-1"),
                        machine(DB, "d", 0, "host-1"),
                        machine(DB, "e", 0, "host-2")));
        world.poll(EngineHarness.WEB, "a");
        world.poll(EngineHarness.WEB, "b");
        world.poll(DB, "d");
        world.poll(DB, "e");
        start(spec("os", RolloutTarget.Kind.HOSTS, hosts));
    }

    private Event of(GroupId group, String machine) {
        return open(group).stream().filter(e -> e.lists(machine)).findFirst().orElseThrow();
    }

    private List<String> worked() {
        assertEquals(1, world.running.size(), world.running.keySet().toString());
        return world.running.values().iterator().next().machines().stream()
                .map(Machine::name)
                .sorted()
                .toList();
    }

    private void personApproves(EventId id) {
        world.ask(new Command.Approve(null, List.of(id), EngineHarness.PERSON));
    }

    /** The turn is at 15:00, in a window that closes at 15:02. */
    private void shownThreeHoursAhead() {
        MaintenanceWindow window = new MaintenanceWindow(
                EnumSet.allOf(DayOfWeek.class), LocalTime.of(14, 0), Duration.ofMinutes(62), ZoneId.of("UTC"));
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 0, "host-1"),
                        machine(DB, "d", 0, "host-1"),
                        machine(DB, "e", 0, "host-2")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withNotice(Duration.ofHours(3))
                .withWindows(List.of(window)));
        world.pass(Duration.ofMinutes(4));
    }

    private static final Instant TURN = Instant.parse("2026-03-01T15:00:00Z");

    @Test
    void aNewEventKeepsTheTurnOfItsUnitSoonAfterThatWasShown() {
        shownThreeHoursAhead();
        place(EngineHarness.WEB, "b", 0, "host-9");
        assertEquals(TURN, only(EngineHarness.WEB).noticePeriod().notBefore());
        place(EngineHarness.WEB, "b", 0, "host-1");
        assertEquals(
                List.of(TURN, TURN),
                open(EngineHarness.WEB).stream()
                        .map(e -> e.noticePeriod().notBefore())
                        .toList());
        passUntil(TURN);
        assertEquals(List.of("a", "b", "d"), worked());
    }

    @Test
    void soDoesTheEventOfAGroupThatBeginsToPollSoonAfterwards() {
        shownThreeHoursAhead();
        world.poll(DB, "d");
        assertEquals(TURN, only(DB).noticePeriod().notBefore());
        passUntil(TURN);
        assertEquals(List.of("a", "b", "d"), worked());
    }

    @Test
    void aUnitWhoseWindowClosesBeforeANewMachineHasItsNoticeMovesAsAWhole() {
        shownThreeHoursAhead();
        world.poll(DB, "e");
        passUntil(TURN.minus(Duration.ofMinutes(12)));
        place(DB, "e", 0, "host-1");
        Instant tomorrow = Instant.parse("2026-03-02T14:00:00Z");
        assertEquals(tomorrow, turn(0).at());
        assertEquals(tomorrow, only(EngineHarness.WEB).noticePeriod().notBefore());
        passUntil(TURN.plus(Duration.ofHours(1)));
        assertTrue(world.running.isEmpty());
    }

    @Test
    void anEvacuationIsCalledOffWhenTheOtherDomainHasLeftTheHost() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 1, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1").withEvacuation(true));
        assertEquals(List.of("b"), only(EngineHarness.WEB).resources());
        Instant turn = turn(0).at();
        place(EngineHarness.WEB, "a", 0, "host-9");
        passUntil(turn.minus(NOTICE));
        Event work = only(EngineHarness.WEB);
        assertEquals(Cause.HOST_REBOOT, work.work().cause(), "it is not moved for nothing");
        assertEquals(List.of("b"), work.resources());
        passUntil(turn);
        assertEquals(List.of("b"), worked());
    }

    @Test
    void aUnitThatMachinesJoinOneAfterTheOtherMovesAsAWholeBeforeItIsLate() {
        announced("host-1");
        Instant turn = turn(0).at();
        world.pass(Duration.ofMinutes(4));
        place(DB, "e", 0, "host-1");
        assertEquals(turn, turn(0).at());
        place(DB, "e", 0, "host-2");
        world.pass(Duration.ofMinutes(4));
        place(DB, "e", 0, "host-1");
        assertEquals(world.now().plus(NOTICE), turn(0).at());
        assertEquals(turn(0).at(), only(EngineHarness.WEB).noticePeriod().notBefore());
    }

    @Test
    void aMachineThatLeavesItsHostLeavesTheUnitAndTheOthersGetANewEvent() {
        announced("host-1");
        EventId both = only(EngineHarness.WEB).id();
        EventId dbs = only(DB).id();
        world.pass(Duration.ofMinutes(5));
        place(EngineHarness.WEB, "b", 0, "host-9");
        Event rest = only(EngineHarness.WEB);
        assertNotEquals(both, rest.id(), "resources never change");
        assertEquals(List.of("a"), rest.resources());
        assertEquals(world.now().plus(NOTICE), rest.noticePeriod().notBefore());
        assertEquals(dbs, only(DB).id());
        world.pass(NOTICE.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(List.of("a", "d"), worked());
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void theEventOfAMachineThatLeavesAloneGoesAndTheDateOfTheOthersStays() {
        announced("host-1");
        Instant notBefore = only(EngineHarness.WEB).noticePeriod().notBefore();
        EventId webs = only(EngineHarness.WEB).id();
        place(DB, "d", 0, "host-9");
        assertTrue(open(DB).isEmpty());
        assertEquals(webs, only(EngineHarness.WEB).id());
        world.pass(Duration.between(world.now(), notBefore));
        assertEquals(List.of("a", "b"), worked());
    }

    @Test
    void aMachineThatMovesToAnotherHostOfTheRolloutBelongsToTheUnitThere() {
        announced("host-1", "host-2");
        EventId e = of(DB, "e").id();
        EventId webs = only(EngineHarness.WEB).id();
        world.pass(Duration.ofMinutes(5));
        place(DB, "d", 0, "host-2");
        assertEquals(2, open(DB).size());
        assertEquals(e, of(DB, "e").id());
        assertEquals(world.now().plus(NOTICE), of(DB, "d").noticePeriod().notBefore());
        assertEquals(of(DB, "e").work().unit(), of(DB, "d").work().unit(), "one unit now");
        assertEquals(webs, only(EngineHarness.WEB).id());
        world.pass(Duration.ofMinutes(10));
        assertEquals(List.of("a", "b"), worked(), "the first host goes at its time");
        done();
        world.pass(Duration.ofMinutes(5));
        assertEquals(List.of("d", "e"), worked());
    }

    @Test
    void machinesThatSwapHostsAreScheduledWhereTheyAre() {
        announced("host-1", "host-2");
        FleetSpec swap =
                new FleetSpec(List.of(), List.of(machine(DB, "d", 0, "host-2"), machine(DB, "e", 0, "host-1")));
        world.ask(world.engine.change(state -> FleetRules.apply(state, swap, false), EngineHarness.PERSON, null));
        world.pass(NOTICE);
        assertEquals(2, world.running.size());
        List<List<String>> works = world.running.values().stream()
                .map(task ->
                        task.machines().stream().map(Machine::name).sorted().toList())
                .sorted((x, y) -> x.size() - y.size())
                .toList();
        assertEquals(List.of(List.of("d"), List.of("a", "b", "e")), works);
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aMachineMovedToAScheduledHostGetsItsEventAfterTheMove() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 1, "host-1"),
                        machine(DB, "e", 0, "host-2")));
        world.poll(DB, "e");
        RolloutSpec plain = spec("os", RolloutTarget.Kind.HOSTS, "*");
        Duration hour = Duration.ofHours(1);
        start(plain.withNotice(hour).withEvacuation(true));
        assertEquals(List.of("b"), worked());
        EventId e = only(DB).id();
        place(EngineHarness.WEB, "b", 1, "host-2");
        world.poll(EngineHarness.WEB, "b");
        world.pass(Duration.ofMinutes(5));
        done();
        assertEquals(e, only(DB).id());
        Instant recovered = turn(0).at().plus(Duration.ofMinutes(5)).plus(RECOVERY);
        assertEquals(
                recovered,
                of(EngineHarness.WEB, "b").noticePeriod().notBefore(),
                "after a on the other host, which is in another update domain");
        assertEquals(recovered, only(DB).noticePeriod().notBefore(), "the host moves as a whole");
        assertEquals(only(DB).work().unit(), of(EngineHarness.WEB, "b").work().unit());
    }

    @Test
    void aUnitWhoseMachinesHaveAllLeftIsSkippedAtItsTurn() {
        announced("host-2");
        place(DB, "e", 0, "host-9");
        assertTrue(open(DB).isEmpty());
        assertEquals(Status.RUNNING, rollout().status(), "somebody may come back");
        passUntil(turn(0).at());
        assertEquals(Status.DONE, rollout().status());
        assertEquals(1, rollout().skipped());
    }

    @Test
    void aUnitWhoseMachinesAllLeftAndCameBackIsWorkedOnAtItsTurn() {
        announced("host-2");
        Instant told = turn(0).at();
        place(DB, "e", 0, "host-9");
        place(DB, "e", 0, "host-2");
        assertEquals(told, only(DB).noticePeriod().notBefore());
    }

    @Test
    void aMachineThatNeedNotBeMovedAnyMoreIsNotMoved() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 1, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        RolloutSpec plain = spec("os", RolloutTarget.Kind.HOSTS, "host-1");
        start(plain.withEvacuation(true));
        assertEquals(Cause.HOST_REDEPLOY, only(EngineHarness.WEB).work().cause());
        place(EngineHarness.WEB, "b", 1, "host-9");
        passUntil(turn(0).at().minus(NOTICE));
        assertEquals(Cause.HOST_REBOOT, only(EngineHarness.WEB).work().cause());
        assertEquals(List.of("a"), only(EngineHarness.WEB).resources());
    }

    @Test
    void aSecondDomainOfAGroupOnAScheduledHostIsMovedAwayFirst() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 1, "host-9")));
        world.poll(EngineHarness.WEB, "a");
        RolloutSpec plain = spec("os", RolloutTarget.Kind.HOSTS, "host-1");
        start(plain.withEvacuation(true));
        place(EngineHarness.WEB, "b", 1, "host-1");
        assertEquals(Cause.HOST_REDEPLOY, only(EngineHarness.WEB).work().cause());
        assertEquals(List.of("b"), only(EngineHarness.WEB).resources());
    }

    @Test
    void aFailureInOneGroupLeavesTheEventsOfTheOthersWithIdApprovalAndDate() {
        announced("host-1");
        EventId webs = only(EngineHarness.WEB).id();
        Instant date = only(EngineHarness.WEB).noticePeriod().notBefore();
        personApproves(webs);
        EventId failure = world.schedule(Cause.FAILURE, "d");
        assertEquals(failure, only(DB).id());
        assertEquals(webs, only(EngineHarness.WEB).id());
        assertTrue(only(EngineHarness.WEB).isApproved());
        assertEquals(date, only(EngineHarness.WEB).noticePeriod().notBefore());
        assertEquals(1, rollout().open());

        world.running.clear();
        world.pass(Duration.ofHours(1));
        assertTrue(world.running.isEmpty(), "d is broken down and not announced");
        String why = world.engine
                .rules()
                .blockers(world.engine.view(), EngineHarness.WEB, only(EngineHarness.WEB), world.now())
                .toString();
        assertTrue(why.contains("d of the same host"), why);

        world.report(failure, DriverReport.DONE);
        assertEquals(List.of("d"), only(DB).resources());
        assertEquals(world.now().plus(NOTICE), only(DB).noticePeriod().notBefore());
        assertEquals(webs, only(EngineHarness.WEB).id());
        approve(DB);
        assertEquals(List.of("a", "b", "d"), worked());
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void theOtherMachinesOfAnEventKeepItWithApprovalAndDateWhenOneFails() {
        announced("host-1");
        Event both = only(EngineHarness.WEB);
        personApproves(both.id());
        EventId failure = world.schedule(Cause.FAILURE, "a");
        Event kept = world.event(both.id()).orElseThrow();
        assertEquals(both.resources(), kept.resources());
        assertTrue(kept.isApproved());
        assertEquals(both.noticePeriod(), kept.noticePeriod());
        assertEquals(2, open(EngineHarness.WEB).size(), "the event and the failure");
        approve(DB);
        world.running.clear();
        world.pass(Duration.ofHours(1));
        assertTrue(world.running.isEmpty(), "never two Started on one machine");
        world.report(failure, DriverReport.DONE);
        assertEquals(List.of("a", "b", "d"), worked());
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void theOtherMachinesOfAnEventKeepItWhenOneIsPreempted() {
        apply(2, List.of(spot("s", EngineHarness.WEB), machine(EngineHarness.WEB, "a", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1"));
        Event both = only(EngineHarness.WEB);
        EventId preempt = world.schedule(Cause.PREEMPT, "s");
        personApproves(both.id());
        assertEquals(Phase.SCHEDULED, world.event(both.id()).orElseThrow().phase(), "the preemption comes first");
        world.pass(Duration.ofSeconds(30));
        world.running.clear();
        world.report(preempt, DriverReport.DONE);
        assertEquals(Phase.STARTED, world.event(both.id()).orElseThrow().phase());
        assertEquals(List.of("a"), worked());
    }

    @Test
    void aMachineThatIsBeingTakenGetsNoNewEvent() {
        apply(2, List.of(spot("s", DB), machine(EngineHarness.WEB, "a", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        world.poll(DB, "s");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1"));
        EventId preempt = world.schedule(Cause.PREEMPT, "s");
        assertEquals(preempt, only(DB).id());
        world.pass(Duration.ofSeconds(29));
        assertEquals(preempt, only(DB).id());
        world.pass(Duration.ofMinutes(5));
        assertEquals(preempt, only(DB).id());
        world.running.clear();
        world.report(preempt, DriverReport.DONE);
        world.pass(NOTICE);
        assertTrue(open(DB).isEmpty());
        assertEquals(List.of("a"), worked());
    }

    @Test
    void aUnitIsNotScheduledForAMachineBeingEvicted() {
        apply(2, List.of(spot("s", DB), machine(EngineHarness.WEB, "a", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        world.poll(DB, "s");
        EventId preempt = world.schedule(Cause.PREEMPT, "s");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1"));
        assertEquals(preempt, only(DB).id());
        world.pass(Duration.ofSeconds(30));
        world.report(preempt, DriverReport.DONE);
        world.pass(Duration.ofSeconds(1));
        assertTrue(open(DB).isEmpty());
        assertEquals(List.of("a"), only(EngineHarness.WEB).resources());
    }

    @Test
    void theOthersAreShownTheirEventsWithAllTheirNoticeAlthoughAMachineIsDown() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 0, "host-1"),
                        machine(DB, "d", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        world.poll(DB, "d");
        Instant turn = world.now().plus(Duration.ofHours(4));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withNotice(Duration.ofHours(3))
                .with(spec -> spec.at = turn));
        world.pass(Duration.ofMinutes(50));
        List<EventId> failures = List.of(world.schedule(Cause.FAILURE, "a"), world.schedule(Cause.FAILURE, "d"));
        world.pass(Duration.ofMinutes(10));
        Event shown = open(EngineHarness.WEB).get(1);
        assertEquals(List.of("b"), shown.resources());
        assertEquals(Duration.ofHours(3), shown.work().notice());
        assertEquals(1, open(DB).size(), "the failure");
        world.pass(Duration.ofHours(1));
        world.running.clear();
        failures.forEach(failure -> world.report(failure, DriverReport.DONE));
        assertEquals(shown.id(), open(EngineHarness.WEB).get(0).id());
        assertEquals(List.of("a"), open(EngineHarness.WEB).get(1).resources());
        assertEquals(List.of("d"), only(DB).resources());
        for (Event event : List.of(open(EngineHarness.WEB).get(1), only(DB))) {
            assertEquals(turn, event.noticePeriod().notBefore());
            assertEquals(Duration.ofHours(2), event.work().notice());
        }
        passUntil(turn);
        assertEquals(List.of("a", "b", "d"), worked());
    }

    @Test
    void norForOneThatIsTakenWhenTheWorkOnItIsOver() {
        apply(2, List.of(spot("s", DB), machine(EngineHarness.WEB, "a", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        world.poll(DB, "s");
        EventId restart = world.schedule(Cause.RESTART, "s");
        approve(DB);
        world.schedule(Cause.PREEMPT, "s");
        assertEquals(Cause.PREEMPT, world.event(restart).orElseThrow().joined().get("s"));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1"));
        assertEquals(restart, only(DB).id());
        assertEquals(List.of("a"), only(EngineHarness.WEB).resources());
    }

    @Test
    void anOwnerCanAskNothingOfAMachineThatIsTakenWhenTheWorkOnItIsOver() {
        apply(2, List.of(spot("s", DB)));
        world.poll(DB, "s");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1"));
        approve(DB);
        world.schedule(Cause.PREEMPT, "s");
        RefusedException refusal = assertThrows(RefusedException.class, () -> world.schedule(Cause.RESTART, "s"));
        assertTrue(refusal.getMessage().contains("is taken away when event"), refusal.getMessage());
    }

    private static MachineSpec spot(String name, GroupId group) {
        return new MachineSpec(0, EngineHarness.machine(name), group, 0, 0, "host-1", List.of(), "", true, Map.of());
    }

    @Test
    void aPreemptionTakesOneMachineAndTheUnitGoesOnWithoutIt() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), spot("s", DB)));
        world.poll(EngineHarness.WEB, "a");
        world.poll(DB, "s");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1"));
        EventId webs = only(EngineHarness.WEB).id();
        approve(EngineHarness.WEB);
        EventId taken = world.schedule(Cause.PREEMPT, "s");
        world.pass(Duration.ofMinutes(1));
        assertEquals(List.of("s"), worked());
        world.running.clear();
        world.report(taken, DriverReport.DONE);
        assertEquals(webs, only(EngineHarness.WEB).id());
        assertEquals(List.of("a"), worked(), "it was approved and only waited for s");
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aFailureOfTheOnlyMachineRestartsTheUnit() {
        announced("host-2");
        EventId first = only(DB).id();
        EventId failure = world.schedule(Cause.FAILURE, "e");
        assertTrue(world.event(first).isEmpty());
        world.running.clear();
        world.pass(NOTICE);
        assertTrue(world.running.isEmpty(), "never two Started on one machine");
        world.report(failure, DriverReport.DONE);
        passUntil(turn(0).at());
        assertEquals(List.of("e"), worked());
        assertFalse(only(DB).id().equals(first));
    }

    @Test
    void aMachineAddedWhileTheRolloutIsPausedIsScheduledWhenItResumes() {
        announced("host-2");
        EventId e = only(DB).id();
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        place(EngineHarness.WEB, "a", 0, "host-2");
        assertTrue(open(EngineHarness.WEB).isEmpty());
        world.pass(Duration.ofHours(1));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        assertEquals(
                world.now().plus(NOTICE), only(EngineHarness.WEB).noticePeriod().notBefore());
        assertEquals(e, only(DB).id());
        world.pass(NOTICE);
        assertEquals(List.of("a", "e"), worked());
    }

    @Test
    void aCrashRightAfterAMachineLeftChangesNothing() {
        announced("host-1");
        FleetSpec spec = new FleetSpec(List.of(), List.of(machine(DB, "d", 0, "host-9")));
        world.engine.change(state -> FleetRules.apply(state, spec, false), EngineHarness.PERSON, null);
        world.engine.turn(world.moment());
        world.open();
        assertTrue(open(DB).isEmpty());
        world.pass(Duration.ofHours(1));
        assertEquals(List.of("a", "b"), worked());
    }

    @Test
    void aMachineThatJoinsADomainBeforeItsTurnIsWorkedOnWithIt() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.GROUPS, "default/web").withNotice(Duration.ofHours(2)));
        Instant turn = turn(1).at();
        passUntil(turn.minus(Duration.ofMinutes(90)));
        FleetSpec more = new FleetSpec(List.of(), List.of(machine(EngineHarness.WEB, "w9", 1, "host-9")));
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, more, false), EngineHarness.PERSON, null));
        List<Event> both = open(EngineHarness.WEB).stream()
                .filter(e -> e.work().updateDomain() == 1)
                .toList();
        assertEquals(
                List.of(List.of("w1"), List.of("w9")),
                both.stream().map(Event::resources).toList());
        assertEquals(turn, both.get(1).noticePeriod().notBefore());
        passUntil(turn(0).at());
        done();
        world.poll(EngineHarness.WEB, "w0");
        passUntil(turn);
        assertEquals(
                Set.of("w1", "w9"),
                world.running.values().stream()
                        .flatMap(task -> task.machines().stream())
                        .map(Machine::name)
                        .collect(Collectors.toSet()));
    }

    @Test
    void whatCountedAsApprovedBecauseNothingRanIsNotApprovedOnceAMachineRuns() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        Scope scope = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, true, null, null, null, null, null, null, null), EngineHarness.PERSON));
        EventId restart = world.schedule(Cause.RESTART, "w0");
        world.pass(NOTICE);
        world.running.clear();
        world.report(restart, DriverReport.FAILED);
        Instant begins = world.now().plus(Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.GROUPS, "default/web")
                .withNotice(Duration.ofHours(24))
                .with(b -> b.at = begins));
        Event rolled = only(EngineHarness.WEB);
        assertTrue(rolled.isApproved());
        EventId again = world.schedule(Cause.RESTART, "w0");
        assertTrue(world.running.containsKey(again), "nothing that runs has to be warned");
        world.running.clear();
        world.report(again, DriverReport.DONE);
        assertFalse(only(EngineHarness.WEB).isApproved());
        passUntil(begins.plus(Duration.ofHours(2)));
        assertTrue(world.running.isEmpty());
        passUntil(rolled.noticePeriod().notBefore());
        assertEquals(1, world.running.size());
    }

    @Test
    void aMachineThatComesFromAnotherRolloutGetsItsEventAtTheTurn() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(DB, "d", 0, "host-9")));
        world.poll(EngineHarness.WEB, "a");
        world.poll(DB, "d");
        start(spec("other", RolloutTarget.Kind.GROUPS, DB.toString()).withNotice(Duration.ofHours(48)));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1").withNotice(Duration.ofHours(1)));
        Instant told = only(EngineHarness.WEB).noticePeriod().notBefore();
        world.pass(Duration.ofMinutes(10));
        place(DB, "d", 0, "host-1");
        assertEquals(2, open(DB).size());
        passUntil(told);
        assertEquals(
                Set.of("a", "d"),
                world.running.values().stream()
                        .flatMap(task -> task.machines().stream())
                        .map(Machine::name)
                        .collect(Collectors.toSet()));
    }

    @Test
    void aMachineThatIsRemovedAndAddedAgainGetsItsOwnNotice() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1"));
        EventId both = only(EngineHarness.WEB).id();
        Instant told = turn(0).at();
        passUntil(told.minusSeconds(60));
        removeMachine("b");
        assertEquals(both, only(EngineHarness.WEB).id(), "one that is gone is only named");
        place(EngineHarness.WEB, "b", 0, "host-1");
        Event again = only(EngineHarness.WEB);
        assertNotEquals(both, again.id());
        assertFalse(again.noticePeriod().notBefore().isBefore(world.now().plus(NOTICE)));
        passUntil(told);
        assertTrue(world.running.isEmpty());
        passUntil(again.noticePeriod().notBefore());
        assertEquals(1, world.running.size());
    }
}
