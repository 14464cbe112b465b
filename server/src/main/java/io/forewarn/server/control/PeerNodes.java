package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.server.forward.ForwardedReply;
import io.forewarn.server.forward.ForwardedRequest;
import io.forewarn.server.forward.VouchedRequest;
import io.forewarn.wire.control.EtcdMemberBody;
import io.forewarn.wire.control.NodeBody;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** The other nodes, as control sees them. A service on its own has none. */
public interface PeerNodes {
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
    CompletionStage<ForwardedReply> pass(ForwardedRequest request, BooleanSupplier gone);

    /**
     * Whether a node of ours asks, to be known before any of its body is read.
     *
     * @param header gives a header by its name
     * @throws RefusedException if it is none of ours
     */
    VouchedRequest vouched(String method, String uri, UnaryOperator<String> header);

    /** Has one command of a machine decided that another node forwards. Completed by the writer's thread. */
    CompletionStage<?> command(byte[] message);

    /** Takes in what another node reports. */
    void reports(byte[] message);

    /** Control of the node that writes, HOST:PORT; null if there is none. */
    String writer();

    /** Why nothing can be passed on to the writer although there is one, if that has been so for a while. */
    default Optional<String> forwardingError() {
        return Optional.empty();
    }

    /** All nodes there are. */
    List<NodeBody> nodes();

    /** How each member of the etcd is that they share; null if there is none. It may take a few seconds. */
    CompletionStage<List<EtcdMemberBody>> etcd();

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
            public CompletionStage<ForwardedReply> pass(ForwardedRequest request, BooleanSupplier gone) {
                return CompletableFuture.failedFuture(stranger());
            }

            @Override
            public VouchedRequest vouched(String method, String uri, UnaryOperator<String> header) {
                throw stranger();
            }

            @Override
            public CompletionStage<?> command(byte[] message) {
                throw stranger();
            }

            @Override
            public void reports(byte[] message) {
                throw stranger();
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
            public CompletionStage<List<EtcdMemberBody>> etcd() {
                return CompletableFuture.completedFuture(null);
            }

            private RefusedException stranger() {
                return new RefusedException(Problem.FORBIDDEN, "this service has no other nodes");
            }
        };
    }
}
