package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;

/** The source address is the machine. Needs anti-spoofing on the host: see the deployment guide. */
final class AddressIdentity implements Identity {
    @Override
    public boolean decides(Request request) {
        return true;
    }

    @Override
    public MachineView machine(Request request, PublishedState published) {
        return published.byAddress(request.source());
    }

    @Override
    public boolean perConnection() {
        return true;
    }
}
