package io.forewarn.core.rules;

import static io.forewarn.core.engine.EngineHarness.WEB;
import static io.forewarn.core.rules.ScheduleRulesTest.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.EffectivePolicy;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PolicyRulesTest {
    private static final Scope TENANT = new Scope("default", null, null);
    private static final Scope GROUP = new Scope("default", "web", null);
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final Actor M0 = Actor.machine("default/m0", "127.0.0.1");

    /** The world begins on a Sunday at noon. */
    private final EngineHarness world = EngineHarness.enabled();

    private static Policy notice(Scope scope, Duration notice) {
        return new Policy(scope, notice, null, null, null, null, null, null, null, null, null);
    }

    private static Policy approval(ApprovalQuorum quorum) {
        return new Policy(GROUP, null, null, null, quorum, null, null, null, null, null, null);
    }

    private static Policy windows(Scope scope, MaintenanceWindow... windows) {
        return new Policy(scope, null, null, null, null, List.of(windows), null, null, null, null, null);
    }

    private static Policy blackouts(Scope scope, Blackout... blackouts) {
        return new Policy(scope, null, null, null, null, null, List.of(blackouts), null, null, null, null);
    }

    private static Policy postpone(PostponementLimit owner, PostponementLimit guest) {
        return new Policy(GROUP, null, null, null, null, null, null, owner, guest, null, null);
    }

    private static Policy flags(Boolean autoApprove, Boolean whenAllDown, Boolean seenByAll) {
        return new Policy(GROUP, null, autoApprove, whenAllDown, null, null, null, null, null, seenByAll, null);
    }

    private static MaintenanceWindow daily(int hour, int hours) {
        return new MaintenanceWindow(
                EnumSet.allOf(DayOfWeek.class), LocalTime.of(hour, 0), Duration.ofHours(hours), UTC);
    }

    private void set(Policy policy) {
        world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
    }

    private Phase phase(EventId id) {
        return world.event(id).map(Event::phase).orElse(Phase.ENDED);
    }

    private Instant notBefore(EventId id) {
        return world.event(id).orElseThrow().noticePeriod().notBefore();
    }

    private void postpone(EventId id, Duration by, Actor actor) {
        world.ask(new Command.Postpone(actor == M0 ? WEB : null, id, null, by, actor));
    }

    private List<StartBlocker> holds(EventId id) {
        return world.engine
                .rules()
                .blockers(world.engine.view(), WEB, world.event(id).orElseThrow(), world.now());
    }

    @Test
    void theMostSpecificPolicyThatSaysAValueSetsIt() {
        set(notice(TENANT, Duration.ofMinutes(20)));
        set(notice(new Scope("default", null, EventType.FREEZE), Duration.ofMinutes(25)));
        assertEquals(world.now().plus(Duration.ofMinutes(25)), notBefore(world.schedule(Cause.FREEZE, "m0")));
        assertEquals(world.now().plus(Duration.ofMinutes(20)), notBefore(world.schedule(Cause.RESTART, "m1")));
        set(notice(GROUP, Duration.ofMinutes(30)));
        set(approval(ApprovalQuorum.ALL));
        assertEquals(world.now().plus(Duration.ofMinutes(30)), notBefore(world.schedule(Cause.FREEZE, "m2")));
        EffectivePolicy resolved = world.engine.rules().policy(world.engine.view(), WEB, EventType.FREEZE);
        assertEquals(GROUP, resolved.notice().by());
        assertEquals(GROUP, resolved.approval().by());
        assertEquals("the terms of the service", resolved.windows().origin());
        world.ask(new Command.RemovePolicy(GROUP, EngineHarness.PERSON));
        assertEquals(world.now().plus(Duration.ofMinutes(25)), notBefore(world.schedule(Cause.FREEZE, "m3")));
    }

    @Test
    void aNoticeBelowTheMinimumIsRefusedUnlessTheTermsAreLower() {
        assertRefused(Problem.BAD_INPUT, "at least 15m", () -> set(notice(GROUP, Duration.ofMinutes(14))));
        Scope terminate = new Scope("default", null, EventType.TERMINATE);
        assertRefused(Problem.BAD_INPUT, "at most 15m", () -> set(notice(terminate, Duration.ofMinutes(16))));
        set(notice(terminate, Duration.ofMinutes(10)));
        assertTrue(world.engine.view().policy(GROUP).isEmpty());
    }

    @Test
    void lessNoticeThanThePolicySaysIsRefusedByItsName() {
        set(notice(GROUP, Duration.ofMinutes(30)));
        assertRefused(
                Problem.BAD_INPUT,
                "the policy of group default/web",
                () -> world.schedule(Cause.RESTART, "m0", Duration.ofMinutes(20)));
    }

    @Test
    void userRestartsApprovedInAdvanceAppearAsStartedAtOnce() {
        set(flags(true, null, null));
        EventId id = world.schedule(Cause.RESTART, "m0");
        assertEquals(List.of("STARTED_AT_ONCE"), world.steps(id));
        assertEquals(1, world.shown().size());
        assertEquals(Phase.SCHEDULED, phase(world.schedule(Cause.FREEZE, "m1")));
        assertEquals(Phase.SCHEDULED, phase(world.schedule(Cause.RESTART, "m2", Duration.ofMinutes(15))));
    }

    @Test
    void underAllEachListedMachineMustBeReady() {
        set(approval(ApprovalQuorum.ALL));
        EventId id = world.schedule(Cause.FREEZE, "m1");
        world.ask(new Command.Approve(WEB, List.of(id), M0));
        assertEquals(Phase.SCHEDULED, phase(id));
        assertFalse(world.event(id).orElseThrow().isApproved());
        assertTrue(holds(id).stream().anyMatch(h -> h.why().contains("0 of 1 machines are ready")));
        world.ask(new Command.Ready(WEB, "m1", List.of(id), Actor.machine("default/m1", "127.0.0.2")));
        assertEquals(Phase.STARTED, phase(id));
        assertEquals(List.of("SCHEDULED", "READY", "APPROVED", "STARTED_BY_APPROVAL"), world.steps(id));
    }

    @Test
    void whatMachinesApprovedIsTheirsAndStaysApproved() {
        set(approval(ApprovalQuorum.ALL));
        RolloutSpec spec = RolloutSpec.of(
                        "os", Cause.HOST_REBOOT, new RolloutTarget(RolloutTarget.Kind.GROUPS, List.of("default/web")))
                .between(world.now().plus(Duration.ofHours(2)), null, RolloutSpec.Late.REFUSE, UTC)
                .withNotice(Duration.ofHours(1));
        world.ask(world.engine.roll(spec, EngineHarness.PERSON, null));
        world.pass(Duration.ofHours(1));
        EventId id = world.shown().get(0).id();
        assertEquals(List.of("m0", "m2", "m4"), world.event(id).orElseThrow().resources());
        world.ask(new Command.Ready(WEB, "m0", List.of(id), M0));
        world.pass(Duration.ofMinutes(1));
        world.ask(new Command.Ready(WEB, "m4", List.of(id), Actor.machine("default/m4", "127.0.0.5")));
        world.pass(Duration.ofMinutes(1));
        assertFalse(world.event(id).orElseThrow().isApproved());
        set(approval(ApprovalQuorum.some(2)));
        assertEquals(
                Actor.machine("default/m4", ""),
                world.event(id).orElseThrow().approval().by());
        set(approval(ApprovalQuorum.ALL));
        assertTrue(world.event(id).orElseThrow().isApproved());
        assertEquals(List.of("SCHEDULED", "READY", "READY", "APPROVED"), world.steps(id));
    }

    @Test
    void whatItsMachineApprovesIsTheMachinesEvenIfThePolicyWasFirst() {
        EventId failure = world.schedule(Cause.FAILURE, "m1");
        world.report(failure, DriverReport.FAILED);
        set(windows(GROUP, daily(20, 2)));
        set(flags(null, true, null));
        set(approval(ApprovalQuorum.ALL));
        EventId freeze = world.schedule(Cause.FREEZE, "m1");
        assertEquals(Actor.SERVICE, world.event(freeze).orElseThrow().approval().by());
        Actor machine = Actor.machine("default/m1", "127.0.0.2");
        world.ask(new Command.Ready(WEB, "m1", List.of(freeze), machine));
        assertEquals(machine, world.event(freeze).orElseThrow().approval().by());
    }

    @Test
    void aPersonsApprovalOverridesAnyQuorum() {
        set(approval(ApprovalQuorum.some(3)));
        EventId id = world.schedule(Cause.RESTART, "m1");
        world.ask(new Command.Approve(null, List.of(id), EngineHarness.PERSON));
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void onlyAMachineThatIsTouchedCanBeReady() {
        EventId id = world.schedule(Cause.RESTART, "m1");
        assertRefused(
                Problem.CONFLICT, "does not touch m0", () -> world.ask(new Command.Ready(WEB, "m0", List.of(id), M0)));
        assertRefused(
                Problem.BAD_INPUT,
                "there is no event",
                () -> world.ask(new Command.Ready(WEB, "m0", List.of(new EventId(new UUID(1, 1))), M0)));
    }

    @Test
    void aWindowMovesNotBeforeOfPlatformWorkAndOfNothingElse() {
        set(windows(GROUP, daily(20, 2)));
        assertEquals(Instant.parse("2026-03-01T20:00:00Z"), notBefore(world.schedule(Cause.FREEZE, "m0")));
        assertEquals(world.now().plus(Duration.ofMinutes(15)), notBefore(world.schedule(Cause.RESTART, "m1")));
    }

    @Test
    void anApprovedEventWaitsForItsWindowAlsoAcrossACrash() {
        set(windows(GROUP, daily(20, 2)));
        EventId id = world.schedule(Cause.FREEZE, "m0");
        world.approve(id);
        assertEquals(Phase.SCHEDULED, phase(id));
        assertEquals(
                "no maintenance window is open, by the policy of group default/web",
                holds(id).get(0).why());
        world.open();
        world.pass(Duration.ofHours(8).minusSeconds(1));
        assertEquals(Phase.SCHEDULED, phase(id));
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void aWindowSetLaterHoldsScheduledEventsUntilItIsRemoved() {
        EventId id = world.schedule(Cause.FREEZE, "m0");
        EventId other = world.schedule(Cause.FREEZE, "m2");
        set(blackouts(TENANT, new Blackout(LocalDate.of(2026, 3, 1), LocalDate.of(2026, 3, 2), UTC)));
        world.pass(Duration.ofMinutes(10));
        world.ask(new Command.Approve(null, List.of(id), EngineHarness.PERSON));
        assertEquals(Phase.SCHEDULED, phase(id));
        world.pass(Duration.ofMinutes(50));
        Instant opens = Instant.parse("2026-03-03T00:00:00Z");
        for (EventId each : List.of(id, other)) {
            assertEquals(
                    opens,
                    world.event(each).orElseThrow().noticePeriod().notBefore(),
                    "the date shown is one at which it can start");
        }
        world.ask(new Command.RemovePolicy(TENANT, EngineHarness.PERSON));
        assertEquals(Phase.STARTED, phase(id), "it is approved");
        assertEquals(Phase.SCHEDULED, phase(other), "a date never moves earlier");
    }

    @Test
    void aCrashRightAfterAPolicyIsRemovedDelaysNoOne() {
        set(windows(GROUP, daily(20, 2)));
        EventId id = world.schedule(Cause.FREEZE, "m0");
        world.approve(id);
        world.engine.submit(new Command.RemovePolicy(GROUP, EngineHarness.PERSON));
        world.engine.turn(new ClockReading(world.now(), world.nanos()));
        assertEquals(Phase.SCHEDULED, phase(id));
        world.open();
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void workWithoutNoticeWaitsForTheWindowToo() {
        EngineHarness silent = EngineHarness.withWeb(ServiceTerms.AZURE);
        silent.ask(new Command.SetPolicy(windows(GROUP, daily(20, 2)), EngineHarness.PERSON));
        EventId id = silent.schedule(Cause.FREEZE, "m0");
        assertEquals(List.of("ACCEPTED"), silent.steps(id));
        silent.pass(Duration.ofHours(8));
        assertEquals(List.of("ACCEPTED", "STARTED_WITHOUT_NOTICE_AFTER_WAITING"), silent.steps(id));
    }

    @Test
    void policiesThatTogetherLeaveNoMomentOpenAreRefused() {
        set(windows(
                GROUP, new MaintenanceWindow(Set.of(DayOfWeek.MONDAY), LocalTime.of(1, 0), Duration.ofHours(1), UTC)));
        Blackout[] everyMonday = new Blackout[53];
        for (int i = 0; i < everyMonday.length; i++) {
            LocalDate monday = LocalDate.of(2026, 3, 2).plusWeeks(i);
            everyMonday[i] = new Blackout(monday, monday, UTC);
        }
        assertRefused(Problem.BAD_INPUT, "leave no moment open", () -> set(blackouts(TENANT, everyMonday)));
        assertTrue(world.engine.view().policy(TENANT).isEmpty());
        assertRefused(
                Problem.BAD_INPUT,
                "leave no moment open",
                () -> set(blackouts(TENANT, new Blackout(LocalDate.of(2026, 1, 1), LocalDate.of(2030, 1, 1), UTC))));
    }

    @Test
    void aBlackoutThatTheClocksSkipIsRefused() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        LocalDate day = LocalDate.of(2040, 3, 25);
        assertRefused(
                Problem.BAD_INPUT,
                "the blackout 2040-03-25 02:10..2040-03-25 02:50 is empty: the clocks of Europe/Berlin skip all of it",
                () -> set(blackouts(TENANT, new Blackout(day.atTime(2, 10), day.atTime(2, 50), berlin))));
        set(blackouts(TENANT, new Blackout(day.atTime(2, 10), day.atTime(3, 1), berlin)));
    }

    @Test
    void nothingStartsBeforeEachListedMachineHasSeenIt() {
        set(flags(null, null, true));
        EventId id = world.schedule(Cause.RESTART, "m1");
        world.approve(id);
        world.pass(Duration.ofHours(1));
        assertEquals(Phase.SCHEDULED, phase(id));
        assertTrue(holds(id).get(0).why().startsWith("not seen yet by m1"));
        world.poll(WEB, "m1");
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void anUnseenEventStartsByTimeOnceItIsSeen() {
        set(flags(null, null, true));
        EventId id = world.schedule(Cause.RESTART, "m1");
        world.pass(Duration.ofHours(1));
        world.poll(WEB, "m1");
        assertEquals("STARTED_BY_TIME", world.steps(id).get(2));
    }

    @Test
    void aPersonMayWaiveThatAllHaveSeenIt() {
        set(flags(null, null, true));
        EventId id = world.schedule(Cause.RESTART, "m1");
        world.ask(new Command.Approve(null, List.of(id), EngineHarness.PERSON));
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void anEventOfWhichNoMachineRunsNeedsNoOtherApproval() {
        EventId failed = world.schedule(Cause.FAILURE, "m1");
        world.report(failed, DriverReport.FAILED);
        set(flags(null, true, null));
        EventId id = world.schedule(Cause.RESTART, "m1");
        assertEquals(List.of("SCHEDULED", "APPROVED", "STARTED_BY_APPROVAL"), world.steps(id));
        assertEquals(Phase.SCHEDULED, phase(world.schedule(Cause.RESTART, "m2")));
    }

    @Test
    void anApprovalBecauseNothingRunsLapsesOnlyWhenAMachineRuns() {
        EventId failure = world.schedule(Cause.FAILURE, "m1");
        world.report(failure, DriverReport.FAILED);
        set(windows(GROUP, daily(20, 2)));
        set(flags(null, true, null));
        EventId freeze = world.schedule(Cause.FREEZE, "m1");
        assertTrue(world.event(freeze).orElseThrow().isApproved());
        EventId restart = world.schedule(Cause.RESTART, "m1");
        assertEquals(Phase.STARTED, phase(restart));
        world.poll(WEB, "m2");
        world.pass(Duration.ofMinutes(1));
        assertTrue(world.event(freeze).orElseThrow().isApproved(), "it is being restarted and does not run yet");
        world.report(restart, DriverReport.DONE);
        assertFalse(world.event(freeze).orElseThrow().isApproved());
    }

    @Test
    void postponingMovesNotBeforeAndCounts() {
        set(postpone(new PostponementLimit(1, Duration.ofHours(2)), new PostponementLimit(2, Duration.ofMinutes(30))));
        EventId id = world.schedule(Cause.RESTART, "m0");
        Instant first = notBefore(id);
        long incarnation = world.incarnation();
        postpone(id, Duration.ofMinutes(20), M0);
        assertEquals(first.plus(Duration.ofMinutes(20)), notBefore(id));
        assertEquals(incarnation + 1, world.incarnation());
        postpone(id, Duration.ofHours(2), EngineHarness.PERSON);
        world.open();
        assertEquals(first.plus(Duration.ofMinutes(140)), notBefore(id));
        world.pass(Duration.between(world.now(), notBefore(id)).minusSeconds(1));
        assertEquals(Phase.SCHEDULED, phase(id));
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void aRefusedPostponementSaysThatAWindowMakesItLonger() {
        set(windows(GROUP, daily(20, 2)));
        set(postpone(new PostponementLimit(3, Duration.ofHours(4)), null));
        EventId id = world.schedule(Cause.FREEZE, "m0");
        world.pass(Duration.ofHours(7));
        assertRefused(
                Problem.CONFLICT,
                "by 4h more, not by 1d, to 2026-03-02T20:00:00Z,"
                        + " the first time from 2026-03-01T22:30:00Z on at which it may start: owners may by 4h in all",
                () -> postpone(id, Duration.ofMinutes(150), EngineHarness.PERSON));
    }

    @Test
    void whatSetADateIsNotCalledANoticeAndWhatOneWaitsForIsNamed() {
        EventId restart = world.schedule(Cause.RESTART, "m0");
        assertEquals(
                List.of(new StartBlocker("its notice, unless it is approved", notBefore(restart))), holds(restart));
        EventId waiting = world.schedule(Cause.FREEZE, "m0");
        assertEquals(Phase.WAITING, phase(waiting));
        assertEquals(
                List.of(StartBlocker.unknownEnd(
                        "event " + restart + " of the same machine, which starts at " + notBefore(restart)
                                + ", comes first",
                        notBefore(restart))),
                holds(waiting));
        world.approve(restart);
        assertEquals(
                List.of(new StartBlocker("event " + restart + " of the same machine is under way", null)),
                holds(waiting));
        set(windows(GROUP, daily(20, 2)));
        EventId freeze = world.schedule(Cause.FREEZE, "m2");
        assertEquals(
                new StartBlocker("its date, unless it is approved", notBefore(freeze)),
                holds(freeze).get(0));
    }

    @Test
    void aPostponementThatMayNotBeIsRefusedAndChangesNothing() {
        set(postpone(new PostponementLimit(2, Duration.ofHours(1)), null));
        EventId id = world.schedule(Cause.RESTART, "m0");
        Instant before = notBefore(id);
        assertRefused(Problem.FORBIDDEN, "may not postpone", () -> postpone(id, Duration.ofMinutes(5), M0));
        assertRefused(
                Problem.BAD_INPUT, "later time", () -> postpone(id, Duration.ofMinutes(-5), EngineHarness.PERSON));
        assertRefused(Problem.CONFLICT, "by 1h more", () -> postpone(id, Duration.ofMinutes(61), EngineHarness.PERSON));
        assertRefused(
                Problem.NOT_FOUND,
                "no open event",
                () -> postpone(new EventId(new UUID(1, 1)), Duration.ofMinutes(5), EngineHarness.PERSON));
        assertEquals(before, notBefore(id));
        assertEquals(2, world.incarnation());
        postpone(id, Duration.ofMinutes(1), EngineHarness.PERSON);
        postpone(id, Duration.ofMinutes(1), EngineHarness.PERSON);
        assertRefused(Problem.CONFLICT, "2 times", () -> postpone(id, Duration.ofMinutes(1), EngineHarness.PERSON));
        world.approve(id);
        assertRefused(Problem.CONFLICT, "started at", () -> postpone(id, Duration.ofMinutes(1), EngineHarness.PERSON));
    }

    @Test
    void aSpotMachineIsTakenWhenItIsTime() {
        set(postpone(new PostponementLimit(2, Duration.ofHours(1)), null));
        EventId id = world.schedule(Cause.PREEMPT, "m5");
        assertRefused(
                Problem.CONFLICT,
                "cannot be postponed",
                () -> postpone(id, Duration.ofMinutes(1), EngineHarness.PERSON));
    }

    @Test
    void aPostponementLandsInAWindow() {
        set(windows(GROUP, daily(20, 2)));
        set(postpone(new PostponementLimit(1, Duration.ofDays(2)), null));
        EventId id = world.schedule(Cause.FREEZE, "m0");
        postpone(id, Duration.ofHours(3), EngineHarness.PERSON);
        assertEquals(Instant.parse("2026-03-02T20:00:00Z"), notBefore(id));
    }

    @Test
    void aWindowTooFarAwayForTheAllowanceIsRefused() {
        set(windows(GROUP, daily(20, 2)));
        set(postpone(new PostponementLimit(1, Duration.ofHours(4)), null));
        EventId id = world.schedule(Cause.FREEZE, "m0");
        assertRefused(
                Problem.CONFLICT,
                "to 2026-03-02T20:00:00Z",
                () -> postpone(id, Duration.ofHours(3), EngineHarness.PERSON));
        postpone(id, Duration.ofHours(1), EngineHarness.PERSON);
        assertEquals(Instant.parse("2026-03-01T21:00:00Z"), notBefore(id));
    }

    @Test
    void anEventHeldPastItsNotBeforeIsPostponedFromNow() {
        set(postpone(new PostponementLimit(1, Duration.ofHours(1)), null));
        EventId first = world.schedule(Cause.FREEZE, "m0");
        EventId second = world.schedule(Cause.FREEZE, "m1");
        world.pass(Duration.ofHours(2));
        assertEquals(Phase.STARTED, phase(first));
        assertRefused(
                Problem.BAD_INPUT,
                "name a later time",
                () -> world.ask(new Command.Postpone(null, second, world.now(), null, EngineHarness.PERSON)));
        postpone(second, Duration.ofHours(1), EngineHarness.PERSON);
        assertEquals(world.now().plus(Duration.ofHours(1)), notBefore(second));
    }

    @Test
    void aTenantMayHaveAsManyUserOperationsAsItsPolicySays() {
        set(new Policy(TENANT, null, null, null, null, null, null, null, null, null, 1));
        world.schedule(Cause.RESTART, "m0");
        assertRefused(Problem.LIMIT_EXCEEDED, "at most 1", () -> world.schedule(Cause.RESTART, "m1"));
    }

    @Test
    void aMachineThatHasRecoveredIsWrittenDown() {
        world.ask(new Command.Recovered(WEB, "m0", M0));
        HistoryEntry last = world.history.get(world.history.size() - 1);
        assertEquals("RECOVERED", last.what());
        assertEquals(List.of("m0"), last.machines());
    }

    @Test
    void policiesSurviveACrash() {
        set(notice(GROUP, Duration.ofMinutes(30)));
        world.open();
        assertEquals(
                Duration.ofMinutes(30),
                world.engine.view().policy(GROUP).orElseThrow().notice());
    }

    @Test
    void aPolicyForAnUnknownScopeIsRefused() {
        assertRefused(
                Problem.NOT_FOUND,
                "did you mean web",
                () -> set(notice(new Scope("default", "wep", null), Duration.ofMinutes(30))));
        assertRefused(
                Problem.NOT_FOUND,
                "no tenant shop",
                () -> set(notice(new Scope("shop", null, null), Duration.ofMinutes(30))));
        assertRefused(
                Problem.NOT_FOUND,
                "no policy of tenant default",
                () -> world.ask(new Command.RemovePolicy(TENANT, EngineHarness.PERSON)));
        assertRefused(Problem.BAD_INPUT, "says nothing", () -> set(Policy.of(GROUP)));
    }

    @Test
    void notBeforeIsNotRoundedOutOfAWindow() {
        set(windows(GROUP, daily(13, 1)));
        world.pass(Duration.ofMinutes(104).plusSeconds(59).plusMillis(500));
        assertEquals(Instant.parse("2026-03-01T13:44:59.500Z"), world.now());
        assertEquals(Instant.parse("2026-03-02T13:00:00Z"), notBefore(world.schedule(Cause.FREEZE, "m0")));
    }

    @Test
    void aPostponementIsNotRoundedOutOfAWindow() {
        set(windows(GROUP, daily(13, 1)));
        set(postpone(new PostponementLimit(1, Duration.ofDays(2)), null));
        EventId id = world.schedule(Cause.FREEZE, "m0");
        Instant asked = Instant.parse("2026-03-01T13:59:59.500Z");
        world.ask(new Command.Postpone(null, id, asked, null, EngineHarness.PERSON));
        assertEquals(Instant.parse("2026-03-02T13:00:00Z"), notBefore(id));
    }

    @Test
    void whatStartsAsItIsScheduledIsOneChange() {
        EventId failed = world.schedule(Cause.FAILURE, "m1");
        world.report(failed, DriverReport.FAILED);
        set(flags(null, true, null));
        long before = world.incarnation();
        EventId id = world.schedule(Cause.RESTART, "m1");
        assertEquals(Phase.STARTED, phase(id));
        assertEquals(before + 1, world.incarnation());
    }

    @Test
    void workApprovedInAdvanceStartsOnceAllMachinesHaveSeenIt() {
        set(flags(true, null, true));
        EventId id = world.schedule(Cause.RESTART, "m1");
        assertEquals(Phase.SCHEDULED, phase(id));
        assertEquals(world.now(), notBefore(id));
        world.pass(Duration.ofHours(1));
        assertEquals(Phase.SCHEDULED, phase(id));
        world.poll(WEB, "m1");
        assertEquals(Phase.STARTED, phase(id));
        EventId dead = world.schedule(Cause.RESTART, "m2");
        world.ask(new Command.Approve(null, List.of(dead), EngineHarness.PERSON));
        assertEquals(Phase.STARTED, phase(dead), "a person may waive it");
    }

    @Test
    void aPersonMayLetStartWhatAMachineApprovedAndAnotherHasNotSeen() {
        set(flags(null, null, true));
        EventId id = world.schedule(Cause.RESTART, "m1");
        world.approve(id);
        assertEquals(Phase.SCHEDULED, phase(id));
        world.ask(new Command.Approve(null, List.of(id), EngineHarness.PERSON));
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void aPolicyChangeIsAnsweredAfterOpenEventsWereRechecked() {
        set(windows(GROUP, daily(20, 2)));
        EventId id = world.schedule(Cause.FREEZE, "m0");
        world.approve(id);
        var asked = world.engine.submit(new Command.RemovePolicy(GROUP, EngineHarness.PERSON));
        for (int turns = 0; turns < 10 && !asked.isDone(); turns++) {
            world.engine.turn(new ClockReading(world.now(), world.nanos()));
        }
        assertTrue(asked.isDone());
        assertEquals(Phase.STARTED, phase(id));
    }
}
