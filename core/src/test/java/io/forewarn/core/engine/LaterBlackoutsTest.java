package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A blackout that begins while an event is held, however far ahead it was. */
class LaterBlackoutsTest extends RolloutFixture {
    private static final LocalDateTime TEN_DAYS_AHEAD = LocalDateTime.parse("2026-03-11T12:00");

    private void blackouts(Blackout... blackouts) {
        Scope scope = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, List.of(blackouts), null, null, null, null),
                EngineHarness.PERSON));
    }

    private static Blackout days(LocalDateTime begins, int days) {
        return new Blackout(begins, begins.plusDays(days), ZoneOffset.UTC);
    }

    /** The event of web's w0 is held, because w1 of another update domain has failed. */
    private void heldEvent() {
        world.poll(EngineHarness.WEB, "w0");
        world.poll(EngineHarness.WEB, "w1");
        EventId restart = world.schedule(Cause.RESTART, "w1");
        passUntil(Instant.parse("2026-03-01T12:16:00Z"));
        world.running.clear();
        world.report(restart, DriverReport.FAILED);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        world.pass(Duration.ofMinutes(30));
        assertEquals(Phase.SCHEDULED, only(EngineHarness.WEB).phase());
        assertEquals(Instant.parse("2026-03-01T12:31:00Z"), date());
    }

    @BeforeEach
    void twoHosts() {
        webOnHosts(2);
    }

    private Instant date() {
        return only(EngineHarness.WEB).noticePeriod().notBefore();
    }

    @Test
    void aBlackoutMoreThanAWeekAheadMovesTheDateOfAHeldEventWhenItBegins() {
        blackouts(days(TEN_DAYS_AHEAD, 2));
        heldEvent();
        passUntil(Instant.parse("2026-03-11T12:01:00Z"));
        assertEquals(Instant.parse("2026-03-13T12:00:00Z"), date());
        assertEquals(date(), turn(0).at());
    }

    @Test
    void soDoesOneThatIsSetWhileTheEventIsHeld() {
        heldEvent();
        blackouts(days(TEN_DAYS_AHEAD, 2));
        passUntil(Instant.parse("2026-03-11T12:01:00Z"));
        assertEquals(Instant.parse("2026-03-13T12:00:00Z"), date());
    }

    @Test
    void soDoesTheSecondOfTwo() {
        blackouts(days(LocalDateTime.parse("2026-03-03T12:00"), 1), days(LocalDateTime.parse("2026-03-20T12:00"), 1));
        heldEvent();
        passUntil(Instant.parse("2026-03-03T12:01:00Z"));
        assertEquals(Instant.parse("2026-03-04T12:00:00Z"), date());
        passUntil(Instant.parse("2026-03-20T12:01:00Z"));
        assertEquals(Instant.parse("2026-03-21T12:00:00Z"), date());
    }
}
