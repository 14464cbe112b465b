package io.forewarn.store.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLException;

/**
 * Sends requests to etcd: to one member at a time, and to another when that one does not respond. The client's own
 * balancer would use all members in turn, including one that is stopped but still connected.
 */
final class EtcdConnection implements AutoCloseable {
    /** A page of records is far smaller, and a single record never larger. */
    private static final int MOST_BYTES = 64 << 20;

    private static final Duration KEEPALIVE = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofMillis(500);

    /**
     * How long a client that could not connect is reused. It backs off up to two minutes
     * between attempts; a new client connects at once.
     */
    private static final Duration GIVEN_UP = Duration.ofSeconds(1);

    private final EtcdAccess access;
    private final Client[] clients;
    private final boolean[] waitedLong;
    private int current;
    private boolean closed;

    EtcdConnection(EtcdAccess access) {
        this.access = access;
        this.clients = new Client[access.urls().size()];
        this.waitedLong = new boolean[clients.length];
    }

    /** A request to etcd. */
    interface Question<T> extends Function<Client, CompletableFuture<T>> {}

    /** Sends an idempotent request, to every member if need be. */
    <T> T ask(Question<T> question) throws StoreException {
        EtcdErrors first = null;
        for (int tries = 0; tries < clients.length; tries++) {
            Attempt<T> attempt = attempt(question);
            if (attempt.failure == null) {
                return attempt.answer;
            }
            // The first error is reported, unless another member's is more specific.
            first = first == null || !attempt.failure.elsewhere() ? attempt.failure : first;
            if (!attempt.failure.elsewhere()) {
                break;
            }
        }
        throw first.whileReading();
    }

    /** Sends a request once, and to another member only if it certainly had no effect. */
    <T> T askOnce(Question<T> question) throws StoreException {
        EtcdErrors last = null;
        for (int tries = 0; tries < clients.length; tries++) {
            Attempt<T> attempt = attempt(question);
            if (attempt.failure == null) {
                return attempt.answer;
            }
            last = attempt.failure;
            if (!last.certain() || !last.elsewhere()) {
                break;
            }
        }
        throw last.whileWriting();
    }

    private record Attempt<T>(T answer, EtcdErrors failure) {}

    private <T> Attempt<T> attempt(Question<T> question) throws StoreException {
        int member;
        Client client;
        synchronized (this) {
            member = current;
            client = client(member);
        }
        try {
            CompletableFuture<T> asked = question.apply(client);
            Duration patience = access.timeout().plus(GRACE);
            return new Attempt<>(asked.get(patience.toMillis(), TimeUnit.MILLISECONDS), null);
        } catch (ExecutionException failed) {
            return new Attempt<>(null, failed(member, client, failed.getCause()));
        } catch (TimeoutException late) {
            return new Attempt<>(null, failed(member, client, late));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Attempt<>(null, new EtcdErrors(false, false, "the wait for etcd was interrupted", interrupted));
        } catch (RuntimeException refused) {
            return new Attempt<>(null, failed(member, client, refused));
        }
    }

    private EtcdErrors failed(int member, Client client, Throwable cause) {
        EtcdErrors etcdErrors = EtcdErrors.of(cause, access.urls().get(member).toString(), access);
        if (etcdErrors.elsewhere()) {
            leave(member);
        }
        if (etcdErrors.unconnected()) {
            giveUp(member, client);
        }
        return etcdErrors;
    }

    /** The client of the current member. */
    synchronized Client client() throws StoreException {
        return client(current);
    }

    /** Translates the failure of a stream of the current member, and switches to another member. */
    synchronized EtcdErrors failed(Throwable cause) {
        return failed(current, clients[current], cause);
    }

    /** Switches to another member. */
    synchronized void leave() {
        leave(current);
    }

    private synchronized void leave(int member) {
        if (member == current) {
            current = (current + 1) % clients.length;
        }
    }

    private synchronized void giveUp(int member, Client client) {
        if (clients[member] != client) {
            return;
        }
        if (waitedLong[member]) {
            clients[member] = null;
            client.close();
        } else {
            CompletableFuture.delayedExecutor(GIVEN_UP.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> waited(member, client));
        }
    }

    private synchronized void waited(int member, Client client) {
        if (clients[member] == client) {
            waitedLong[member] = true;
        }
    }

    private Client client(int member) throws StoreException {
        if (closed) {
            throw new StoreException(Kind.REJECTED, "the store in etcd is not open");
        }
        if (clients[member] == null) {
            clients[member] = connect(access.urls().get(member));
            waitedLong[member] = false;
        }
        return clients[member];
    }

    private Client connect(URI url) throws StoreException {
        ClientBuilder builder = builder(access, url)
                // So that a member without a leader fails at once.
                .header("hasleader", "true");
        access.login()
                .ifPresent(login -> builder.user(EtcdKeys.of(login.user())).password(EtcdKeys.of(login.password())));
        Client client = builder.build();
        // The client creates its event loops on first use, and warns if that happens on another event loop's thread.
        CompletableFuture.runAsync(client::getKVClient, task -> new Thread(task, "forewarn-etcd-connect").start())
                .handle((made, failure) -> null) // The next request reports it.
                .join();
        return client;
    }

    /** A client of one member, which fails at once with the reason if the member cannot be reached. */
    static ClientBuilder builder(EtcdAccess access, URI url) throws StoreException {
        ClientBuilder builder = Client.builder()
                .endpoints(List.of(url))
                .waitForReady(false)
                .retryMaxAttempts(1)
                .retryDelay(50)
                .keepaliveTime(KEEPALIVE)
                .keepaliveTimeout(access.timeout())
                // etcd closes connections that ping it needlessly.
                .keepaliveWithoutCalls(false)
                .connectTimeout(access.timeout())
                .maxInboundMessageSize(MOST_BYTES)
                .interceptor(new Deadline(access.timeout()));
        if ("https".equals(url.getScheme())) {
            secure(access, builder);
        }
        return builder;
    }

    private static void secure(EtcdAccess access, ClientBuilder builder) throws StoreException {
        try {
            builder.sslContext((SslContextBuilder tls) -> {
                access.ca().map(Object::toString).map(File::new).ifPresent(tls::trustManager);
                access.identity()
                        .ifPresent(own ->
                                tls.keyManager(own.cert().toFile(), own.key().toFile()));
            });
        } catch (SSLException | IllegalArgumentException unusable) {
            throw new StoreException(
                    Kind.REJECTED,
                    "the certificates for etcd cannot be used (" + unusable.getMessage()
                            + "): store.etcd.ca, store.etcd.cert and store.etcd.key must name PEM files this user may read",
                    unusable);
        }
    }

    /** Limits the time of single requests; streams have no limit. */
    private record Deadline(Duration after) implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            CallOptions limited = method.getType() == MethodType.UNARY
                    ? options.withDeadlineAfter(after.toMillis(), TimeUnit.MILLISECONDS)
                    : options;
            return next.newCall(method, limited);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        for (Client client : clients) {
            if (client != null) {
                client.close();
            }
        }
    }
}
