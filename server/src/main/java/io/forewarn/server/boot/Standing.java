package io.forewarn.server.boot;

import io.forewarn.server.control.ServiceFacts;
import io.forewarn.wire.control.HostPort;
import java.time.Duration;
import java.util.List;

/** How the process stands. */
final class Standing implements ServiceFacts {
    private final String store;
    private final long startedNanos;
    private volatile List<HostPort> addresses = List.of();
    private volatile boolean ready;

    Standing(String store, long startedNanos) {
        this.store = store;
        this.startedNanos = startedNanos;
    }

    void listening(HostPort metadata, HostPort control) {
        addresses = List.of(metadata, control);
    }

    void up() {
        ready = true;
    }

    void ending() {
        ready = false;
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
