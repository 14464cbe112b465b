package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.wire.control.Json;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ClusterPeersTest {
    @Test
    void whatMachinesAreAnsweredIsSpeltWhereTheRequestCameInAndNotByTheWriter() {
        Queue<Runnable> eventLoop = new ArrayDeque<>();
        CompletableFuture<CommandResult> first = new CompletableFuture<>();
        CompletableFuture<CommandResult> second = new CompletableFuture<>();
        CompletableFuture<byte[]> answer = ClusterPeers.spelt(List.of(first, second), eventLoop::add);
        first.completeExceptionally(new RefusedException(Problem.CONFLICT, "not now"));
        second.complete(new CommandResult(List.of(), 3));
        assertFalse(answer.isDone(), "the writer is done with it, and nothing is spelt");
        assertEquals(1, eventLoop.size());
        eventLoop.remove().run();
        assertTrue(answer.isDone());
        ForwardedCommand.Outcomes outcomes = Json.message(ForwardedCommand.Outcomes.class, answer.join());
        assertEquals("CONFLICT", outcomes.told().get(0).problem());
        assertEquals(3, outcomes.told().get(1).changes());
    }
}
