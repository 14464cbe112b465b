package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
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
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.StartBlocker;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a unit of a rollout starts at another time than planned, and that nobody else is moved by it. */
class MovedTurnsTest extends RolloutFixture {
    private static final RolloutSpec ALL = spec("os", RolloutTarget.Kind.HOSTS, "*");
    private static final Duration HOURS = Duration.ofHours(3);

    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + ":00Z");
    }

    private List<Instant> turns() {
        return IntStream.range(0, rollout().units()).mapToObj(i -> turn(i).at()).toList();
    }

    /** Three update domains whose turns are 15:00, 15:35 and 16:10; all are shown by 13:10. */
    private void threeDomains() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(ALL.withNotice(HOURS));
        assertEquals(List.of(at("15:00"), at("15:35"), at("16:10")), turns());
        passUntil(at("13:10"));
        assertEquals(3, world.shown().size());
    }

    private Event of(String machine) {
        return world.shown().stream().filter(e -> e.lists(machine)).findFirst().orElseThrow();
    }

    private Instant date(String machine) {
        return of(machine).noticePeriod().notBefore();
    }

    private void approve(String machine) {
        world.ask(new Command.Approve(
                EngineHarness.WEB, List.of(of(machine).id()), Actor.machine("default/" + machine, "127.0.0.1")));
    }

    private List<String> working() {
        return world.running.values().stream()
                .flatMap(task -> task.machines().stream())
                .map(machine -> machine.name())
                .toList();
    }

    private long told(String what) {
        return world.history.stream().filter(e -> e.what().equals(what)).count();
    }

    @Test
    void aShownUnitThatIsKnownToBeLateMovesInOneStepAndKeepsItsEvent() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(ALL.withNotice(HOURS));
        passUntil(at("13:00"));
        EventId id = of("w1").id();
        passUntil(at("15:10"));
        assertEquals(List.of("w0"), working(), "it should have been over at 15:05");
        assertEquals(at("15:45"), date("w1"), "as long again as it is overdue, and the recovery");
        assertEquals(id, of("w1").id());
        assertEquals(1, told(Transition.MOVED.name()));
        done();
        world.poll(EngineHarness.WEB, "w0");
        passUntil(at("15:44"));
        assertEquals(Phase.SCHEDULED, of("w1").phase(), "a date never moves earlier");
        passUntil(at("15:45"));
        assertEquals(List.of("w1"), working());
    }

    @Test
    void aFewMinutesMoveNoDate() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(ALL.withNotice(HOURS));
        passUntil(at("15:09"));
        done();
        world.poll(EngineHarness.WEB, "w0");
        passUntil(at("15:38"));
        assertEquals(at("15:35"), date("w1"));
        assertTrue(world.running.isEmpty(), "its group recovers until 15:39");
        passUntil(at("15:39"));
        assertEquals(List.of("w1"), working());
        assertEquals(0, told(Transition.MOVED.name()));
    }

    @Test
    void aUnitThatIsNotShownYetMovesOnlyInThePlanAndTheOthersStay() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(ALL);
        passUntil(at("12:25"));
        assertEquals(List.of("w0"), working(), "it should have been over at 12:20");
        assertEquals(at("14:00"), turn(1).at(), "the first place that is free");
        assertEquals(at("12:50"), turn(1).first());
        assertEquals(at("13:25"), turn(2).at());
        assertEquals(1, told(HistoryEntry.What.ROLLOUT_MOVED.name()));
        assertEquals(0, told(Transition.MOVED.name()));
        done();
        world.poll(EngineHarness.WEB, "w0");
        passUntil(at("13:25"));
        assertEquals(List.of("w2"), working());
    }

    @Test
    void anApprovedUnitGoesAheadIfItIsOverBeforeTheNextAndAllDatesStay() {
        threeDomains();
        approve("w2");
        assertEquals(List.of("w2"), working());
        assertEquals(at("15:00"), date("w0"));
        assertEquals(at("15:35"), date("w1"));
        assertEquals(at("16:10"), turn(2).at(), "its date stays, too");
    }

    @Test
    void anApprovedUnitKeepsItsTurnIfAnotherWouldSlip() {
        threeDomains();
        passUntil(at("14:26"));
        approve("w1");
        assertTrue(world.running.isEmpty(), "over at 14:31, recovered at 15:01: too late for w0");
        String why = world.engine
                .rules()
                .blockers(world.engine.view(), EngineHarness.WEB, of("w1"), world.now())
                .toString();
        assertTrue(why.contains("update domain 0 of its group is to start at"), why);
        passUntil(at("15:00"));
        assertEquals(List.of("w0"), working());
        passUntil(at("15:05"));
        done();
        world.poll(EngineHarness.WEB, "w0");
        passUntil(at("15:35"));
        assertEquals(List.of("w1"), working());
    }

    @Test
    void whenTheOneInTheWayApprovesTooBothGoInTheOrderOfThePlan() {
        threeDomains();
        passUntil(at("14:26"));
        approve("w1");
        approve("w0");
        assertEquals(List.of("w0"), working());
        passUntil(at("14:30"));
        done();
        world.poll(EngineHarness.WEB, "w0");
        passUntil(at("14:59"));
        assertTrue(world.running.isEmpty(), "its group recovers");
        passUntil(at("15:00"));
        assertEquals(List.of("w1"), working());
        assertEquals(at("16:10"), date("w2"));
    }

    private void approveAll(GroupId group) {
        List<EventId> ids = open(group).stream().map(Event::id).toList();
        world.ask(new Command.Approve(group, ids, Actor.machine("default/x", "127.0.0.1")));
    }

    /** The second host also carries a machine of the group db, which is looked at before web. */
    private void secondHostIsLookedAtFirst(int domains, MachineSpec... more) {
        List<MachineSpec> machines = new ArrayList<>(List.of(more));
        machines.add(machine(EngineHarness.WEB, "w0", 0, "host-0"));
        machines.add(machine(EngineHarness.WEB, "w1", Math.min(1, domains - 1), "host-1"));
        machines.add(machine(DB, "d1", 0, "host-1"));
        apply(domains, machines);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d1");
    }

    private void pollAndPassUntil(Instant then) {
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d1");
        passUntil(then);
    }

    private void bothStartInTheOrderOfThePlan(Instant first, Instant second) {
        assertEquals(List.of(first, second), turns());
        passUntil(at("13:00"));
        approveAll(DB);
        approveAll(EngineHarness.WEB);
        assertTrue(world.running.isEmpty(), "both wait for their time");
        pollAndPassUntil(first);
        assertEquals(List.of("w0"), working(), "its turn is now");
        assertEquals(List.of(first, second), turns());
        pollAndPassUntil(first.plus(Duration.ofMinutes(5)));
        done();
        pollAndPassUntil(second);
        assertEquals(List.of("d1", "w1"), working().stream().sorted().toList());
        assertEquals(0, told(Transition.MOVED.name()));
    }

    @Test
    void approvedUnitsThatWaitForTheBeginOfTheRolloutStartInTheOrderOfThePlan() {
        secondHostIsLookedAtFirst(2);
        start(ALL.withNotice(HOURS).between(at("15:00"), null, RolloutSpec.Late.REFUSE, ZoneId.of("UTC")));
        bothStartInTheOrderOfThePlan(at("15:00"), at("15:35"));
    }

    @Test
    void approvedUnitsThatWaitForAWindowOfTheRolloutStartInTheOrderOfThePlan() {
        secondHostIsLookedAtFirst(2);
        start(windowedAndShown(16));
        bothStartInTheOrderOfThePlan(at("16:00"), at("16:35"));
    }

    @Test
    void approvedUnitsThatWaitForAWindowOfTheirGroupStartInTheOrderOfThePlan() {
        secondHostIsLookedAtFirst(2);
        policy(EngineHarness.WEB, 16);
        start(ALL.withNotice(Duration.ofHours(4)));
        bothStartInTheOrderOfThePlan(at("16:00"), at("16:35"));
    }

    @Test
    void approvedUnitsThatTheLimitKeepsApartStartInTheOrderOfThePlan() {
        secondHostIsLookedAtFirst(1);
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1))
                .withNotice(HOURS)
                .between(at("15:00"), null, RolloutSpec.Late.REFUSE, ZoneId.of("UTC")));
        bothStartInTheOrderOfThePlan(at("15:00"), at("15:05"));
    }

    @Test
    void approvedUnitsWhoseGroupHasRecoveredStartInTheOrderOfThePlanLongBeforeTheirTurns() {
        secondHostIsLookedAtFirst(3, machine(EngineHarness.WEB, "w2", 2, "host-2"));
        start(ALL.withNotice(HOURS));
        assertEquals(List.of(at("15:00"), at("15:35"), at("16:10")), turns());
        pollAndPassUntil(at("13:10"));
        approve("w2");
        assertEquals(List.of("w2"), working());
        approveAll(DB);
        approveAll(EngineHarness.WEB);
        done();
        world.poll(EngineHarness.WEB, "w2");
        pollAndPassUntil(at("13:39"));
        assertTrue(world.running.isEmpty(), "their group recovers");
        pollAndPassUntil(at("13:40"));
        assertEquals(List.of("w0"), working());
    }

    @Test
    void approvedUnitsKeepTheLimitOfTheRolloutAndTheOrderOfThePlan() {
        List<MachineSpec> machines = IntStream.range(0, 3)
                .mapToObj(i -> machine(EngineHarness.WEB, "w" + i, 0, "host-" + i))
                .toList();
        apply(1, machines);
        world.poll(EngineHarness.WEB, "w0");
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1)).withNotice(HOURS));
        assertEquals(List.of(at("15:00"), at("15:05"), at("15:10")), turns());
        passUntil(at("13:10"));
        approve("w0");
        approve("w2");
        approve("w1");
        assertEquals(List.of("w0"), working());
        done();
        world.pass(Duration.ofMinutes(1));
        assertEquals(List.of("w1"), working(), "before w2, which approved earlier");
        done();
        world.pass(Duration.ofMinutes(1));
        assertEquals(List.of("w2"), working());
    }

    @Test
    void aPauseKeepsAllDatesAndAResumeGivesTheLeastNoticeAgain() {
        threeDomains();
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        passUntil(at("15:50"));
        assertEquals(List.of(at("15:00"), at("15:35"), at("16:10")), turns());
        assertTrue(world.running.isEmpty());
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        assertEquals(at("16:10"), turn(2).at(), "it has 20 minutes");
        assertEquals(List.of(at("16:45"), at("17:20")), turns().subList(0, 2), "the others get the next free places");
        assertEquals(at("16:45"), date("w0"));
        passUntil(at("16:09"));
        assertTrue(world.running.isEmpty());
        passUntil(at("16:10"));
        assertEquals(List.of("w2"), working());
    }

    @Test
    void aResumeIsRefusedIfAUnitGotAMachineWhoseWindowOpensTooLate() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        policy(DB, 18);
        start(ALL.withNotice(HOURS).with(b -> b.until = at("17:00")));
        passUntil(at("13:10"));
        place(DB, "d", 0, "host-0");
        passUntil(turn(1).at().plusSeconds(90));
        done();
        world.pass(Duration.ofSeconds(2));
        assertEquals(Rollout.Status.HALTED, rollout().status());
        world.poll(DB, "d");
        Command resume = new Command.ResumeRollout("os", false, EngineHarness.PERSON);
        assertThrows(RefusedException.class, () -> world.ask(resume));
        assertEquals(Rollout.Status.HALTED, rollout().status());
    }

    @Test
    void anAbortWithdrawsWhatIsShownAndStartsNothing() {
        threeDomains();
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
        assertTrue(world.shown().isEmpty());
        world.pass(Duration.ofDays(1));
        assertTrue(world.running.isEmpty());
    }

    @Test
    void aRetryGetsTheLeastNoticeOrAsMuchAsIsAskedFor() {
        for (Duration notice : new Duration[] {null, Duration.ofHours(2)}) {
            MovedTurnsTest each = new MovedTurnsTest();
            each.webOnHosts(1);
            each.world.poll(EngineHarness.WEB, "w0");
            each.start(ALL);
            each.passUntil(at("12:20"));
            EventId id = each.world.running.keySet().iterator().next();
            each.world.running.clear();
            each.world.report(id, DriverReport.FAILED);
            each.world.ask(new Command.ResumeRollout("os", true, notice, null, null, EngineHarness.PERSON));
            Instant expected = at("12:20").plus(notice == null ? NOTICE : notice);
            assertEquals(expected, each.turn(0).at());
            assertEquals(expected, each.date("w0"), "it is shown at once, for all of its notice");
        }
    }

    @Test
    void whatMachinesAreNotShownYetCannotBeApproved() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        Scope scope = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, null, null, null, null, null)
                        .shownAhead(Duration.ofMinutes(20)),
                EngineHarness.PERSON));
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-0"), machine(DB, "d0", 0, "host-0")));
        world.poll(DB, "d0");
        start(ALL.withNotice(HOURS));
        Event hidden = world.engine.view().state(EngineHarness.WEB).events().get(0);
        RefusedException refusal = assertThrows(
                RefusedException.class,
                () -> world.ask(new Command.Approve(null, List.of(hidden.id()), EngineHarness.PERSON)));
        assertEquals(Problem.CONFLICT, refusal.problem());
        passUntil(at("14:45"));
        world.ask(new Command.Approve(null, List.of(of("w0").id()), EngineHarness.PERSON));
    }

    @Test
    void otherDomainsArePlannedAfterTheRetryBecauseTheFailedMachinesAreDownUntilThen() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(ALL);
        assertEquals(List.of(at("12:15"), at("12:50"), at("13:25")), turns());
        passUntil(at("12:20"));
        EventId id = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(id, DriverReport.FAILED);
        passUntil(at("14:00"));
        world.ask(new Command.ResumeRollout("os", true, Duration.ofHours(1), null, null, EngineHarness.PERSON));
        assertEquals(List.of(at("15:00"), at("15:35"), at("16:10")), turns());
        List<String> resumed = world.history.stream()
                .filter(e -> e.at().equals(at("14:00")) && e.what().startsWith("ROLLOUT"))
                .map(HistoryEntry::what)
                .distinct()
                .toList();
        assertEquals(List.of("ROLLOUT_RESUMED", "ROLLOUT_MOVED"), resumed, "the cause comes first");
    }

    @Test
    void whatMendsAMachineThatIsDownIsPlannedFirstBecauseTheOtherDomainsWaitForThat() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        EventId restart = world.schedule(Cause.RESTART, "w1");
        passUntil(at("12:15"));
        world.running.clear();
        world.report(restart, DriverReport.FAILED);
        start(ALL.with(b -> b.until = at("13:40")));
        List<Instant> planned = turns();
        assertEquals(List.of(at("13:05"), at("12:30"), at("13:40")), planned);
        passUntil(at("12:35"));
        assertEquals(List.of("w1"), working());
        done();
        world.poll(EngineHarness.WEB, "w1");
        passUntil(at("13:05"));
        assertEquals(List.of("w0"), working());
        assertEquals(planned, turns());
        assertEquals(0, told(HistoryEntry.What.ROLLOUT_MOVED.name()) + told(Transition.MOVED.name()));
    }

    @Test
    void postponingMovesOneUnitWithItsTiedEventsToTheNextFreePlace() {
        twoGroupsOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        PostponementLimit limit = new PostponementLimit(3, Duration.ofDays(1));
        Scope scope = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, null, limit, null, null, null), EngineHarness.PERSON));
        start(ALL.withNotice(HOURS));
        passUntil(at("13:10"));
        Instant later = at("15:10");
        world.ask(new Command.Postpone(null, of("w0").id(), later, null, EngineHarness.PERSON));
        assertEquals(List.of(at("16:45"), at("15:35"), at("16:10")), turns(), "before that w1 and w2 are in the way");
        assertEquals(at("16:45"), date("w0"));
        assertEquals(
                at("16:45"),
                open(DB).stream()
                        .filter(e -> e.lists("d0"))
                        .findFirst()
                        .orElseThrow()
                        .noticePeriod()
                        .notBefore());
        passUntil(at("15:35"));
        assertEquals(List.of("d1", "w1"), working().stream().sorted().toList());
    }

    @Test
    void aMachineThatFailedIsShownItsEventWhenItIsBack() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(ALL);
        passUntil(at("12:02"));
        EventId failure = world.schedule(Cause.FAILURE, "w0");
        assertEquals(1, world.shown().size(), "nothing but the failure");
        passUntil(at("12:12"));
        assertEquals(1, world.shown().size());
        world.running.clear();
        world.report(failure, DriverReport.DONE);
        assertEquals(at("12:27"), date("w0"));
        passUntil(at("12:27"));
        assertEquals(List.of("w0"), working());
    }

    @Test
    void twoMachinesThatAreDownInTwoDomainsAreMendedOneAfterTheOther() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        List<EventId> restarts = List.of(world.schedule(Cause.RESTART, "w0"), world.schedule(Cause.RESTART, "w1"));
        passUntil(at("12:15"));
        world.running.clear();
        restarts.forEach(restart -> world.report(restart, DriverReport.FAILED));
        start(ALL);
        List<Instant> planned = turns();
        assertEquals(List.of(at("12:30"), at("13:05")), planned);
        passUntil(at("12:30"));
        assertEquals(List.of("w0"), working());
        done();
        world.poll(EngineHarness.WEB, "w0");
        passUntil(at("13:05"));
        assertEquals(List.of("w1"), working());
        assertEquals(planned, turns());
    }

    @Test
    void aUnitWhoseMachinesAreAllDownIsMendedBeforeOneWithMachinesThatRun() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "w0", 0, "host-1"),
                        machine(EngineHarness.WEB, "w1", 0, "host-1"),
                        machine(EngineHarness.WEB, "w2", 1, "host-2")));
        fail("w0", "w2");
        start(ALL);
        assertEquals(List.of(at("12:36"), at("12:01")), turns());
        passUntil(at("12:01"));
        assertEquals(List.of("w2"), working());
        done();
        passUntil(at("12:36"));
        assertEquals(List.of("w0", "w1"), working());
        assertEquals(0, told(HistoryEntry.What.ROLLOUT_MOVED.name()));
    }

    @Test
    void unitsThatWaitForEachOthersMachinesKeepTheirTurnsUntilSomebodyRepairsOne() {
        List<GroupSpec> groups = List.of(
                new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 2, 2),
                new GroupSpec(0, DB, GroupKind.AVAILABILITY_SET, 2, 2));
        FleetSpec fleet = new FleetSpec(
                groups,
                List.of(
                        machine(EngineHarness.WEB, "w0", 0, "host-1"),
                        machine(EngineHarness.WEB, "w1", 1, "host-2"),
                        machine(DB, "d0", 0, "host-2"),
                        machine(DB, "d1", 1, "host-1")));
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        fail("w1", "d1");
        assertTrue(world.engine.rules().plan(world.engine.view(), ALL, world.now()).blocked().stream()
                .anyMatch(why -> why.contains("host-1, host-2") && why.contains("before a machine is repaired")));
        start(ALL);
        List<Instant> planned = turns();
        passUntil(at("18:00"));
        assertEquals(List.of(), working());
        assertEquals(planned, turns());
        assertEquals(0, told(HistoryEntry.What.ROLLOUT_MOVED.name()) + told(Transition.MOVED.name()));
        world.schedule(Cause.RESTART, "w1");
        done();
        passUntil(at("20:00"));
        assertEquals(List.of("d1", "w0"), working());
        done();
        passUntil(at("22:00"));
        assertEquals(List.of("d0", "w1"), working());
        done();
        assertTrue(rollout().isOver());
    }

    @Test
    void aUnitThatWaitsBeyondTheHoursOfLateUnitsMovesToTheNextDay() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        EventId restart = world.schedule(Cause.RESTART, "w1");
        passUntil(at("12:16"));
        world.running.clear();
        world.report(restart, DriverReport.FAILED);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0")
                .between(at("13:00"), at("14:00"), RolloutSpec.Late.NEXT_WINDOW, ZoneId.of("UTC")));
        passUntil(at("13:59"));
        assertEquals(at("13:00"), date("w0"));
        passUntil(at("14:01"));
        assertEquals(at("13:00").plus(Duration.ofDays(1)), date("w0"));
        assertEquals(date("w0"), turn(0).at());
    }

    private void fail(String... machines) {
        for (String machine : machines) {
            world.schedule(Cause.RESTART, machine);
        }
        passUntil(at("12:01"));
        List<EventId> restarts = List.copyOf(world.running.keySet());
        world.running.clear();
        restarts.forEach(restart -> world.report(restart, DriverReport.FAILED));
    }

    @Test
    void aBlackoutMovesUnitsThatAreShownAtOnceAndInTheOrderOfThePlan() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(ALL.withNotice(HOURS));
        passUntil(at("12:20"));
        Policy policy = new Policy(
                new Scope("default", "web", null),
                null,
                null,
                null,
                null,
                null,
                List.of(new Blackout(
                        LocalDateTime.parse("2026-03-01T12:15"),
                        LocalDateTime.parse("2026-03-01T20:00"),
                        ZoneId.of("UTC"))),
                null,
                null,
                null,
                null);
        world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
        assertEquals(List.of(at("20:00"), at("20:35")), turns());
        assertEquals(at("20:00"), date("w0"));
    }

    /** Evacuated from 12:10 to 12:15, worked on from 12:45; owners may postpone by an hour in all. */
    private RefusedException refusedPostponement(RolloutSpec narrow) {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "w0", 0, "host-0"),
                        machine(EngineHarness.WEB, "w1", 1, "host-0"),
                        machine(DB, "d0", 0, "host-0")));
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        PostponementLimit limit = new PostponementLimit(1, Duration.ofHours(1));
        Scope scope = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, null, limit, null, null, null), EngineHarness.PERSON));
        start(narrow.withEvacuation(true));
        assertEquals(List.of(at("12:10")), turn(0).evacuations());
        assertEquals(at("12:45"), turn(0).at());
        Command postpone =
                new Command.Postpone(null, of("w1").id(), null, Duration.ofMinutes(20), EngineHarness.PERSON);
        return assertThrows(RefusedException.class, () -> world.ask(postpone));
    }

    @Test
    void anEvacuationCannotBePostponedIfTheWorkAfterItWouldBeTooLate() {
        RefusedException refusal = refusedPostponement(ALL.with(b -> b.until = at("12:50")));
        assertTrue(refusal.getMessage().contains("there is no time for it"), refusal.getMessage());
    }

    @Test
    void theDelayOfTheWorkCountsWhenItsEvacuationIsPostponed() {
        MaintenanceWindow window = new MaintenanceWindow(
                EnumSet.allOf(DayOfWeek.class), LocalTime.of(12, 0), Duration.ofMinutes(50), ZoneId.of("UTC"));
        RefusedException refusal = refusedPostponement(ALL.withWindows(List.of(window)));
        assertTrue(refusal.getMessage().contains("can be postponed by 1h more, not by"), refusal.getMessage());
    }

    @Test
    void aMachineThatMustAskAgainHoldsTheNextUnitWithoutMovingItsDate() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(ALL.withNotice(HOURS));
        passUntil(at("15:05"));
        done();
        passUntil(at("17:00"));
        assertTrue(world.running.isEmpty());
        assertEquals(at("15:35"), date("w1"), "nobody knows another date");
        world.poll(EngineHarness.WEB, "w0");
        world.pass(Duration.ofSeconds(30));
        assertEquals(List.of("w1"), working());
    }

    @Test
    void ofTwoUnitsThatWaitForTheSameMachineTheLaterSaysThatTheOtherComesFirst() {
        threeDomains();
        passUntil(at("15:05"));
        done();
        passUntil(at("16:12"));
        String first = "update domain 1 of its group was to start at 2026-03-01T15:35:00Z and comes first";
        assertEquals(List.of("w0 has not polled again since its work ended"), blockers("w1"));
        assertEquals(List.of("w0 has not polled again since its work ended", first), blockers("w2"));
        world.poll(EngineHarness.WEB, "w0");
        assertEquals(List.of("nothing any more, it starts within 30 seconds"), blockers("w1"));
        assertEquals(List.of(first), blockers("w2"));
        world.pass(Duration.ofSeconds(30));
        assertEquals(List.of("w1"), working());
    }

    @Test
    void aUnitThatIsHeldByMoreThanALaterOneIsNotSaidToComeFirst() {
        threeDomains();
        Scope web = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(web, null, null, null, null, null, null, null, null, true, null), EngineHarness.PERSON));
        world.poll(EngineHarness.WEB, "w0");
        world.poll(EngineHarness.WEB, "w2");
        passUntil(at("15:05"));
        done();
        passUntil(at("16:12"));
        assertEquals(
                List.of("w0 has not polled again since its work ended"), blockers("w2"), "w1 has not seen its event");
        world.poll(EngineHarness.WEB, "w0");
        world.pass(Duration.ofSeconds(30));
        assertEquals(List.of("w2"), working());
    }

    private List<String> blockers(String machine) {
        return world.engine.rules().blockers(world.engine.view(), EngineHarness.WEB, of(machine), world.now()).stream()
                .map(StartBlocker::why)
                .toList();
    }

    @Test
    void aRolloutHaltsWhenItsLatestStartPassesWhileAUnitWaitsForAMachine() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        RolloutSpec all = spec("os", RolloutTarget.Kind.HOSTS, "*");
        start(all.between(null, world.now().plus(Duration.ofHours(2)), RolloutSpec.Late.REFUSE, ZoneId.of("UTC")));
        world.pass(NOTICE);
        done();
        world.pass(Duration.ofMinutes(100));
        assertEquals(Rollout.Status.RUNNING, rollout().status(), "w0 has not polled again, but there is time left");
        world.pass(Duration.ofMinutes(10));
        assertEquals(Rollout.Status.HALTED, rollout().status());
        assertTrue(
                rollout().why().contains("host-1 has not started by"), rollout().why());
    }

    @Test
    void anApprovedUnitWhoseTurnPassedDuringAPauseDoesNotPushTheNext() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        Instant at = world.now().plus(Duration.ofMinutes(20));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").between(at, null, RolloutSpec.Late.REFUSE, ZoneId.of("UTC")));
        world.pass(Duration.ofMinutes(15));
        Instant second = turn(1).at();
        world.ask(new Command.Approve(
                EngineHarness.WEB,
                List.of(open(EngineHarness.WEB).get(0).id()),
                Actor.machine("default/w0", "127.0.0.1")));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        world.pass(Duration.between(world.now(), second).minus(Duration.ofMinutes(17)));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        world.pass(Duration.ofMinutes(1));
        assertTrue(world.running.isEmpty(), "it would not be over and recovered before the next date");
        assertEquals(second, turn(1).at());
    }

    @Test
    void aFailedUnitIsRetriedBeforeThoseThatWaitForIt() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(NOTICE);
        EventId first = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(first, DriverReport.FAILED);
        world.pass(Duration.ofMinutes(5));
        world.ask(new Command.ResumeRollout("os", true, EngineHarness.PERSON));
        assertEquals(world.now().plus(NOTICE), turn(0).at());
        assertTrue(turn(1).at().isAfter(turn(0).at()), "its group waits for w0");
        assertTrue(turn(2).at().isAfter(turn(0).at()), "its group waits for w0");
    }

    @Test
    void singlePlatformWorkLeavesTurnsWhereTheyAre() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        Instant at = world.now().plus(Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").between(at, null, RolloutSpec.Late.REFUSE, ZoneId.of("UTC")));
        world.pass(Duration.ofMinutes(25));
        world.schedule(Cause.FREEZE, "w1");
        world.pass(Duration.ofMinutes(20));
        assertTrue(world.running.isEmpty(), "the freeze would not be over and recovered before the turn of host-0");
        world.pass(Duration.ofMinutes(15));
        assertEquals(at, turn(0).at());
        assertEquals(1, world.running.size());
    }

    @Test
    void anOwnersRestartMendsAMachineThatFailedSoThatNobodyWaitsForItsUnit() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        EventId restart = world.schedule(Cause.RESTART, "w2");
        passUntil(at("12:15"));
        world.running.clear();
        world.report(restart, DriverReport.FAILED);
        start(ALL.withRecovery(Duration.ofMinutes(10)));
        List<Instant> planned = turns();
        assertEquals(List.of(at("12:45"), at("13:00"), at("12:30")), planned);
        passUntil(at("12:25"));
        world.schedule(Cause.RESTART, "w2");
        passUntil(at("12:42"));
        assertEquals(List.of("w2"), working());
        done();
        world.poll(EngineHarness.WEB, "w2");
        passUntil(at("12:45"));
        assertEquals(List.of("w0"), working());
        assertEquals(planned.subList(0, 2), turns().subList(0, 2));
        assertTrue(turn(2).at().isAfter(planned.get(1)), () -> turns().toString());
    }

    @Test
    void aUnitWhoseMachineChangesItsDomainMovesAtOnceOutOfTheWayOfOthers() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "w0", 0, "host-0"),
                        machine(EngineHarness.WEB, "w1", 0, "host-1"),
                        machine(EngineHarness.WEB, "w2", 0, "host-2")));
        world.poll(EngineHarness.WEB, "w0");
        start(ALL.with(b -> b.at = at("13:00")));
        assertEquals(List.of(at("13:00"), at("13:00"), at("13:00")), turns());
        passUntil(at("12:10"));
        world.ask(world.engine.change(
                facts -> FleetRules.apply(
                        facts, new FleetSpec(List.of(), List.of(machine(EngineHarness.WEB, "w1", 1, "host-1"))), false),
                EngineHarness.PERSON,
                null));
        assertEquals(List.of(at("13:00"), at("13:35"), at("13:00")), turns());
        assertEquals(1, told(HistoryEntry.What.ROLLOUT_MOVED.name()));
        passUntil(at("13:00"));
        assertEquals(List.of("w0", "w2"), working().stream().sorted().toList());
    }

    @Test
    void unitsOfAGroupThatBeginsToPollGetDatesThatTheyCanKeep() {
        webOnHosts(2);
        Duration short5 = Duration.ofMinutes(5);
        start(ALL.withRecovery(short5).with(b -> b.at = at("13:00")));
        assertEquals(List.of(at("13:00"), at("13:10")), turns());
        passUntil(at("12:58"));
        world.poll(EngineHarness.WEB, "w0");
        assertEquals(at("13:13"), date("w1"), "within the tolerance of its turn");
        assertEquals(at("13:23"), turn(0).at(), "after the other and its recovery");
    }

    @Test
    void whatIsHeldWhenItsWindowClosesMovesToTheNextWhateverHoldsIt() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        policy(EngineHarness.WEB, 13);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        EventId restart = world.schedule(Cause.RESTART, "w1");
        passUntil(at("12:55"));
        world.running.clear();
        world.report(restart, DriverReport.FAILED);
        passUntil(at("14:59"));
        assertTrue(date("w0").isBefore(at("14:00")), "w1 of another update domain is down");
        passUntil(at("15:00"));
        assertEquals(Instant.parse("2026-03-02T13:00:00Z"), date("w0"));
    }

    @Test
    void aFreezeOfTheSameMachineDoesNotMoveAUnitThatIsAboutToStart() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        Instant begins = world.now().plus(Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").with(b -> b.at = begins));
        EventId freeze =
                world.schedule(Cause.FREEZE, "w0", Duration.ofMinutes(60).minusSeconds(2));
        passUntil(begins);
        assertEquals(begins, turn(0).at());
        assertEquals(
                Phase.STARTED,
                open(EngineHarness.WEB).stream()
                        .filter(event -> event.work().unit() != null)
                        .findFirst()
                        .orElseThrow()
                        .phase());
        assertEquals(Phase.SCHEDULED, world.event(freeze).orElseThrow().phase());
        done();
        world.poll(EngineHarness.WEB, "w0");
        world.pass(Duration.ofMinutes(1));
        assertTrue(world.running.containsKey(freeze));
    }

    @Test
    void unitsOfAPausedRolloutThatMissTheirTurnsMoveNoOther() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        Duration recovery = Duration.ofMinutes(10);
        start(spec("one", RolloutTarget.Kind.HOSTS, "host-0", "host-1").withRecovery(recovery));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-2").withRecovery(recovery));
        Instant turn = turn(0).at();
        assertEquals(at("12:45"), turn);
        world.ask(new Command.PauseRollout("one", EngineHarness.PERSON));
        passUntil(turn.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(List.of("w2"), working());
        assertEquals(turn, turn(0).at());
    }
}
