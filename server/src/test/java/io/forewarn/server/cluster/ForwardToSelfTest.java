package io.forewarn.server.cluster;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.server.forward.ForwardedReply;
import io.forewarn.server.forward.ForwardedRequest;
import io.forewarn.server.forward.RequestSigner;
import io.forewarn.server.forward.WriterClient;
import io.forewarn.server.forward.WriterForwarder;
import io.forewarn.server.forward.WriterLocator;
import io.forewarn.store.etcd.ClusterMembership;
import io.forewarn.store.etcd.EtcdAccess;
import io.forewarn.store.etcd.EtcdCluster;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForwardToSelfTest {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    /** The writer was lost while a request waited at this node, which then became the writer itself. */
    @Test
    void requestsWaitingForAWriterAreExecutedHereOnceThisNodeIsTheWriter() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        Vertx vertx = Vertx.vertx();
        AtomicBoolean writes = new AtomicBoolean();
        ClusterClock time = new ClusterClock(System::nanoTime, Instant::now);
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                LeaderElection election = new LeaderElection(
                        new ClusterMembership(EtcdAccess.to(etcd.urls(), "test/"), LEASE),
                        LEASE,
                        time,
                        System::nanoTime,
                        lines -> {},
                        new ElectionObserver())) {
            HttpServer own = vertx.createHttpServer()
                    .requestHandler(request ->
                            request.body().onSuccess(body -> request.response().end("done " + body)))
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            election.join("127.0.0.1:" + own.actualPort(), "");
            election.allowCampaign();
            eventually(election::elected);
            WriterClient client = new WriterClient(
                    vertx,
                    new HttpClientOptions(),
                    new WriterLocator(election::name, election::writer, writes::get, node -> "a-life", () -> 0),
                    new RequestSigner(RequestSigner.fresh(), election::name, () -> time.now()
                            .wall()));
            WriterForwarder forwarder = new WriterForwarder(vertx, client, PATIENCE, System::nanoTime);
            byte[] body = "it".getBytes(StandardCharsets.UTF_8);
            CompletableFuture<ForwardedReply> waiting = forwarder
                    .forward(ForwardedRequest.of("POST", "/v1/x", "text/plain", body, "", null), () -> false)
                    .toCompletionStage()
                    .toCompletableFuture();
            assertFalse(waiting.isDone());
            writes.set(true);
            assertEquals("done it", new String(waiting.get(60, TimeUnit.SECONDS).body(), StandardCharsets.UTF_8));
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }
}
