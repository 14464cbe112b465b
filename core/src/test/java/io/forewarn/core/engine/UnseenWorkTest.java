package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Host work in a group that does not ask: nobody is shown it, so nobody was given notice of it. */
class UnseenWorkTest extends RolloutFixture {
    /** host-0 carries w0, which asks, and d0, which does not; the work may start from 20:00 on. */
    private Event unseen() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        policy(DB, 20);
        start(spec("os", io.forewarn.core.rollout.RolloutTarget.Kind.HOSTS, "host-0")
                .withNotice(Duration.ofHours(8)));
        return only(DB);
    }

    private void postpone(Event event, Duration by) {
        world.ask(new Command.Postpone(null, event.id(), null, by, EngineHarness.PERSON));
    }

    @Test
    void postponingItChangesNothingThatMachinesSee() {
        Event event = unseen();
        long before = world.engine.view().state(DB).incarnation();
        postpone(event, Duration.ofHours(1));
        assertEquals(before, world.engine.view().state(DB).incarnation());
    }

    @Test
    void onlyTimeByWhichItReallyStartsLaterCountsAgainstTheAllowance() {
        Event event = unseen();
        Instant start = only(EngineHarness.WEB).noticePeriod().notBefore();
        assertEquals(Instant.parse("2026-03-01T20:00:00Z"), start);
        postpone(event, Duration.ofHours(1));
        assertEquals(
                Duration.ofHours(1), only(DB).postponements().get(0).length(), "not from now to the window as well");
        assertEquals(start.plus(Duration.ofHours(1)), only(DB).noticePeriod().notBefore());
        assertEquals(
                start.plus(Duration.ofHours(1)),
                only(EngineHarness.WEB).noticePeriod().notBefore());
    }

    @Test
    void noNoticeWasGivenOfIt() {
        Event event = unseen();
        world.pass(Duration.between(
                world.now(), only(EngineHarness.WEB).noticePeriod().notBefore()));
        assertEquals(Phase.STARTED, only(DB).phase());
        HistoryEntry started = world.history.stream()
                .filter(e -> event.id().equals(e.event()) && e.what().equals("STARTED_UNSEEN"))
                .findFirst()
                .orElseThrow();
        assertEquals(Duration.ZERO, started.given());
    }
}
