package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** Identifies the calling machine by, in this order, its listener, a proxy's signed header, or its address. */
public final class CallerResolver {
    private final List<Identity> ways = new ArrayList<>();
    private final Set<String> proxies;

    /** @param wallMillis this machine's clock, even with a manual service clock: proxies sign with real time */
    public CallerResolver(IdentitySettings settings, LongSupplier wallMillis) {
        proxies = settings.proxies();
        ways.add(new ListenerIdentity());
        if (!proxies.isEmpty()) {
            ways.add(new SignedHeaderIdentity(settings, wallMillis));
        }
        ways.add(new AddressIdentity());
    }

    /** The machine; null if unknown, which is answered with 403. */
    public MachineView machine(IdentityRequest identityRequest, PublishedState published) {
        return way(identityRequest).machine(identityRequest, published);
    }

    /** Whether {@link #machine} depends on the connection and the fleet alone. */
    public boolean perConnection(IdentityRequest identityRequest) {
        return way(identityRequest).perConnection();
    }

    /** Whether the caller is a trusted proxy, which may forward requests. */
    public boolean mayForward(IdentityRequest identityRequest) {
        return way(identityRequest) instanceof SignedHeaderIdentity;
    }

    /** Whether a proxy repeats an identity header: another reader may have used the other value. */
    public boolean contradicts(IdentityRequest identityRequest) {
        return way(identityRequest) instanceof SignedHeaderIdentity
                && SignedHeaderIdentity.contradicts(identityRequest);
    }

    public boolean isProxy(String source) {
        return proxies.contains(source);
    }

    private Identity way(IdentityRequest identityRequest) {
        for (Identity way : ways) {
            if (way.decides(identityRequest)) {
                return way;
            }
        }
        throw new IllegalStateException("The last way decides every call");
    }
}
