package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;

/** Identifies a machine by its source address. Needs anti-spoofing on the host: see the deployment guide. */
final class AddressIdentity implements Identity {
    @Override
    public boolean decides(IdentityRequest identityRequest) {
        return true;
    }

    @Override
    public MachineView machine(IdentityRequest identityRequest, PublishedState published) {
        return published.byAddress(identityRequest.source());
    }

    @Override
    public boolean perConnection() {
        return true;
    }
}
