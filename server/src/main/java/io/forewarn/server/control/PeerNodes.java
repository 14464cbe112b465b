package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.wire.control.EtcdBody;
import io.forewarn.wire.control.NodeBody;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** The other nodes, as control sees them. A service on its own has none. */
public interface PeerNodes {
    /** The header that tells another node which commit an answer is founded on. */
    String COMMIT = "Forewarn-Commit";

    /**
     * A request that another node is to answer.
     *
     * @param body null if it lies in a file
     * @param file what is too big for memory; null if there is none
     * @param digest the SHA-256 of the body, in hex
     * @param caller on whose behalf, as JSON
     * @param key its idempotency key; null if it has none
     */
    record Passed(
            String method,
            String uri,
            String contentType,
            byte[] body,
            Path file,
            String digest,
            String caller,
            String key) {
        public static Passed of(String method, String uri, String contentType, byte[] body, String caller, String key) {
            String digest = Secrets.hex(Secrets.sha256().digest(body));
            return new Passed(method, uri, contentType, body, null, digest, caller, key);
        }

        /** A fleet file that a node was started with: whoever may start one may do all. */
        public static Passed fleet(Path file, boolean prune, String by) throws IOException {
            ApiToken all = new ApiToken(by, ApiToken.EVERY_TENANT, Role.OPERATOR, "", Instant.EPOCH, null);
            return new Passed(
                    Route.FLEET_APPLY.method(),
                    Route.FLEET_APPLY.uri(List.of(), Map.of("prune", Boolean.toString(prune))),
                    null,
                    null,
                    file,
                    FleetHandlers.digest(file),
                    ForwardedCaller.of(new Caller(all, "")).text(),
                    null);
        }
    }

    /** What it answered. */
    record Reply(int status, String contentType, String retryAfter, byte[] body) {}

    /** This node does not write, and nothing was done: another node that asks it may ask again. */
    final class Misdirected extends RefusedException {
        public static final int STATUS = 421;

        private static final long serialVersionUID = 1;

        public Misdirected(String sentence) {
            super(Problem.NOT_WRITER, sentence);
        }
    }

    /** Whether there can be no other nodes. */
    default boolean alone() {
        return false;
    }

    /** Whether commands are decided here. */
    boolean writes();

    /**
     * Has the writer answer. Fails with a {@link RefusedException} if there is none, or it cannot be reached.
     *
     * @param gone whether its caller has gone: then it is not tried again
     */
    CompletionStage<Reply> pass(Passed request, BooleanSupplier gone);

    /**
     * What a node of ours answers for.
     *
     * @param caller on whose behalf it asks, as JSON
     * @param body the SHA-256 of the body that belongs to it, in hex
     */
    record Vouched(String caller, String body) {}

    /**
     * Whether a node of ours asks, to be known before any of its body is read.
     *
     * @param header gives a header by its name
     * @throws RefusedException if it is none of ours
     */
    Vouched vouched(String method, String uri, UnaryOperator<String> header);

    /**
     * What machines said to another node.
     *
     * @param speller where the answer is spelt: the writer, which completes it, has better to do
     */
    CompletionStage<byte[]> machines(byte[] message, Executor speller);

    /** Control of the node that writes, HOST:PORT; null if there is none. */
    String writer();

    /** Why nothing can be passed on to the writer although there is one, if that has been so for a while. */
    default Optional<String> unreached() {
        return Optional.empty();
    }

    /** All nodes there are. */
    List<NodeBody> nodes();

    /** How each member of the etcd is that they share; null if there is none. It may take a few seconds. */
    CompletionStage<List<EtcdBody>> etcd();

    /** No others. */
    static PeerNodes none(java.util.function.Supplier<String> own) {
        return new PeerNodes() {
            @Override
            public boolean alone() {
                return true;
            }

            @Override
            public boolean writes() {
                return true;
            }

            @Override
            public CompletionStage<Reply> pass(Passed request, BooleanSupplier gone) {
                return CompletableFuture.failedFuture(stranger());
            }

            @Override
            public Vouched vouched(String method, String uri, UnaryOperator<String> header) {
                throw stranger();
            }

            @Override
            public CompletionStage<byte[]> machines(byte[] message, Executor speller) {
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

            @Override
            public CompletionStage<List<EtcdBody>> etcd() {
                return CompletableFuture.completedFuture(null);
            }

            private RefusedException stranger() {
                return new RefusedException(Problem.FORBIDDEN, "this service has no other nodes");
            }
        };
    }
}
