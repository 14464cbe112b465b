package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** All ways to know a machine, in their order: its listener, a proxy's signed header, its address. */
public final class CallerResolver {
    private final List<Identity> ways = new ArrayList<>();
    private final Set<String> proxies;

    /** @param wallMillis this machine's clock, also where service time is moved by hand: proxies know no other */
    public CallerResolver(IdentitySettings settings, LongSupplier wallMillis) {
        proxies = settings.proxies();
        ways.add(new ListenerIdentity());
        if (!proxies.isEmpty()) {
            ways.add(new SignedHeaderIdentity(settings, wallMillis));
        }
        ways.add(new AddressIdentity());
    }

    /** The machine, or null: 403. */
    public MachineView machine(IdentityRequest identityRequest, PublishedState published) {
        return way(identityRequest).machine(identityRequest, published);
    }

    /** Whether {@link #machine} depends on the connection and the fleet alone. */
    public boolean perConnection(IdentityRequest identityRequest) {
        return way(identityRequest).perConnection();
    }

    /** Only a trusted proxy may say that it forwards for somebody. */
    public boolean mayForward(IdentityRequest identityRequest) {
        return way(identityRequest) instanceof SignedHeaderIdentity;
    }

    /** Whether a proxy says more than once who it speaks for: then nobody knows which one another reader believed. */
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
