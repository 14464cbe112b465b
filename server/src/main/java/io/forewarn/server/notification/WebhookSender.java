package io.forewarn.server.notification;

import io.forewarn.core.RefusedException;
import io.forewarn.core.notification.Subscription;
import io.forewarn.wire.control.Version;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/**
 * Sends webhooks. The host name is resolved, every address is checked, and the connection goes to exactly the checked
 * address, so that nothing can change between check and use. Redirects are never followed. It has its own event loop, so
 * that machines never wait, however many webhooks are sent.
 */
final class WebhookSender implements Sender {
    private static final int LOOKING_UP = 8;
    private static final int WAITING = 10_000;
    private static final int LARGEST_ANSWER = 64 * 1024;

    private final WebhookTargetPolicy targets;
    private final Duration timeLimit;
    private final Supplier<Instant> wall;
    private final ExecutorService names;
    private final Vertx vertx;
    private final Context loop;
    private final HttpClient client;

    WebhookSender(WebhookTargetPolicy targets, Duration timeLimit, Supplier<Instant> wall) {
        this.targets = targets;
        this.timeLimit = timeLimit;
        this.wall = wall;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                LOOKING_UP, LOOKING_UP, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), r -> {
                    Thread thread = new Thread(r, "forewarn-names");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        names = pool;
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                // No cache folder: no files are served.
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        loop = vertx.getOrCreateContext();
        client = vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setConnectTimeout((int) timeLimit.toMillis())
                        .setKeepAliveTimeout(5)
                        .setDecompressionSupported(false)
                        .setMaxHeaderSize(16 * 1024)
                        .setTcpNoDelay(true))
                // A subscription has one request at a time, so no request waits for a connection.
                .with(new PoolOptions().setHttp1MaxSize(WAITING))
                .withConnectHandler(connection ->
                        connection.exceptionHandler(broken -> {})) // Its request fails, which is handled there.
                .build();
    }

    @Override
    public void send(Subscription subscription, OutgoingMessage outgoing, int attempt, Consumer<DeliveryResult> done) {
        Try trying = new Try(subscription, outgoing, done);
        trying.limit();
        try {
            URI url = targets.check(subscription.url());
            String host = WebhookTargetPolicy.host(url);
            InetAddress literal = WebhookTargetPolicy.literal(host).orElse(null);
            if (literal != null) {
                trying.send(url, literal);
                return;
            }
            names.execute(() -> {
                try {
                    List<InetAddress> addresses = targets.lookUp(host);
                    trying.send(url, addresses.get(attempt % addresses.size()));
                } catch (UnknownHostException unknown) {
                    trying.end("no address found for " + host);
                } catch (RefusedException refused) {
                    trying.end(host + " resolves to an address that is not allowed: " + refused.getMessage());
                }
            });
        } catch (RefusedException refused) {
            trying.end(refused.getMessage());
        } catch (RejectedExecutionException full) {
            trying.end("too many names are being resolved");
        }
    }

    /** One try. Whatever happens first ends it. */
    private final class Try {
        private final Subscription subscription;
        private final OutgoingMessage outgoing;
        private final Consumer<DeliveryResult> done;
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile HttpClientRequest request;
        private long timer;

        Try(Subscription subscription, OutgoingMessage outgoing, Consumer<DeliveryResult> done) {
            this.subscription = subscription;
            this.outgoing = outgoing;
            this.done = done;
        }

        /** Also once it has answered: what it goes on to say is not waited for either. */
        void limit() {
            timer = vertx.setTimer(Math.max(1, timeLimit.toMillis()), late -> {
                end("no response within " + timeLimit.toSeconds() + " s");
                HttpClientRequest sent = request;
                if (sent != null) {
                    sent.reset();
                }
            });
        }

        void send(URI url, InetAddress address) {
            String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
            RequestOptions options = new RequestOptions()
                    .setMethod(HttpMethod.POST)
                    .setServer(SocketAddress.inetSocketAddress(
                            new InetSocketAddress(address, WebhookTargetPolicy.port(url))))
                    .setHost(WebhookTargetPolicy.host(url))
                    .setPort(WebhookTargetPolicy.port(url))
                    .setSsl(url.getScheme().equalsIgnoreCase("https"))
                    .setFollowRedirects(false)
                    .setURI(url.getRawQuery() == null ? path : path + "?" + url.getRawQuery());
            // On the loop itself, so that an answer is looked at before it is over.
            loop.runOnContext(v -> client.request(options)
                    .compose(this::write)
                    .onSuccess(this::answered)
                    .onFailure(this::failed));
        }

        private Future<HttpClientResponse> write(HttpClientRequest open) {
            request = open;
            if (over.get()) {
                open.reset();
                return Future.failedFuture("too late");
            }
            // The address that really answers, whatever the name meant.
            WebhookTargetPolicy.literal(open.connection().remoteAddress().hostAddress())
                    .ifPresent(targets::mustAllow);
            OutgoingMessage.Body rendered = outgoing.body().get();
            byte[] body = rendered.bytes();
            long timestamp = wall.get().getEpochSecond();
            open.putHeader("Content-Type", rendered.mediaType())
                    .putHeader("User-Agent", "forewarn/" + Version.text())
                    .putHeader("webhook-id", outgoing.id())
                    .putHeader("webhook-timestamp", Long.toString(timestamp))
                    .putHeader(
                            "webhook-signature",
                            WebhookSignature.of(subscription.secret(), outgoing.id(), timestamp, body));
            return open.send(Buffer.buffer(body));
        }

        private void answered(HttpClientResponse answer) {
            int status = answer.statusCode();
            if (status >= 200 && status < 300) {
                end(null);
            } else if (status >= 300 && status < 400) {
                end("it answered " + status + "; redirects are not followed, use the new URL");
            } else {
                end("it answered " + status);
            }
            // Only the status of the answer counts; a little of its body is read so that the connection can be reused.
            int[] read = {0};
            answer.handler(part -> {
                read[0] += part.length();
                if (read[0] > LARGEST_ANSWER) {
                    answer.request().reset();
                }
            });
            answer.endHandler(whole -> vertx.cancelTimer(timer));
            answer.exceptionHandler(broken -> vertx.cancelTimer(timer));
        }

        private void failed(Throwable failure) {
            vertx.cancelTimer(timer);
            end(why(failure));
        }

        private void end(String why) {
            if (over.compareAndSet(false, true)) {
                done.accept(why == null ? DeliveryResult.TAKEN : DeliveryResult.failed(why));
            }
        }
    }

    private static String why(Throwable failure) {
        if (failure instanceof ConnectException) {
            return String.valueOf(failure.getMessage()).contains("timed out")
                    ? "no connection within the time limit"
                    : "connection refused";
        }
        if (failure instanceof RefusedException) {
            return failure.getMessage();
        }
        if (failure instanceof SSLException) {
            return "TLS failed: " + failure.getMessage();
        }
        String message = failure.getMessage();
        return "the connection failed: " + (message == null ? failure.getClass().getSimpleName() : message);
    }

    @Override
    public void close() {
        names.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
