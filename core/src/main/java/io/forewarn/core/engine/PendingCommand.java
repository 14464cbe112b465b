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

    /** The same without what a fleet change was computed from: once it is decided, that would only take memory. */
    PendingCommand withoutPlan() {
        return command instanceof Command.ChangeFleet change
                ? new PendingCommand(
                        new Command.ChangeFleet(change.change(), state -> change.change(), change.actor()),
                        once,
                        answer,
                        byDeadline)
                : this;
    }

    void refuse(RefusedException refusal) {
        answer.completeExceptionally(refusal);
    }
}
