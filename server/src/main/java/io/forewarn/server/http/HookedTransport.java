package io.forewarn.server.http;

import io.vertx.core.transport.Transport;

/** The fastest transport there is on this machine, with a hook for connections that are accepted. */
public final class HookedTransport implements Transport {
    private final Transport fastest;
    private final AcceptHook hook;

    public HookedTransport() {
        Transport nativeOne = Transport.nativeTransport();
        fastest = nativeOne != null && nativeOne.available() ? nativeOne : NIO;
        hook = new AcceptHook(fastest.implementation());
    }

    public AcceptHook hook() {
        return hook;
    }

    @Override
    public String name() {
        return fastest.name();
    }

    @Override
    public boolean available() {
        return fastest.available();
    }

    @Override
    public Throwable unavailabilityCause() {
        return fastest.unavailabilityCause();
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return hook;
    }
}
