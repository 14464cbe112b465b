package io.forewarn.core.engine;

import io.forewarn.core.RefusedException;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.Command;
import java.util.concurrent.CompletableFuture;

/** A command somebody waits for. */
record Pending(Command command, Engine.Once once, CompletableFuture<CommandResult> answer) {
    static Pending of(Command command, Engine.Once once) {
        return new Pending(command, once, new CompletableFuture<>());
    }

    void refuse(RefusedException refusal) {
        answer.completeExceptionally(refusal);
    }
}
