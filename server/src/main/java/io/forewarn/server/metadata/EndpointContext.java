package io.forewarn.server.metadata;

import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.server.http.BodyBudget;
import io.forewarn.server.http.ConnectionQuota;
import io.forewarn.server.http.HostNames;
import io.forewarn.server.http.InFlightRequests;
import io.forewarn.server.identity.CallerResolver;
import io.netty.util.concurrent.FastThreadLocal;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Holds what all metadata connections share. */
final class EndpointContext {
    final Vertx vertx;
    final CommandGateway gateway;
    final Clock clock;
    /** Service time in milliseconds, possibly a moment old: all a poll needs. */
    final LongSupplier coarseMillis;

    final LongSupplier elapsedNanos;
    final MetadataSettings settings;
    final CallerResolver callerResolver;
    final GroupEnabler groupEnabler;
    final RenderedDocuments renderedDocuments;
    final GuestApi guestApi;
    final PollCounters counters = new PollCounters();
    final InFlightRequests inFlightRequests = new InFlightRequests();
    final ConnectionQuota quota;
    final BodyBudget bodies;
    private final HostNames names;
    /** Nearly all machines send the same; each thread may see another. */
    private String lastNamed;

    volatile boolean ready;
    /** Whether another node is the writer. */
    volatile BooleanSupplier follows = () -> false;
    /** Seconds since the writer's last heartbeat, once that is too long ago; else 0. */
    volatile LongSupplier age = () -> 0;

    private final FastThreadLocal<PollScratch> scratch = new FastThreadLocal<>() {
        @Override
        protected PollScratch initialValue() {
            return new PollScratch(EndpointContext.this);
        }
    };

    private final Map<MachineId, RateLimiter> allowances = new ConcurrentHashMap<>();

    EndpointContext(
            Vertx vertx,
            CommandGateway gateway,
            Clock clock,
            LongSupplier coarseMillis,
            LongSupplier elapsedNanos,
            MetadataSettings settings,
            CallerResolver callerResolver,
            GroupEnabler groupEnabler,
            ConnectionQuota quota,
            BodyBudget bodies) {
        this.vertx = vertx;
        this.gateway = gateway;
        this.clock = clock;
        this.coarseMillis = coarseMillis;
        this.elapsedNanos = elapsedNanos;
        this.settings = settings;
        this.callerResolver = callerResolver;
        this.groupEnabler = groupEnabler;
        this.quota = quota;
        this.bodies = bodies;
        this.names = new HostNames(settings.hostNames());
        this.guestApi = new GuestApi(gateway);
        this.renderedDocuments = new RenderedDocuments(settings.preview().form());
    }

    /** Whether a {@code Host} header means this service. */
    boolean isNamed(String host) {
        if (host.equals(lastNamed)) {
            return true;
        }
        boolean named = names.accept(host);
        if (named) {
            lastNamed = host;
        }
        return named;
    }

    /** That of the event loop that asks. */
    PollScratch scratch() {
        return scratch.get();
    }

    RateLimiter allowance(MachineId machine) {
        RateLimiter known = allowances.get(machine); // No lock is taken if it exists, as it nearly always does.
        return known != null
                ? known
                : allowances.computeIfAbsent(
                        machine, m -> new RateLimiter(settings.limits().requestsPerSecond(), elapsedNanos.getAsLong()));
    }

    int held() {
        return allowances.values().stream().mapToInt(RateLimiter::held).sum();
    }

    /** Removes machines that are no longer in the fleet; true if there were any. */
    boolean prune() {
        return allowances
                .entrySet()
                .removeIf(e -> e.getValue().held() == 0 && gateway.view().find(e.getKey()) == null);
    }
}
