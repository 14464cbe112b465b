package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.wire.control.NodeBody;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** The other nodes, as control sees them. A service on its own has none. */
public interface Peers {
    /**
     * A request that another node is to answer.
     *
     * @param caller on whose behalf, as JSON
     * @param key its idempotency key; null if it has none
     */
    record Passed(String method, String uri, String contentType, byte[] body, String caller, String key) {}

    /** What it answered. */
    record Reply(int status, String contentType, String retryAfter, byte[] body) {}

    /** Whether commands are decided here. */
    boolean writes();

    /** Has the writer answer. Fails with a {@link Refusal} if there is none, or it cannot be reached. */
    CompletionStage<Reply> pass(Passed request);

    /**
     * On whose behalf a node of ours asks.
     *
     * @param header gives a header by its name
     * @throws Refusal if it is none of ours
     */
    String vouched(String method, String uri, byte[] body, UnaryOperator<String> header);

    /** What machines said to another node. */
    CompletionStage<byte[]> machines(byte[] message);

    /** Control of the node that writes, HOST:PORT; null if there is none. */
    String writer();

    /** All nodes there are. */
    List<NodeBody> nodes();

    /** No others. */
    static Peers none(java.util.function.Supplier<String> own) {
        return new Peers() {
            @Override
            public boolean writes() {
                return true;
            }

            @Override
            public CompletionStage<Reply> pass(Passed request) {
                return CompletableFuture.failedFuture(stranger());
            }

            @Override
            public String vouched(String method, String uri, byte[] body, UnaryOperator<String> header) {
                throw stranger();
            }

            @Override
            public CompletionStage<byte[]> machines(byte[] message) {
                return CompletableFuture.failedFuture(stranger());
            }

            @Override
            public String writer() {
                return own.get();
            }

            @Override
            public List<NodeBody> nodes() {
                return List.of();
            }

            private Refusal stranger() {
                return new Refusal(Problem.FORBIDDEN, "this service has no other nodes");
            }
        };
    }
}
