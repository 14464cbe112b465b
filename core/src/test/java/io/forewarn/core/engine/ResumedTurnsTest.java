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
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutSpec.Late;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The turns that several units get together, when a rollout is resumed or a policy changes. */
class ResumedTurnsTest extends RolloutFixture {
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final GroupId BANK = new GroupId("bank", "core");

    /** Turns at 22:00:00, 22:31:30 and 23:03:00. */
    private static final RolloutSpec NIGHT = spec("os", RolloutTarget.Kind.HOSTS, "*")
            .withNotice(Duration.ofHours(1))
            .between(at("22:00:00"), null, Late.REFUSE, UTC);

    @BeforeEach
    void workTakesNinetySeconds() {
        world.durations.put(Cause.HOST_REBOOT, Duration.ofSeconds(90));
    }

    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + "Z");
    }

    private static Instant tomorrow(String time) {
        return at(time).plus(Duration.ofDays(1));
    }

    private List<Instant> turns() {
        return IntStream.range(0, rollout().units()).mapToObj(i -> turn(i).at()).toList();
    }

    /** Three update domains of web on three hosts, which bank's machines share with them. */
    private void webAndBank(int... hostsOfBank) {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            machines.add(machine(EngineHarness.WEB, "w" + i, i, "host-" + i));
        }
        for (int host : hostsOfBank) {
            machines.add(machine(BANK, "b" + host, host, "host-" + host));
        }
        List<GroupSpec> groups = List.of(
                new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 2),
                new GroupSpec(0, BANK, GroupKind.AVAILABILITY_SET, 3, 2));
        FleetSpec fleet = new FleetSpec(groups, machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        world.poll(EngineHarness.WEB, "w0");
    }

    private static RolloutSpec until(RolloutSpec spec, Instant until, Late late) {
        return spec.with(b -> {
            b.until = until;
            b.late = late;
        });
    }

    private void startsAsPlanned(RolloutSpec spec) {
        start(spec);
        assertEquals(List.of(at("22:00:00"), at("22:31:30"), at("23:03:00")), turns());
    }

    private void pauseAt(String time) {
        passUntil(at(time));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
    }

    private void resume() {
        resume(null, null);
    }

    private void resume(Instant until, Late late) {
        world.ask(new Command.ResumeRollout("os", false, null, until, late, EngineHarness.PERSON));
    }

    private void retry(Duration notice) {
        world.ask(new Command.ResumeRollout("os", true, notice, null, null, EngineHarness.PERSON));
    }

    /** Nothing changes by a resume that is refused. */
    private RefusedException refused(Instant until, Late late) {
        List<Instant> before = turns();
        Rollout rollout = rollout();
        RefusedException refusal = assertThrows(RefusedException.class, () -> resume(until, late));
        assertEquals(before, turns());
        assertEquals(rollout, rollout());
        return refusal;
    }

    private void blackoutOfBank() {
        Policy none = Policy.of(new Scope(BANK.tenant(), null, null));
        world.ask(new Command.SetPolicy(
                new Policy(
                        none.scope(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        List.of(new Blackout(
                                LocalDateTime.parse("2026-03-01T18:00"), LocalDateTime.parse("2026-03-03T08:00"), UTC)),
                        null,
                        null,
                        null,
                        null),
                EngineHarness.PERSON));
    }

    private void windowOfBank() {
        MaintenanceWindow late = new MaintenanceWindow(
                EnumSet.allOf(DayOfWeek.class), LocalTime.of(23, 10), Duration.ofMinutes(50), UTC);
        world.ask(new Command.SetPolicy(
                new Policy(
                        new Scope(BANK.tenant(), null, null),
                        null,
                        null,
                        null,
                        null,
                        List.of(late),
                        null,
                        null,
                        null,
                        null,
                        null),
                EngineHarness.PERSON));
    }

    private void firstFailsAt(String time) {
        passUntil(at(time));
        assertEquals(1, world.running.size());
        EventId id = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(id, DriverReport.FAILED);
        assertEquals(Rollout.Status.HALTED, rollout().status());
    }

    private void pausedWithABlackoutForTheLast(Late late) {
        webAndBank(2);
        startsAsPlanned(until(NIGHT, at("23:30:00"), late));
        pauseAt("21:50:00");
        blackoutOfBank();
        passUntil(at("22:20:00"));
    }

    @Test
    void aUnitThatABlackoutMovesToAnotherNightLeavesItsSlotToThoseThatMissedTheirs() {
        pausedWithABlackoutForTheLast(Late.NEXT_WINDOW);
        resume();
        assertEquals(List.of(at("22:35:00"), at("23:06:30"), at("22:00:00").plus(Duration.ofDays(2))), turns());
        assertEquals("the rollout was paused or halted", turn(0).why());
        assertEquals("late units wait for the hours of the rollout", turn(2).why());
    }

    @Test
    void aResumeThatABlackoutMakesImpossibleNamesTheHostWithTheBlackout() {
        pausedWithABlackoutForTheLast(Late.REFUSE);
        String why = refused(null, null).getMessage();
        assertTrue(why.contains("host-2 cannot start by 2026-03-01T23:30:00Z, but at 2026-03-03T08:00:00Z"), why);
        assertTrue(why.contains("a blackout until"), why);
    }

    @Test
    void aResumeIsRefusedIfABlackoutMakesAUnitLateThatWouldKeepItsTurn() {
        webAndBank(2);
        startsAsPlanned(until(NIGHT, at("23:30:00"), Late.REFUSE));
        pauseAt("15:00:00");
        blackoutOfBank();
        world.pass(Duration.ofHours(1));
        String why = refused(null, null).getMessage();
        assertTrue(why.contains("host-2 cannot start by"), why);
        assertEquals(Rollout.Status.PAUSED, rollout().status());
    }

    @Test
    void unitsThatAreInTheWayOfARetryFollowItInOrder() {
        webAndBank();
        startsAsPlanned(until(NIGHT, tomorrow("00:00:00"), Late.REFUSE));
        firstFailsAt("22:01:00");
        passUntil(at("22:35:00"));
        retry(null);
        assertEquals(List.of(at("22:50:00"), at("23:21:30"), at("23:53:00")), turns());
    }

    @Test
    void unitsThatMissedTheirTurnsFollowARetryBeforeThoseThatAreInItsWay() {
        webAndBank();
        startsAsPlanned(NIGHT);
        firstFailsAt("22:01:00");
        passUntil(at("22:55:00"));
        retry(Duration.ofMinutes(20));
        assertEquals(List.of(at("23:15:00"), at("23:46:30"), tomorrow("00:18:00")), turns());
    }

    @Test
    void aWindowThatMovesSeveralUnitsGivesThemTurnsInOrder() {
        webAndBank(1, 2);
        startsAsPlanned(NIGHT);
        passUntil(at("20:00:00"));
        windowOfBank();
        assertEquals(List.of(at("22:00:00"), at("23:10:00"), at("23:41:30")), turns());
        assertTrue(turn(1).why().contains("no maintenance window opens before"), turn(1).why());
    }

    @Test
    void aWindowThatMovesShownUnitsGivesThemTurnsInOrder() {
        webAndBank(1, 2);
        world.poll(BANK, "b1");
        startsAsPlanned(NIGHT.withNotice(Duration.ofHours(3)));
        passUntil(at("20:30:00"));
        windowOfBank();
        assertEquals(List.of(at("22:00:00"), at("23:10:00"), at("23:41:30")), turns());
    }

    @Test
    void aUnitThatIsToBeMovedDoesNotCountAgainstTheLimit() {
        webAndBank(1, 2);
        // Without the recovery, only the limit keeps them apart.
        start(NIGHT.withAtOnce(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1))
                .withRecovery(Duration.ZERO)
                .with(b -> b.at = at("23:10:00")));
        assertEquals(List.of(at("23:10:00"), at("23:11:30"), at("23:13:00")), turns());
        passUntil(at("20:00:00"));
        MaintenanceWindow window = new MaintenanceWindow(
                EnumSet.allOf(DayOfWeek.class), LocalTime.of(23, 12, 30), Duration.ofSeconds(10), UTC);
        world.ask(new Command.SetPolicy(
                new Policy(
                        new Scope(BANK.tenant(), null, null),
                        null,
                        null,
                        null,
                        null,
                        List.of(window),
                        null,
                        null,
                        null,
                        null,
                        null),
                EngineHarness.PERSON));
        assertEquals(List.of(at("23:10:00"), at("23:12:30"), tomorrow("23:12:30")), turns());
    }

    @Test
    void anEarlierLatestStartIsRefusedIfAUnitKeepsALaterTurn() {
        for (Late before : List.of(Late.REFUSE, Late.ANY)) {
            ResumedTurnsTest each = new ResumedTurnsTest();
            each.workTakesNinetySeconds();
            each.webAndBank();
            each.startsAsPlanned(until(NIGHT, at("23:30:00"), before));
            each.pauseAt("21:00:00");
            String why = each.refused(at("22:40:00"), Late.REFUSE).getMessage();
            assertTrue(why.contains("host-2 cannot start by 2026-03-01T22:40:00Z"), why);
            assertTrue(why.contains("2026-03-01T23:03:00Z"), why);
            each.resume(at("23:03:00"), Late.REFUSE);
            assertEquals(List.of(at("22:00:00"), at("22:31:30"), at("23:03:00")), each.turns());
        }
    }

    @Test
    void unitsThatAnEarlierLatestStartMakesLateGetTheirTurnsAtOnce() {
        webAndBank();
        startsAsPlanned(until(NIGHT, at("23:30:00"), Late.REFUSE));
        pauseAt("20:00:00");
        resume(at("22:40:00"), Late.NEXT_WINDOW);
        assertEquals(List.of(at("22:00:00"), at("22:31:30"), tomorrow("22:00:00")), turns());
        assertEquals("late units wait for the hours of the rollout", turn(2).why());
    }

    @Test
    void unitsThatMayStartLateKeepTheirTurns() {
        webAndBank();
        startsAsPlanned(until(NIGHT, at("23:30:00"), Late.REFUSE));
        pauseAt("20:00:00");
        resume(at("22:40:00"), Late.ANY);
        assertEquals(List.of(at("22:00:00"), at("22:31:30"), at("23:03:00")), turns());
    }

    @Test
    void aLatestStartBeforeTheEarliestIsRefusedAsWhenARolloutStarts() {
        webAndBank();
        RefusedException atStart =
                assertThrows(RefusedException.class, () -> start(until(NIGHT, at("21:00:00"), Late.REFUSE)));
        startsAsPlanned(NIGHT);
        pauseAt("20:00:00");
        RefusedException atResume = refused(at("21:00:00"), null);
        assertEquals(Problem.BAD_INPUT, atResume.problem());
        assertEquals(atStart.getMessage(), atResume.getMessage());
    }

    @Test
    void aRetryOfAMachineThatRunsAgainMovesNobody() {
        webAndBank();
        start(NIGHT.withNotice(Duration.ofHours(2)).withRecovery(Duration.ofMinutes(45)));
        List<Instant> planned = turns();
        assertEquals(List.of(at("22:00:00"), at("22:46:30"), at("23:33:00")), planned);
        firstFailsAt("22:01:00");
        world.schedule(Cause.RESTART, "w0");
        passUntil(at("22:18:00"));
        done();
        world.poll(EngineHarness.WEB, "w0");
        passUntil(at("22:20:00"));
        retry(Duration.ofMinutes(20));
        assertEquals(planned.subList(1, 3), turns().subList(1, 3));
        assertEquals(tomorrow("00:19:30"), turn(0).at(), "the first free slot");
        passUntil(at("22:46:00"));
        assertTrue(
                world.shown().stream().noneMatch(event -> event.lists("w0")),
                "it is shown 20 minutes before its turn, as the retry says");
    }
}
