package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.StartBlocker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An owner may delay a unit of a rollout once: what is asked for after its original turn waits for it, unless that is over in time. */
class RequestsAfterTurnsTest extends RolloutFixture {
    private static final Actor OWNER = Actor.owner("shop-team", "127.0.0.1");
    private static final Duration LONG = Duration.ofMinutes(40);
    private static final Instant TURN = at("14:00");

    /** Web's a and b are on one host, whose turn is 14:00; what owners ask for takes 40 minutes. */
    @BeforeEach
    void twoMachinesOfOneHost() {
        world.durations.put(Cause.RESTART, LONG);
        world.durations.put(Cause.REDEPLOY, LONG);
        apply(1, List.of(machine(EngineHarness.WEB, "a", 0, "host-0"), machine(EngineHarness.WEB, "b", 0, "host-0")));
    }

    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + ":00Z");
    }

    private void approvedInAdvance() {
        Scope scope = new Scope("default", "web", null);
        Policy policy = new Policy(scope, null, true, null, null, null, null, null, null, null, null);
        world.ask(new Command.SetPolicy(policy, OWNER));
    }

    private void planned(Instant until) {
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0").with(b -> {
            b.at = TURN;
            b.until = until;
        }));
        assertEquals(TURN, turn(0).at());
    }

    private EventId asks(Cause cause, String machine) {
        Command command = new Command.Schedule(cause, List.of(EngineHarness.machine(machine)), null, null, OWNER);
        return world.ask(command).events().get(0);
    }

    private EventId restarts(String machine) {
        return asks(Cause.RESTART, machine);
    }

    private void isDone(EventId id) {
        world.running.remove(id);
        world.report(id, DriverReport.DONE);
    }

    private Phase phase(EventId id) {
        return world.event(id).map(Event::phase).orElse(Phase.ENDED);
    }

    private Event unitsEvent() {
        return open(EngineHarness.WEB).stream()
                .filter(event -> event.work().unit() != null)
                .findFirst()
                .orElseThrow();
    }

    private StartBlocker blocker(EventId id) {
        return world.engine
                .rules()
                .blockers(
                        world.engine.view(), EngineHarness.WEB, world.event(id).orElseThrow(), world.now())
                .get(0);
    }

    /** The unit starts at its turn, and the request only when the unit is over. */
    private void goesAfterTheUnit(EventId request, Instant turn) {
        passUntil(turn.minusSeconds(1));
        assertFalse(world.running.containsKey(request), "it would be under way at the turn");
        assertEquals(turn, turn(0).at());
        passUntil(turn);
        assertEquals(1, rollout().started());
        assertEquals(turn, turn(0).at());
        assertFalse(world.running.containsKey(request));
        assertEquals(Status.RUNNING, rollout().status());
        isDone(unitsEvent().id());
        world.pass(NOTICE);
        assertEquals(Phase.STARTED, phase(request));
    }

    @Test
    void aRequestApprovedInAdvanceWaitsForAShownUnitThatWasDelayedBefore() {
        world.poll(EngineHarness.WEB, "a");
        approvedInAdvance();
        planned(null);
        passUntil(TURN.minusSeconds(60));
        assertTrue(unitsEvent().shared());
        EventId first = restarts("a");
        assertEquals(Phase.STARTED, phase(first), "the first one goes before");
        passUntil(at("14:38"));
        isDone(first);
        Instant moved = turn(0).at();
        assertEquals(at("14:39"), moved);
        EventId second = restarts("b");
        assertEquals(
                "work of rollout os on the same machine, planned for 2026-03-01T14:39:00Z, comes first",
                blocker(second).why());
        assertNull(blocker(second).until());
        goesAfterTheUnit(second, moved);
    }

    @Test
    void aRequestWithNoticeWaitsForAShownUnitThatWasDelayedBefore() {
        world.poll(EngineHarness.WEB, "a");
        planned(null);
        passUntil(at("13:58"));
        EventId first = restarts("a");
        passUntil(at("14:20"));
        assertEquals(Phase.STARTED, phase(first));
        Instant moved = turn(0).at();
        assertEquals(at("14:53"), moved);
        EventId second = restarts("b");
        passUntil(at("14:45"));
        isDone(first);
        goesAfterTheUnit(second, moved);
    }

    @Test
    void anApprovedRequestWaitsForAShownUnitThatWasDelayedBefore() {
        world.poll(EngineHarness.WEB, "a");
        planned(null);
        passUntil(at("13:50"));
        EventId first = restarts("a");
        world.approve(first);
        passUntil(at("14:25"));
        isDone(first);
        Instant moved = turn(0).at();
        assertEquals(at("14:30"), moved);
        EventId second = restarts("b");
        world.approve(second);
        goesAfterTheUnit(second, moved);
    }

    @Test
    void aRequestWaitsForAUnitThatIsNotShownYetAndWasDelayedBefore() {
        world.poll(EngineHarness.WEB, "a");
        approvedInAdvance();
        planned(null);
        passUntil(at("13:40"));
        EventId first = restarts("a");
        passUntil(at("14:01"));
        isDone(first);
        Instant moved = turn(0).at();
        assertEquals(at("14:20"), moved);
        assertEquals(List.of(), open(EngineHarness.WEB), "shown at 14:05");
        goesAfterTheUnit(restarts("b"), moved);
    }

    @Test
    void aRequestInAGroupThatDoesNotPollWaitsForAUnitThatWasDelayedBefore() {
        planned(null);
        passUntil(at("13:59"));
        EventId first = restarts("a");
        assertEquals(Phase.STARTED, phase(first), "nobody asks in its group");
        passUntil(at("14:30"));
        isDone(first);
        Instant moved = turn(0).at();
        assertEquals(at("14:39"), moved);
        EventId second = restarts("b");
        assertEquals(Phase.WAITING, phase(second));
        goesAfterTheUnit(second, moved);
    }

    @Test
    void aMoveOfTheOtherMachineWaitsForAUnitThatWasDelayedBefore() {
        world.poll(EngineHarness.WEB, "a");
        approvedInAdvance();
        planned(null);
        passUntil(TURN.minusSeconds(60));
        EventId first = asks(Cause.REDEPLOY, "a");
        passUntil(at("14:30"));
        isDone(first);
        // The owner has it placed on the same host again.
        place(EngineHarness.WEB, "a", 0, "host-9");
        place(EngineHarness.WEB, "a", 0, "host-0");
        passUntil(at("14:37"));
        Instant moved = turn(0).at();
        goesAfterTheUnit(asks(Cause.REDEPLOY, "b"), moved);
    }

    @Test
    void aRequestThatIsOverBeforeTheTurnGoesAtOnce() {
        world.poll(EngineHarness.WEB, "a");
        approvedInAdvance();
        planned(null);
        passUntil(TURN.minusSeconds(60));
        EventId first = restarts("a");
        passUntil(at("14:10"));
        isDone(first);
        world.durations.put(Cause.RESTART, Duration.ofMinutes(20));
        EventId second = restarts("b");
        assertEquals(Phase.STARTED, phase(second), "over by 14:30");
        passUntil(at("14:30"));
        isDone(second);
        passUntil(at("14:39"));
        assertEquals(1, rollout().started());
    }

    @Test
    void aRequestThatIsOverWithinTheToleranceGoesAtOnceAndMovesNothing() {
        world.poll(EngineHarness.WEB, "a");
        approvedInAdvance();
        planned(null);
        passUntil(TURN.minusSeconds(60));
        EventId first = restarts("a");
        passUntil(at("14:10"));
        isDone(first);
        world.durations.put(Cause.RESTART, Duration.ofMinutes(34));
        EventId second = restarts("b");
        assertEquals(Phase.STARTED, phase(second), "over by 14:44, five minutes after the turn");
        passUntil(at("14:44"));
        isDone(second);
        assertEquals(at("14:39"), turn(0).at());
        assertEquals(1, rollout().started());
    }

    @Test
    void aRequestApprovedInAdvanceDoesNotMakeAShownUnitTooLateForItsRollout() {
        world.poll(EngineHarness.WEB, "a");
        approvedInAdvance();
        planned(TURN.plus(Duration.ofMinutes(10)));
        passUntil(at("13:50"));
        assertTrue(unitsEvent().shared());
        EventId request = restarts("a");
        goesAfterTheUnit(request, TURN);
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aRequestApprovedInAdvanceDoesNotMakeAUnitThatIsNotShownYetTooLateForItsRollout() {
        world.poll(EngineHarness.WEB, "a");
        approvedInAdvance();
        planned(TURN.plus(Duration.ofMinutes(10)));
        passUntil(at("13:40"));
        assertEquals(List.of(), open(EngineHarness.WEB));
        EventId request = restarts("a");
        goesAfterTheUnit(request, TURN);
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aRequestInAGroupThatDoesNotPollDoesNotMakeAUnitTooLateForItsRollout() {
        planned(TURN.plus(Duration.ofMinutes(10)));
        passUntil(at("13:40"));
        EventId request = restarts("a");
        assertEquals(Phase.WAITING, phase(request));
        goesAfterTheUnit(request, TURN);
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aRequestThatEndsBeforeTheLatestStartStillGoesBeforeTheUnit() {
        world.poll(EngineHarness.WEB, "a");
        approvedInAdvance();
        planned(TURN.plus(Duration.ofMinutes(40)));
        passUntil(at("13:50"));
        EventId request = restarts("a");
        assertEquals(Phase.STARTED, phase(request), "over by 14:30, ten minutes before the latest start");
        passUntil(at("14:30"));
        isDone(request);
        world.pass(Duration.ofMinutes(1));
        assertEquals(1, rollout().started());
    }

    @Test
    void whatWaitsBehindAnApprovedEventOfItsMachineHasNoEndThatTimeBrings() {
        world.poll(EngineHarness.WEB, "a");
        world.poll(EngineHarness.WEB, "b");
        Scope scope = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, null, null, null, true, null), OWNER));
        EventId restart = restarts("a");
        EventId waiting = world.schedule(Cause.FREEZE, "a");
        world.approve(restart);
        assertEquals(Phase.SCHEDULED, phase(restart), "a has not seen it");
        assertTrue(world.event(restart).orElseThrow().isApproved());
        assertEquals(
                "event " + restart + " of the same machine comes first",
                blocker(waiting).why());
        assertNull(blocker(waiting).until());
    }
}
