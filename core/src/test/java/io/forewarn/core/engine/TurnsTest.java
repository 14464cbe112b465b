package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutSpec.Late;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The plan of a rollout is fixed when it starts, shown in time, and kept. */
class TurnsTest extends RolloutFixture {
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final RolloutSpec ALL = spec("os", RolloutTarget.Kind.HOSTS, "*");

    private static Instant at(String time) {
        return Instant.parse("2026-03-" + time + ":00Z");
    }

    private List<Instant> turns() {
        return IntStream.range(0, rollout().units()).mapToObj(i -> turn(i).at()).toList();
    }

    private RolloutPlan plan(RolloutSpec spec) {
        return world.engine.rules().plan(world.engine.view(), spec, world.now());
    }

    private void webOnHostsPolls(int hosts) {
        webOnHosts(hosts);
        world.poll(EngineHarness.WEB, "w0");
    }

    private void set(Policy policy) {
        world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
    }

    @Test
    void everyUnitGetsItsTurnWhenTheRolloutStartsAndKeepsIt() {
        webOnHostsPolls(3);
        RolloutPlan plan = plan(ALL);
        start(ALL);
        List<Instant> turns = List.of(at("01T12:15"), at("01T12:50"), at("01T13:25"));
        assertEquals(turns, turns());
        assertEquals(turns, plan.steps().stream().map(RolloutPlan.Step::starts).toList(), "as the plan said");
        for (int unit = 0; unit < 3; unit++) {
            passUntil(turn(unit).at().minusSeconds(1));
            assertTrue(world.running.isEmpty());
            world.pass(Duration.ofSeconds(1));
            assertEquals(1, world.running.size());
            world.pass(Duration.ofMinutes(5));
            done();
            world.poll(EngineHarness.WEB, "w" + unit);
        }
        assertEquals(turns, turns());
        assertTrue(rollout().isOver());
    }

    @Test
    void everyTurnHasAReasonAlsoTheFirst() {
        webOnHostsPolls(2);
        List<String> reasons =
                plan(ALL).steps().stream().map(RolloutPlan.Step::why).toList();
        assertEquals(Turn.NOTICE, reasons.get(0));
        assertTrue(reasons.get(1).startsWith("update domain 0 of group default/web"), reasons.get(1));
        RolloutSpec tonight = ALL.between(at("01T22:00"), null, Late.REFUSE, UTC);
        assertEquals(
                "no unit of the rollout starts earlier (--at)",
                plan(tonight).steps().get(0).why());
        assertEquals(
                "owners may redeploy their machines until then (--self-service-until), and its machines get their notice after that",
                plan(ALL.withSelfServiceUntil(at("02T12:00"))).steps().get(0).why());
        start(tonight);
        assertEquals("no unit of the rollout starts earlier (--at)", turn(0).why());
    }

    @Test
    void itsTenantsAreToldAtOnceWhichMachinesAreWorkedOnWhen() {
        webOnHostsPolls(2);
        start(ALL.withNotice(Duration.ofHours(1)));
        List<HistoryEntry> told = world.history.stream()
                .filter(e -> e.what().equals(HistoryEntry.What.ROLLOUT_PLANNED.name()))
                .toList();
        assertEquals(1, told.size(), "one for its only tenant");
        assertEquals(List.of("w0", "w1"), told.get(0).machines());
        assertTrue(
                told.get(0).detail().contains("2026-03-01T13:35:00Z w1"),
                told.get(0).detail());
    }

    @Test
    void aMachineIsShownItsEventAsLongBeforeItsTurnAsTheRolloutSays() {
        webOnHostsPolls(2);
        start(ALL.withNotice(Duration.ofHours(1)).between(at("01T22:00"), null, Late.REFUSE, UTC));
        assertEquals(List.of(at("01T22:00"), at("01T22:35")), turns());
        passUntil(at("01T20:59"));
        assertTrue(open(EngineHarness.WEB).isEmpty());
        passUntil(at("01T21:00"));
        assertEquals(at("01T22:00"), only(EngineHarness.WEB).noticePeriod().notBefore());
        passUntil(at("01T21:35"));
        assertEquals(2, world.shown().size(), "two domains may be shown together");
    }

    @Test
    void withANoticeOfTwoDaysEverybodyIsToldOnWednesdayOfFridayNight() {
        webOnHostsPolls(3);
        start(ALL.withNotice(Duration.ofHours(48)).between(at("06T22:00"), at("07T06:00"), Late.REFUSE, UTC));
        assertEquals(List.of(at("06T22:00"), at("06T22:35"), at("06T23:10")), turns());
        for (int day = 1; day < 5; day++) {
            assertTrue(world.shown().isEmpty());
            passUntil(at("0" + day + "T13:00"));
            world.poll(EngineHarness.WEB, "w0");
        }
        passUntil(at("04T23:59"));
        assertEquals(3, world.shown().size());
        for (Event event : world.shown()) {
            assertEquals(
                    Duration.ofHours(48),
                    Duration.between(
                            event.noticePeriod().at(), event.noticePeriod().notBefore()));
        }
    }

    @Test
    void theNoticeAskedForIsGivenEvenIfTheEarliestStartIsSooner() {
        webOnHostsPolls(1);
        start(ALL.withNotice(Duration.ofHours(2)).between(at("01T13:00"), null, Late.REFUSE, UTC));
        assertEquals(at("01T14:00"), only(EngineHarness.WEB).noticePeriod().notBefore());
    }

    @Test
    void anOwnerMayLimitHowEarlyItsMachinesAreShownEventsButNotBelowTheMinimum() {
        webOnHostsPolls(1);
        Policy none = Policy.of(new Scope("default", "web", null));
        set(none.shownAhead(Duration.ofHours(1)));
        RolloutSpec night = ALL.withNotice(Duration.ofHours(8)).between(at("01T22:00"), null, Late.REFUSE, UTC);
        start(night);
        passUntil(at("01T20:59"));
        assertTrue(world.shown().isEmpty());
        set(none.shownAhead(Duration.ofMinutes(1)));
        passUntil(at("01T21:44"));
        assertTrue(world.shown().isEmpty());
        passUntil(at("01T21:45"));
        assertEquals(1, world.shown().size(), "15 minutes before, which is the minimum");
    }

    @Test
    void aPlanWarnsWhenTwoDomainsOfAGroupWouldBeVisibleTogether() {
        webOnHostsPolls(2);
        assertEquals(List.of(), plan(ALL).warnings());
        List<String> warnings = plan(ALL.withNotice(Duration.ofHours(2))).warnings();
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.get(0).contains("default/web"), warnings.get(0));
        set(Policy.of(new Scope("default", "web", null)).shownAhead(Duration.ofMinutes(15)));
        assertEquals(List.of(), plan(ALL.withNotice(Duration.ofHours(2))).warnings(), "the owner has limited it");
    }

    @Test
    void nothingStartsBeforeTheEarliestStartEvenIfItIsApproved() {
        webOnHostsPolls(1);
        start(ALL.withNotice(Duration.ofHours(2)).between(at("01T14:00"), null, Late.REFUSE, UTC));
        approve(EngineHarness.WEB);
        passUntil(at("01T13:59"));
        assertTrue(world.running.isEmpty());
        passUntil(at("01T14:00"));
        assertEquals(1, world.running.size());
    }

    @Test
    void aRolloutThatCannotKeepItsLatestStartIsRefusedWithTheNearestThatWorks() {
        webOnHostsPolls(3);
        RolloutSpec tight = ALL.between(null, at("01T13:00"), Late.REFUSE, UTC);
        RolloutPlan plan = plan(tight);
        assertEquals(
                List.of("host-2"),
                plan.late().stream().map(RolloutPlan.Step::unit).toList());
        RefusedException refusal = assertThrows(RefusedException.class, () -> start(tight));
        assertEquals(Problem.CONFLICT, refusal.problem());
        assertTrue(refusal.getMessage().contains("host-2 at 2026-03-01T13:25:00Z"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("fit until 2026-03-01T13:25:00Z"), refusal.getMessage());
        assertTrue(world.engine.view().rollouts().isEmpty());
        start(ALL.between(null, at("01T13:25"), Late.REFUSE, UTC));
        assertEquals(at("01T13:25"), turn(2).at());
    }

    @Test
    void lateUnitsStartLaterIfThatIsWanted() {
        webOnHostsPolls(3);
        start(ALL.between(null, at("01T13:00"), Late.ANY, UTC));
        assertEquals(at("01T13:25"), turn(2).at());
    }

    @Test
    void lateUnitsWaitForTheSameHoursOfTheNextDayIfThatIsWanted() {
        webOnHostsPolls(3);
        start(ALL.between(at("01T12:30"), at("01T13:10"), Late.NEXT_WINDOW, UTC));
        assertEquals(List.of(at("01T12:30"), at("01T13:05"), at("02T12:30")), turns());
    }

    @Test
    void aRunningRolloutThatCannotKeepItsLatestStartHaltsAndIsResumedWithAnother() {
        webOnHostsPolls(2);
        start(ALL.between(null, at("01T12:50"), Late.REFUSE, UTC));
        passUntil(at("01T12:45"));
        assertEquals(1, world.running.size(), "the work takes much longer than expected");
        done();
        world.pass(Duration.ofSeconds(2));
        assertEquals(io.forewarn.core.rollout.Rollout.Status.HALTED, rollout().status());
        assertTrue(rollout().why().contains("host-1 cannot start by"), rollout().why());
        world.poll(EngineHarness.WEB, "w0");
        passUntil(at("01T14:00"));
        assertTrue(world.running.isEmpty());
        world.ask(new Command.ResumeRollout("os", false, null, null, Late.ANY, EngineHarness.PERSON));
        assertEquals(at("01T14:15"), turn(1).at());
        passUntil(at("01T14:15"));
        assertEquals(1, world.running.size());
    }

    @Test
    void aHostThatCarriesAFrozenTenantMovesAsAWholeAndTellsTheOthersOnlyWhen() {
        GroupId bank = new GroupId("bank", "core");
        FleetSpec fleet = new FleetSpec(
                List.of(
                        new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 2, 2),
                        new GroupSpec(0, bank, GroupKind.AVAILABILITY_SET, 1, 1)),
                List.of(
                        machine(EngineHarness.WEB, "w0", 0, "host-0"),
                        machine(bank, "b0", 0, "host-0"),
                        machine(EngineHarness.WEB, "w1", 1, "host-1")));
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        world.poll(EngineHarness.WEB, "w0");
        world.poll(bank, "b0");
        LocalDate today = LocalDate.of(2026, 3, 1);
        set(new Policy(
                new Scope("bank", null, null),
                null,
                null,
                null,
                null,
                null,
                List.of(new Blackout(today, today, ZoneOffset.UTC)),
                null,
                null,
                null,
                null));
        start(ALL);
        assertEquals(at("02T00:00"), turn(0).at());
        assertEquals(at("01T12:15"), turn(1).at(), "the other host is not held");
        assertTrue(turn(0).why("bank").contains("blackout"), turn(0).why("bank"));
        assertEquals(Turn.ANOTHER_TENANT, turn(0).why("default"));
        passUntil(at("01T12:20"));
        done();
        world.poll(EngineHarness.WEB, "w1");
        passUntil(at("01T23:45"));
        assertEquals(at("02T00:00"), only(EngineHarness.WEB).noticePeriod().notBefore());
        assertEquals(at("02T00:00"), only(bank).noticePeriod().notBefore());
        assertFalse(
                world.history.stream()
                        .filter(e -> e.group() != null && e.group().tenant().equals("default"))
                        .toList()
                        .toString()
                        .contains("bank"),
                "no tenant reads another's name");
    }

    @Test
    void aSecondRolloutPlansAroundTheFirstAndMovesNoneOfItsTurns() {
        webOnHostsPolls(4);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0", "host-1"));
        List<Instant> turns = turns();
        start(spec("next", RolloutTarget.Kind.HOSTS, "host-2", "host-3"));
        assertEquals(turns, turns());
        assertEquals(
                List.of(at("01T13:25"), at("01T14:00")),
                IntStream.range(0, 2)
                        .mapToObj(i -> world.engine
                                .view()
                                .units("next", 0)
                                .unit(i)
                                .turn()
                                .at())
                        .toList());
    }

    @Test
    void aMachineWithAScheduledEventMayBeRemovedAndNobodyElseIsDisturbed() {
        webOnHostsPolls(3);
        start(ALL.withNotice(Duration.ofHours(3)));
        passUntil(at("01T13:30"));
        assertEquals(3, world.shown().size());
        List<Instant> turns = turns();
        removeMachine("w1");
        assertEquals(
                List.of(List.of("w0"), List.of("w2")),
                world.shown().stream().map(Event::resources).toList());
        assertEquals(turns.get(2), turn(2).at());
        assertEquals(turns.get(0), turn(0).at());
    }
}
