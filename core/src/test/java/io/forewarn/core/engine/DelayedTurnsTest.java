package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What owners ask for before a unit's original turn may delay it, and what they ask for after that may not. */
class DelayedTurnsTest extends RolloutFixture {
    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + "Z");
    }

    /** The turn of web's w0 is at 14:00. Its owner asks for a restart at 14:05, which delays it until 14:10. */
    private void delayedByARestart() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").with(b -> b.at = at("14:00:00")));
        passUntil(at("13:40:00"));
        world.schedule(Cause.RESTART, "w0", Duration.ofMinutes(25));
        passUntil(at("13:54:00"));
        assertEquals(at("14:10:00"), turn(0).at());
        assertEquals(at("14:00:00"), turn(0).due());
    }

    private Event ofTheRollout() {
        return open(EngineHarness.WEB).stream()
                .filter(event -> event.work().unit() != null)
                .findFirst()
                .orElseThrow();
    }

    private void postpone(Duration by) {
        Scope scope = new Scope("default", "web", null);
        PostponementLimit limit = new PostponementLimit(9, Duration.ofDays(1));
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, null, limit, null, null, null), EngineHarness.PERSON));
        world.ask(new Command.Postpone(null, ofTheRollout().id(), null, by, EngineHarness.PERSON));
    }

    private Phase phase(EventId id) {
        return world.event(id).map(Event::phase).orElse(Phase.ENDED);
    }

    private void showLate() {
        world.slowCommits(Duration.ofMillis(1300));
        passUntil(at("13:56:00"));
        world.slowCommits(Duration.ZERO);
        assertEquals(at("14:10:02"), turn(0).at());
    }

    @Test
    void aDelayedUnitKeepsItsOriginalTurnIfItsEventIsReadableALittleLate() {
        delayedByARestart();
        showLate();
        assertEquals(at("14:00:00"), turn(0).due());
    }

    @Test
    void itsOwnerCannotDelayItAgainThen() {
        delayedByARestart();
        showLate();
        passUntil(at("14:06:00"));
        done();
        EventId again = world.schedule(Cause.RESTART, "w0");
        passUntil(at("14:10:03"));
        assertEquals(at("14:10:02"), turn(0).at());
        assertEquals(Phase.STARTED, ofTheRollout().phase());
        assertEquals(Phase.SCHEDULED, phase(again));
    }

    @Test
    void aPostponementMovesTheOriginalTurnOfADelayedUnitByAsMuch() {
        delayedByARestart();
        passUntil(at("14:01:00"));
        postpone(Duration.ofMinutes(10));
        assertEquals(at("14:20:00"), turn(0).at());
        assertEquals(at("14:10:00"), turn(0).due());
    }

    @Test
    void afterAPostponementADelayedUnitIsNotDelayedByWhatIsAskedForAfterItsOriginalTurn() {
        delayedByARestart();
        passUntil(at("14:01:00"));
        postpone(Duration.ofMinutes(10));
        passUntil(at("14:08:00"));
        done();
        passUntil(at("14:12:00"));
        EventId again = world.schedule(Cause.RESTART, "w0");
        passUntil(at("14:20:01"));
        assertEquals(Phase.STARTED, ofTheRollout().phase());
        assertEquals(Phase.SCHEDULED, phase(again));
    }

    /** The other update domain's machine is down because a restart failed. */
    private void theOtherDomainHasFailed() {
        world.durations.put(Cause.RESTART, Duration.ofMinutes(40));
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(EngineHarness.WEB, "w1");
        EventId restart = world.schedule(Cause.RESTART, "w1");
        passUntil(at("12:16:00"));
        world.running.clear();
        world.report(restart, DriverReport.FAILED);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        assertEquals(at("12:31:00"), turn(0).at());
    }

    @Test
    void aRepairThatAnOwnerAskedForAfterTheTurnCountsAsWhatTheUnitWaitsFor() {
        theOtherDomainHasFailed();
        passUntil(at("12:32:00"));
        EventId repair = world.schedule(Cause.RESTART, "w1");
        world.approve(repair);
        assertEquals(Phase.STARTED, phase(repair));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        world.pass(Duration.ofMinutes(1));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        assertEquals(at("13:12:00"), turn(0).at(), "when it is over");
    }

    @Test
    void aRequestThatIsApprovedAndWouldBeOverBeforeTheLatestStartGoesFirst() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").with(b -> {
            b.at = at("14:00:00");
            b.until = at("14:02:00");
        }));
        passUntil(at("13:50:00"));
        EventId restart = world.schedule(Cause.RESTART, "w0");
        passUntil(at("13:56:00"));
        assertEquals(Phase.SCHEDULED, phase(restart));
        world.approve(restart);
        assertEquals(Phase.STARTED, phase(restart));
        passUntil(at("14:00:30"));
        done();
        world.pass(Duration.ofSeconds(2));
        assertEquals(Phase.STARTED, ofTheRollout().phase());
        assertEquals(Status.RUNNING, rollout().status());
    }
}
