package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.SimulatedStore.Fault;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A store that does not come back for long after a commit it could not be sure of: a file that turned read-only. */
class UncertainCommitsTest {
    private final EngineHarness world = EngineHarness.enabled();

    private static Problem problem(CompletableFuture<CommandResult> asked) {
        Throwable failure = assertThrows(CompletionException.class, asked::join).getCause();
        return assertInstanceOf(RefusedException.class, failure).problem();
    }

    @Test
    void waitingCommandsLearnWithinSecondsThatTheOutcomeIsUnknown() {
        for (Fault fault : List.of(Fault.KEPT, Fault.LOST)) {
            EventId id = world.schedule(Cause.RESTART, fault == Fault.KEPT ? "m0" : "m1");
            world.store.fail(fault);
            world.store.failRecoveries(100);
            CompletableFuture<CommandResult> asked = world.engine.submit(new Command.Cancel(id, EngineHarness.PERSON));
            world.turn();
            world.pass(Duration.ofSeconds(2));
            assertFalse(asked.isDone(), "most stores are back by then");
            world.pass(Duration.ofSeconds(2));
            assertEquals(Problem.OUTCOME_UNKNOWN, problem(asked));
            CompletableFuture<CommandResult> later = world.engine.submit(new Command.Cancel(id, EngineHarness.PERSON));
            world.turn();
            assertEquals(Problem.STORE_UNAVAILABLE, problem(later), "nothing was begun, and that is known");
            world.store.failRecoveries(0);
            world.pass(Duration.ofSeconds(2));
            assertTrue(world.engine.trouble().isEmpty());
            assertEquals(
                    fault == Fault.LOST, world.event(id).isPresent(), "what became of it was found out all the same");
        }
    }

    @Test
    void aMissingStoreIsDetectedWithoutWritesAndFoundAgain() {
        world.store.vanish(true);
        world.pass(Duration.ofSeconds(3));
        assertTrue(world.engine.trouble().isPresent());
        assertEquals(1, world.troubles, "told once, not every second");
        world.store.vanish(false);
        world.pass(Duration.ofSeconds(3));
        assertTrue(world.engine.trouble().isEmpty());
    }
}
