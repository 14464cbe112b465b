package io.forewarn.server.boot;

import io.forewarn.server.control.ServiceInfo;
import io.forewarn.wire.control.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Provides the status of the process. */
final class ServiceStatus implements ServiceInfo {
    private final String store;
    private final long startedNanos;
    private volatile List<HostPort> addresses = List.of();
    private volatile boolean ready;
    private volatile boolean ending;
    private volatile BooleanSupplier fresh = () -> true;
    private volatile Supplier<Optional<Duration>> lag = Optional::empty;

    ServiceStatus(String store, long startedNanos) {
        this.store = store;
        this.startedNanos = startedNanos;
    }

    void listening(HostPort metadata, HostPort control) {
        addresses = List.of(metadata, control);
    }

    /** In a cluster: whether this node's data is recent, and the time since the writer's last heartbeat. */
    void follows(BooleanSupplier isFresh, Supplier<Optional<Duration>> heard) {
        fresh = isFresh;
        lag = heard;
    }

    @Override
    public boolean fresh() {
        return fresh.getAsBoolean();
    }

    @Override
    public Optional<Duration> lag() {
        return lag.get();
    }

    void up() {
        ready = true;
    }

    void end() {
        ending = true;
        ready = false;
    }

    @Override
    public boolean ending() {
        return ending;
    }

    @Override
    public boolean ready() {
        return ready;
    }

    @Override
    public Duration uptime() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    @Override
    public String store() {
        return store;
    }

    @Override
    public List<HostPort> addresses() {
        return addresses;
    }
}
