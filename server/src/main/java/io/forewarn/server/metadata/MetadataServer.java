package io.forewarn.server.metadata;

import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.server.http.BodyBudget;
import io.forewarn.server.http.ConnectionQuota;
import io.forewarn.server.identity.CallerResolver;
import io.forewarn.wire.control.HostPort;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Runs the metadata endpoint: one common listener, and one for each machine that owns one. Answers 503 until it is ready. */
public final class MetadataServer {
    private static final long SETTLE_MILLIS = 1000;

    private final Vertx vertx;
    private final EndpointContext endpoint;
    private final Map<String, String> owned = new ConcurrentHashMap<>();
    private final Set<HostPort> reserved = ConcurrentHashMap.newKeySet();
    private final List<String> common = new ArrayList<>();
    private final long settling;
    /**
     * The context in which listeners are opened and closed, one after the other; the following fields are used only
     * there.
     */
    private final Context keeping;

    private Future<List<String>> reconciling = Future.succeededFuture(List.of());
    private Promise<List<String>> queued;

    /**
     * @param vertx created with {@code preferNativeTransport}, for speed
     * @param clock service time
     * @param coarseMillis service time in milliseconds for polls, possibly a moment old
     * @param elapsedNanos elapsed real time
     * @param quota limits connections
     * @param bodies limits the memory for bodies
     */
    public MetadataServer(
            Vertx vertx,
            CommandGateway gateway,
            Clock clock,
            LongSupplier coarseMillis,
            LongSupplier elapsedNanos,
            ServiceTerms terms,
            MetadataSettings settings,
            CallerResolver callerResolver,
            ConnectionQuota quota,
            BodyBudget bodies) {
        this.vertx = vertx;
        this.keeping = vertx.getOrCreateContext();
        GroupEnabler groupEnabler = new GroupEnabler(
                vertx, gateway, terms.silence(), settings.times().firstCallDelay());
        endpoint = new EndpointContext(
                vertx,
                gateway,
                clock,
                coarseMillis,
                elapsedNanos,
                settings,
                callerResolver,
                groupEnabler,
                quota,
                bodies);
        settling = vertx.setPeriodic(SETTLE_MILLIS, timer -> groupEnabler.settle());
    }

    /** Reserves an address of the service, so that no machine's listener can use it. */
    public void reserve(HostPort own) {
        reserved.add(own);
    }

    /** Switches between answering requests and answering 503. */
    public void ready(boolean ready) {
        endpoint.ready = ready;
    }

    /**
     * Sets whether another node is the writer, and how old responses may be; both are read for each response.
     *
     * @param age seconds since the writer's last heartbeat, once that is too long ago; else 0
     */
    public void follows(BooleanSupplier follows, LongSupplier age) {
        endpoint.follows = follows;
        endpoint.age = age;
    }

    public PollCounters counters() {
        return endpoint.counters;
    }

    /** How many connections are open. */
    public int connections() {
        return endpoint.quota.open();
    }

    /** The number of waiting long polls. */
    public int held() {
        return endpoint.held();
    }

    /**
     * Opens the common listener on all loops.
     *
     * @param port 0 for any
     * @return the port it listens on
     */
    public Future<Integer> listen(String host, int port) {
        MetadataListener first = new MetadataListener(endpoint, host, port, null, false);
        return deploy(first)
                .compose(listening -> first.share() ? join(host, first.port()) : Future.succeededFuture())
                .map(all -> {
                    reserve(new HostPort(host, first.port()));
                    return first.port();
                });
    }

    private Future<?> join(String host, int port) {
        List<Future<?>> joining = new ArrayList<>();
        for (int i = 1; i < endpoint.settings.loopsOf(Runtime.getRuntime().availableProcessors()); i++) {
            joining.add(deploy(new MetadataListener(endpoint, host, port, null, true)));
        }
        return Future.join(joining);
    }

    private Future<String> deploy(MetadataListener listener) {
        return vertx.deployVerticle(listener).onSuccess(id -> {
            synchronized (common) {
                common.add(id);
            }
        });
    }

    /**
     * Opens and closes machines' own listeners to match the fleet. Call it after the fleet changed, from any
     * thread; it does not block. Runs follow each other; callers that arrive before a run begins share it.
     *
     * @return a message for each listener that could not be opened; they are retried next time
     */
    public Future<List<String>> reconcile() {
        Promise<List<String>> done = Promise.promise();
        keeping.runOnContext(v -> queued().onComplete(done));
        return done.future();
    }

    private Future<List<String>> queued() {
        if (queued != null) {
            return queued.future();
        }
        Promise<List<String>> mine = Promise.promise();
        Future<List<String>> before = reconciling;
        queued = mine;
        reconciling = mine.future();
        before.onComplete(over -> {
            queued = null;
            // With a large fleet this would block an event loop for too long.
            vertx.executeBlocking(endpoint::prune)
                    .compose(pruned -> reconcileNow())
                    .onComplete(mine);
        });
        return mine.future();
    }

    private Future<List<String>> reconcileNow() {
        Collection<String> wanted = endpoint.gateway.view().listeners();
        List<Future<?>> steps = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        Set<String> unwanted = new HashSet<>(owned.keySet());
        unwanted.removeAll(new HashSet<>(wanted));
        for (String listen : unwanted) {
            steps.add(vertx.undeploy(owned.remove(listen)));
        }
        return Future.join(steps).transform(closed -> {
            List<Future<?>> opened = new ArrayList<>();
            for (String listen : wanted) {
                if (!owned.containsKey(listen)) {
                    opened.add(open(listen)
                            .onFailure(e -> failures.add(
                                    "the listener " + listen + " could not be opened: " + e.getMessage())));
                }
            }
            return Future.join(opened).transform(done -> Future.succeededFuture(List.copyOf(failures)));
        });
    }

    private Future<String> open(String listen) {
        HostPort at = HostPort.parse(listen).orElse(null);
        if (at == null || !at.literal()) {
            return Future.failedFuture("it must be ADDRESS:PORT");
        }
        if (reserved.stream().anyMatch(at::meets)) {
            return Future.failedFuture("the service itself listens there");
        }
        return vertx.deployVerticle(new MetadataListener(endpoint, at.host(), at.port(), listen, false))
                .onSuccess(id -> owned.put(listen, id));
    }

    /** Accepts no more requests, and completes when the accepted ones are answered, or after two seconds. */
    public Future<Void> close() {
        ready(false);
        vertx.cancelTimer(settling);
        return endpoint.inFlightRequests.over(vertx).compose(answered -> closeAll());
    }

    private Future<Void> closeAll() {
        List<Future<?>> closing = new ArrayList<>();
        synchronized (common) {
            common.forEach(id -> closing.add(vertx.undeploy(id)));
            common.clear();
        }
        owned.values().forEach(id -> closing.add(vertx.undeploy(id)));
        owned.clear();
        return Future.join(closing).mapEmpty();
    }
}
