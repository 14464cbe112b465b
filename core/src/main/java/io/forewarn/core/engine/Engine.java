package io.forewarn.core.engine;

import io.forewarn.core.Moment;
import io.forewarn.core.rules.Answer;
import io.forewarn.core.rules.Command;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The one writer. */
public final class Engine {
    /** A key under which a repeated request is answered again and not done again. */
    public record Once(String key, String fingerprint) {}

    /** Asks for a command. Completes when it is durable, or with a {@link io.forewarn.core.Refusal}. Any thread. */
    public CompletableFuture<Answer> submit(Command command) {
        return submit(command, null);
    }

    public CompletableFuture<Answer> submit(Command command, Once once) {
        throw new UnsupportedOperationException();
    }

    /** Notes that a machine was handed a document: never refused, never waited for; dropped if far too many come. Any thread. */
    public void sighted(Command.Sight sighting) {
        throw new UnsupportedOperationException();
    }

    /** What is committed. Any thread. */
    public View view() {
        throw new UnsupportedOperationException();
    }

    /** One turn: takes what is queued and what fell due, decides, commits, publishes, answers. The writer's thread. */
    public int turn(Moment now) {
        throw new UnsupportedOperationException();
    }

    /** When the next turn is needed even if nobody asks for anything. The writer's thread. */
    public Optional<Instant> due() {
        throw new UnsupportedOperationException();
    }
}
