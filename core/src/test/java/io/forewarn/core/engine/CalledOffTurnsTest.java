package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec.Late;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Owners who were told a date are not worked on before it, though the work was called off meanwhile because it became too late. */
class CalledOffTurnsTest extends RolloutFixture {
    private static final Scope WEB = new Scope("default", "web", null);
    private static final Instant BEGIN = EngineHarness.START;

    private void blackout(Instant from, Instant until) {
        Blackout blackout = new Blackout(
                LocalDateTime.ofInstant(from, ZoneOffset.UTC),
                LocalDateTime.ofInstant(until, ZoneOffset.UTC),
                ZoneOffset.UTC);
        world.ask(new Command.SetPolicy(
                new Policy(WEB, null, null, null, null, null, List.of(blackout), null, null, null, null),
                EngineHarness.PERSON));
    }

    /** When a host is worked on that is evacuated in 48 hours. */
    private static final Instant WORK = hours(96).plus(Duration.ofMinutes(5));

    private static Instant hours(int hours) {
        return BEGIN.plus(Duration.ofHours(hours));
    }

    /** One host, in 48 hours, at the latest in 60. */
    private void inTwoDays() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0")
                .withNotice(Duration.ofDays(2))
                .with(b -> b.until = hours(60)));
        assertEquals(hours(48), turn(0).at());
    }

    /** From before its turn until after its latest start. */
    private void calledOff() {
        inTwoDays();
        passUntil(hours(1));
        blackout(hours(40), hours(62));
        world.pass(Duration.ofMinutes(1));
        assertNull(turn(0));
        assertEquals(List.of(), open(EngineHarness.WEB));
    }

    @Test
    void aUnitThatBecameTooLateIsNotWorkedOnBeforeItsOldTurnButHaltsTheRollout() {
        calledOff();
        assertEquals(Status.HALTED, rollout().status());
        assertTrue(rollout().why().startsWith("host-0 cannot start by " + hours(60)), rollout()::why);
        passUntil(hours(70));
        assertEquals(0, rollout().started());
        assertEquals(List.of(), open(EngineHarness.WEB));
    }

    @Test
    void aUnitThatFitsAgainIsWorkedOnAtItsOldTurn() {
        calledOff();
        resumedWithoutBlackout();
        assertEquals(hours(48), turn(0).at());
        assertEquals(hours(48), turn(0).first());
    }

    @Test
    void aUnitThatMayStartLateKeepsTheTurnThatItHadFirst() {
        calledOff();
        world.ask(new Command.ResumeRollout("os", false, null, null, Late.ANY, EngineHarness.PERSON));
        world.pass(Duration.ofMinutes(1));
        assertEquals(hours(62), turn(0).at());
        assertEquals(hours(48), turn(0).first());
        assertTrue(turn(0).hasMoved(), "it is counted among those that moved");
        passUntil(hours(61));
        world.poll(EngineHarness.WEB, "w0");
        passUntil(hours(62));
        assertEquals(1, rollout().started());
    }

    @Test
    void theOldTurnIsKeptThoughItIsCalledOffTwice() {
        calledOff();
        resumedWithoutBlackout();
        blackout(hours(30), hours(70));
        world.pass(Duration.ofMinutes(1));
        assertNull(turn(0));
        resumedWithoutBlackout();
        assertEquals(hours(48), turn(0).at());
    }

    /** A host with two update domains, evacuated in 48 hours and worked on after as much notice again; nothing starts after 100. */
    private void toBeEvacuated() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 1, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .withNotice(Duration.ofDays(2))
                .with(b -> b.until = hours(100)));
        assertEquals(hours(48), turn(0).next());
        assertEquals(WORK, turn(0).at());
        passUntil(hours(1));
    }

    private void evacuationIsCalledOff() {
        toBeEvacuated();
        blackout(hours(40), hours(102));
        world.pass(Duration.ofMinutes(1));
        assertNull(turn(0));
    }

    private void resumedWithoutBlackout() {
        world.ask(new Command.RemovePolicy(WEB, EngineHarness.PERSON));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        world.pass(Duration.ofMinutes(1));
    }

    @Test
    void anEvacuatedHostIsNotWorkedOnBeforeItsOldDateEither() {
        evacuationIsCalledOff();
        assertEquals(Status.HALTED, rollout().status());
        passUntil(hours(30));
        assertEquals(0, rollout().started());
        resumedWithoutBlackout();
        assertEquals(hours(48), turn(0).next());
        assertEquals(WORK, turn(0).at());
    }

    @Test
    void norIsAHostThatNeedsNoEvacuationAnyMore() {
        evacuationIsCalledOff();
        place(EngineHarness.WEB, "b", 1, "host-9");
        resumedWithoutBlackout();
        assertEquals(List.of(), turn(0).evacuations());
        assertEquals(WORK, turn(0).at());
    }

    @Test
    void norIsAHostWhoseEvacuationWouldFitButNotItsWork() {
        toBeEvacuated();
        blackout(hours(40), hours(52).plus(Duration.ofMinutes(10)));
        world.pass(Duration.ofMinutes(1));
        assertNull(turn(0), "after as much notice again it is too late");
        assertEquals(Status.HALTED, rollout().status());
        passUntil(hours(101));
        assertEquals(0, rollout().started());
    }
}
