package io.forewarn.core.engine;

import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import java.util.concurrent.CompletableFuture;

/**
 * A command whose caller waits for the result.
 *
 * @param byDeadline whether a deadline submitted it; the deadline must then be set again if the command has no effect
 */
record PendingCommand(Command command, Engine.Once once, CompletableFuture<CommandResult> answer, boolean byDeadline) {
    static PendingCommand of(Command command, Engine.Once once) {
        return new PendingCommand(command, once, new CompletableFuture<>(), false);
    }

    static PendingCommand due(GroupId group) {
        return new PendingCommand(new Command.Due(group, true), null, new CompletableFuture<>(), true);
    }

    void refuse(RefusedException refusal) {
        answer.completeExceptionally(refusal);
    }
}
