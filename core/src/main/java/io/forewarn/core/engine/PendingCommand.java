package io.forewarn.core.engine;

import io.forewarn.core.RefusedException;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import java.util.concurrent.CompletableFuture;

/** A command somebody waits for. */
record PendingCommand(Command command, Engine.Once once, CompletableFuture<CommandResult> answer) {
    static PendingCommand of(Command command, Engine.Once once) {
        return new PendingCommand(command, once, new CompletableFuture<>());
    }

    void refuse(RefusedException refusal) {
        answer.completeExceptionally(refusal);
    }
}
