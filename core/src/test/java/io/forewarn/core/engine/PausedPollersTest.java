package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Transition;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A group that begins to poll while its rollout stands still: no date moves before the rollout goes on. */
class PausedPollersTest extends RolloutFixture {
    private static final Instant TURN = Instant.parse("2026-03-01T13:00:00Z");

    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + "Z");
    }

    /** Web's w and db's d share a host whose turn is at 13:00. Web polls, and the rollout is paused at 12:48. */
    private void pausedWhileOneGroupIsShownTheWork(Instant until) {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").with(b -> {
            b.at = TURN;
            b.until = until;
        }));
        passUntil(at("12:48:00"));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
    }

    private void dbBeginsToPoll(Instant then, String machine) {
        passUntil(then);
        world.poll(DB, machine);
        world.pass(Duration.ofSeconds(2));
    }

    private void resume(Instant until) {
        world.ask(new Command.ResumeRollout("os", false, null, until, null, EngineHarness.PERSON));
        world.pass(Duration.ofSeconds(2));
    }

    private Instant date(Event event) {
        return event.noticePeriod().notBefore();
    }

    private void nothingMovedAndDbIsNotShownTheWork(int unit, Instant planned) {
        assertEquals(planned, turn(unit).at());
        assertEquals("", unit(unit).why());
        assertEquals(planned, date(only(EngineHarness.WEB)));
        assertFalse(only(DB).shared());
        assertEquals(Set.of(), told());
    }

    /** What owners were told of dates that moved or were cancelled. */
    private Set<String> told() {
        Set<String> said =
                new HashSet<>(world.history.stream().map(HistoryEntry::what).toList());
        said.retainAll(List.of(
                Transition.MOVED.name(),
                Transition.CANCELLED.name(),
                HistoryEntry.What.ROLLOUT_MOVED.name(),
                HistoryEntry.What.ROLLOUT_CANCELLED.name()));
        return said;
    }

    @Test
    void aGroupThatBeginsToPollWhileTheRolloutIsPausedMovesNoDate() {
        pausedWhileOneGroupIsShownTheWork(null);
        dbBeginsToPoll(at("12:53:00"), "d0");
        nothingMovedAndDbIsNotShownTheWork(0, TURN);
        assertEquals(TURN, world.engine.due().orElseThrow(), "nothing is tried every second until then");
    }

    @Test
    void itIsShownItsEventWithItsNoticeWhenTheRolloutIsResumed() {
        pausedWhileOneGroupIsShownTheWork(null);
        EventId shown = only(EngineHarness.WEB).id();
        dbBeginsToPoll(at("12:53:00"), "d0");
        assertFalse(only(DB).shared());
        resume(null);
        assertTrue(only(DB).shared());
        assertEquals(at("13:08:02"), date(only(DB)));
        assertEquals(at("13:08:02"), date(only(EngineHarness.WEB)));
        assertEquals(at("13:08:02"), turn(0).at());
        assertEquals(shown, only(EngineHarness.WEB).id());
        passUntil(at("13:08:02"));
        assertEquals(2, world.running.values().iterator().next().machines().size());
    }

    @Test
    void itIsShownItsEventByAResumeLongAfterTheDate() {
        pausedWhileOneGroupIsShownTheWork(null);
        dbBeginsToPoll(at("12:53:00"), "d0");
        passUntil(at("14:00:00"));
        nothingMovedAndDbIsNotShownTheWork(0, TURN);
        resume(null);
        assertTrue(only(DB).shared());
        assertEquals(at("14:15:00"), date(only(DB)));
        assertEquals(at("14:15:00"), date(only(EngineHarness.WEB)));
    }

    @Test
    void itMakesNoUnitTooLateWhileTheRolloutIsPaused() {
        Instant until = at("13:07:00");
        pausedWhileOneGroupIsShownTheWork(until);
        dbBeginsToPoll(at("12:53:00"), "d0");
        nothingMovedAndDbIsNotShownTheWork(0, TURN);
    }

    @Test
    void aResumeWithALaterLatestStartCancelsNoEventOfOthers() {
        pausedWhileOneGroupIsShownTheWork(at("13:07:00"));
        EventId shown = only(EngineHarness.WEB).id();
        dbBeginsToPoll(at("12:53:00"), "d0");
        resume(at("15:00:00"));
        assertEquals(shown, only(EngineHarness.WEB).id());
        assertEquals(at("13:08:02"), date(only(EngineHarness.WEB)));
        assertTrue(only(DB).shared());
        assertFalse(told().contains(Transition.CANCELLED.name()));
        assertEquals(Status.RUNNING, rollout().status());
    }

    @Test
    void aGroupThatBeginsToPollWhileTheRolloutIsHaltedMovesNoDateEither() {
        apply(
                1,
                List.of(
                        machine(EngineHarness.WEB, "w0", 0, "host-0"),
                        machine(EngineHarness.WEB, "w1", 0, "host-1"),
                        machine(DB, "d1", 0, "host-1")));
        world.poll(EngineHarness.WEB, "w0");
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1)).with(b -> b.at = TURN));
        assertEquals(at("13:05:00"), turn(1).at());
        passUntil(at("13:01:00"));
        EventId failing = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(failing, DriverReport.FAILED);
        assertEquals(Status.HALTED, rollout().status());
        dbBeginsToPoll(at("13:02:00"), "d1");
        nothingMovedAndDbIsNotShownTheWork(1, at("13:05:00"));
        resume(null);
        assertTrue(only(DB).shared());
        assertEquals(at("13:17:02"), date(only(DB)));
        assertEquals(at("13:17:02"), date(only(EngineHarness.WEB)));
    }
}
