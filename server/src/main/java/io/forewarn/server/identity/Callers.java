package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** All ways to know a machine, in their order: its listener, a proxy's signed header, its address. */
public final class Callers {
    private final List<Identity> ways = new ArrayList<>();
    private final Set<String> proxies;

    /** @param wallMillis this machine's clock, also where service time is moved by hand: proxies know no other */
    public Callers(IdentitySettings settings, LongSupplier wallMillis) {
        proxies = settings.proxies();
        ways.add(new ListenerIdentity());
        if (!proxies.isEmpty()) {
            ways.add(new SignedHeaderIdentity(settings, wallMillis));
        }
        ways.add(new AddressIdentity());
    }

    /** The machine, or null: 403. */
    public MachineView machine(Request request, PublishedState published) {
        return way(request).machine(request, published);
    }

    /** Whether {@link #machine} depends on the connection and the fleet alone. */
    public boolean perConnection(Request request) {
        return way(request).perConnection();
    }

    /** Only a trusted proxy may say that it forwards for somebody. */
    public boolean mayForward(Request request) {
        return way(request) instanceof SignedHeaderIdentity;
    }

    /** Whether a proxy says more than once who it speaks for: then nobody knows which one another reader believed. */
    public boolean contradicts(Request request) {
        return way(request) instanceof SignedHeaderIdentity && SignedHeaderIdentity.contradicts(request);
    }

    public boolean isProxy(String source) {
        return proxies.contains(source);
    }

    private Identity way(Request request) {
        for (Identity way : ways) {
            if (way.decides(request)) {
                return way;
            }
        }
        throw new IllegalStateException("The last way decides every call");
    }
}
