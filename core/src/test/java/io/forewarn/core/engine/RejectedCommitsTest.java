package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.SimulatedStore.Fault;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A disk that is full for a while: what nobody would ask for again is neither lost nor tried without a pause. */
class RejectedCommitsTest {
    private static final Duration NOTICE = Duration.ofMinutes(15).plusMillis(500);

    private final EngineHarness world = EngineHarness.enabled();

    private void rejects(int commits) {
        world.store.fail(Collections.nCopies(commits, Fault.REJECTED).toArray(Fault[]::new));
    }

    private void sighted(EventId id) {
        Actor machine = Actor.machine("default/m0", "127.0.0.1");
        world.engine.sighted(new Command.Sight(EngineHarness.WEB, "m0", Set.of(id), world.now(), machine));
        world.turn();
    }

    private Set<String> seenBy(EventId id) {
        return world.event(id).orElseThrow().sightings().keySet();
    }

    @Test
    void aSightingIsTriedOnceASecondUntilItIsWritten() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        rejects(5);
        sighted(id);
        assertEquals(1, world.troubles, "the next try waits");
        assertFalse(world.engine.isIdle());
        for (int tries = 2; tries <= 5; tries++) {
            world.pass(Duration.ofSeconds(1));
            assertEquals(tries, world.troubles);
        }
        assertEquals(Set.of(), seenBy(id));
        world.pass(Duration.ofSeconds(1));
        assertEquals(5, world.troubles);
        assertEquals(Set.of("m0"), seenBy(id));
        assertTrue(world.engine.isIdle());
    }

    @Test
    void aRefusalIsWrittenDownOnceHoweverOftenTheDiskWasFull() {
        rejects(3);
        world.engine.denied(
                "GET /v1/tokens", new RefusedException(Problem.FORBIDDEN, "not yours"), EngineHarness.PERSON);
        world.turn();
        assertEquals(1, world.troubles);
        world.pass(Duration.ofSeconds(10));
        assertEquals(3, world.troubles);
        assertEquals(
                List.of("GET /v1/tokens"),
                world.audit().stream()
                        .flatMap(page -> page.deeds().stream())
                        .filter(entry -> entry.problem() == Problem.FORBIDDEN)
                        .map(entry -> entry.asked())
                        .toList());
    }

    @Test
    void aCommandEndsTheBackoffAfterARefusedCommit() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        rejects(1);
        sighted(id);
        assertEquals(Set.of(), seenBy(id));
        world.schedule(Cause.RESTART, "m1");
        assertEquals(Set.of("m0"), seenBy(id));
    }

    @Test
    void aDeadlineIsMetOnceTheDiskHasRoom() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        Instant notBefore = world.event(id).orElseThrow().noticePeriod().notBefore();
        world.pass(Duration.between(world.now(), notBefore).minusMillis(1));
        rejects(3);
        world.pass(Duration.ofSeconds(2));
        assertEquals(Phase.SCHEDULED, world.event(id).orElseThrow().phase());
        world.pass(Duration.ofSeconds(2));
        assertEquals(3, world.troubles);
        assertEquals(Phase.STARTED, world.event(id).orElseThrow().phase());
    }

    /** That an event could be read late must be known before its deadline is looked at. */
    @Test
    void anEventShownLateDoesNotStartEarlyBeforeThatIsDurable() {
        world.slowCommits(Duration.ofSeconds(2));
        world.engine.submit(new Command.Schedule(
                Cause.RESTART, List.of(EngineHarness.machine("m0")), NOTICE, null, EngineHarness.PERSON));
        world.engine.turn(world.moment());
        world.slowCommits(Duration.ZERO);
        EventId id = world.shown().get(0).id();
        Instant notBefore = world.event(id).orElseThrow().noticePeriod().notBefore();
        // The last is rejected when the notice is all but over.
        rejects((int) NOTICE.toSeconds() + 1);
        world.turn();
        world.pass(Duration.between(world.now(), notBefore));
        assertEquals(Phase.SCHEDULED, world.event(id).orElseThrow().phase());
        for (int i = 0; i < 100; i++) {
            world.pass(Duration.ofMillis(100));
        }
        assertEquals(Phase.STARTED, world.event(id).orElseThrow().phase());
        assertEquals(1, world.noticeGiven.size());
        assertTrue(world.noticeGiven.get(id).compareTo(NOTICE) >= 0, world.noticeGiven::toString);
        assertEquals(List.of("SCHEDULED", "MOVED"), world.steps(id).subList(0, 2));
    }

    @Test
    void aPolicyChangeIsAnsweredEvenIfOpenEventsCannotBeRechecked() {
        Scope group = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(group, null, null, null, null, null, null, null, null, true, null), EngineHarness.PERSON));
        EventId id = world.schedule(Cause.RESTART, "m1");
        world.approve(id);
        var asked = world.engine.submit(new Command.RemovePolicy(group, EngineHarness.PERSON));
        world.engine.turn(world.moment());
        assertFalse(asked.isDone(), "the event it held is looked at first");
        rejects(3);
        world.engine.turn(world.moment());
        assertTrue(asked.isDone() && !asked.isCompletedExceptionally());
        world.pass(Duration.ofSeconds(5));
        assertEquals(Phase.STARTED, world.event(id).orElseThrow().phase());
    }
}
