package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Phase;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutUnit.State;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A unit that cannot start by the latest start of its rollout holds up nobody else: the rollout does everything else first. */
class LateUnitsTest extends RolloutFixture {
    private Instant until;

    /** Web's w is on host-0, db's d on host-1; both are to be worked on from two hours on, within an hour. */
    @BeforeEach
    void aRolloutOverTwoHosts() {
        apply(1, List.of(machine(EngineHarness.WEB, "w", 0, "host-0"), machine(DB, "d", 0, "host-1")));
        Instant at = world.now().plus(Duration.ofHours(2));
        until = at.plus(Duration.ofHours(1));
        world.poll(EngineHarness.WEB, "w");
        start(hosts(ConcurrencyLimit.ALL).with(b -> {
            b.at = at;
            b.until = until;
        }));
    }

    @Test
    void aGroupThatClosesItsWindowsHaltsTheRolloutOnlyWhenTheOthersAreDone() {
        policy(DB, 3);
        world.pass(Duration.ofHours(1));
        assertEquals(Status.RUNNING, rollout().status());
        passUntil(turn(0).at().plusSeconds(1));
        assertEquals(Phase.STARTED, only(EngineHarness.WEB).phase());
        done();
        world.pass(Duration.ofSeconds(2));
        assertEquals(Status.HALTED, rollout().status());
        assertTrue(
                rollout().why().startsWith("host-1 cannot start by " + until + ", but at "),
                rollout().why());
        assertTrue(rollout().why().endsWith("Resume with another latest start, or let late units start later"));
    }

    @Test
    void aShownUnitThatIsTooLateIsCalledOffAndStartsNothing() {
        world.poll(DB, "d");
        passUntil(turn(1).at().minus(Duration.ofMinutes(5)));
        assertTrue(only(DB).shared());
        policy(DB, 3);
        world.pass(Duration.ofMinutes(1));
        assertEquals(List.of(), open(DB));
        assertEquals(State.PENDING, unit(1).state());
        assertNull(turn(1));
        passUntil(until);
        assertEquals(1, world.running.size(), "the other host is worked on");
    }

    @Test
    void ownersAreToldOnceThatNothingComesOfTheDate() {
        policy(DB, 3);
        world.pass(Duration.ofMinutes(90));
        assertEquals(List.of(List.of("d")), told(HistoryEntry.What.ROLLOUT_CANCELLED));
    }

    @Test
    void aUnitThatFitsAgainIsWorkedOn() {
        policy(DB, 3);
        world.pass(Duration.ofMinutes(5));
        assertNull(turn(1));
        world.ask(new Command.RemovePolicy(new Scope(DB.tenant(), DB.name(), null), EngineHarness.PERSON));
        world.pass(Duration.ofSeconds(2));
        assertEquals(turn(0).at(), turn(1).at());
        assertTrue(told(HistoryEntry.What.ROLLOUT_PLANNED).contains(List.of("d")), "its owner is told the date again");
    }

    @Test
    void aResumeIsRefusedUntilTheUnitMayStartLater() {
        policy(DB, 3);
        passUntil(turn(0).at().plusSeconds(90));
        done();
        world.pass(Duration.ofSeconds(2));
        RefusedException refusal = assertThrows(
                RefusedException.class, () -> world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON)));
        assertEquals(Problem.CONFLICT, refusal.problem());
        assertTrue(refusal.getMessage().contains("host-1 cannot start by"), refusal.getMessage());
        assertEquals(Status.HALTED, rollout().status());
    }

    @Test
    void aPauseMeanwhileLeavesTheOthersTheirTurns() {
        policy(DB, 3);
        world.pass(Duration.ofMinutes(5));
        Instant other = turn(0).at();
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        assertEquals(Status.RUNNING, rollout().status());
        assertEquals(other, turn(0).at());
    }

    @Test
    void unitsThatFitAgainWhileOthersAreShownAreWorkedOnTogether() {
        passUntil(turn(0).at().minus(Duration.ofMinutes(14)));
        assertTrue(only(EngineHarness.WEB).shared());
        policy(DB, 3);
        world.pass(Duration.ofMinutes(1));
        assertNull(turn(1));
        world.ask(new Command.RemovePolicy(new Scope(DB.tenant(), DB.name(), null), EngineHarness.PERSON));
        world.pass(Duration.ofSeconds(2));
        assertEquals(1, rollout().open(), "one is still shown");
        assertTrue(turn(1).at().isBefore(turn(0).at().plus(Duration.ofMinutes(5))), () -> turn(1).toString());
    }

    @Test
    void aUnitThatStillWaitsAtTheLatestStartIsCalledOffAndTheRolloutHalts() {
        world.poll(DB, "d");
        passUntil(turn(1).at().minus(Duration.ofMinutes(10)));
        world.ask(new Command.SetPolicy(
                new Policy(
                        new Scope(DB.tenant(), DB.name(), null),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        true,
                        null),
                EngineHarness.PERSON));
        passUntil(turn(0).at().plusSeconds(90));
        done();
        passUntil(until.plusSeconds(5));
        assertEquals(List.of(), open(DB));
        assertEquals(Status.HALTED, rollout().status());
        assertTrue(
                rollout().why().startsWith("host-1 has not started by " + until),
                rollout().why());
    }

    @Test
    void aResumeWithALatestStartThatIsStillTooEarlyIsRefused() {
        policy(DB, 3);
        passUntil(turn(0).at().plusSeconds(90));
        done();
        world.pass(Duration.ofSeconds(2));
        Command early = new Command.ResumeRollout("os", false, null, until.plusSeconds(60), null, EngineHarness.PERSON);
        RefusedException refusal = assertThrows(RefusedException.class, () -> world.ask(early));
        assertEquals(Problem.CONFLICT, refusal.problem());
        Command later = new Command.ResumeRollout(
                "os", false, null, until.plus(Duration.ofDays(1)), null, EngineHarness.PERSON);
        world.ask(later);
        assertEquals(3, turn(1).at().atZone(ZoneOffset.UTC).getHour());
    }

    private List<List<String>> told(HistoryEntry.What what) {
        return world.history.stream()
                .filter(entry -> entry.what().equals(what.name()))
                .map(HistoryEntry::machines)
                .toList();
    }
}
