package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;

/** Identifies the machine that owns the listener: for tests and taps. */
final class ListenerIdentity implements Identity {
    @Override
    public boolean decides(IdentityRequest identityRequest) {
        return identityRequest.listener() != null;
    }

    @Override
    public MachineView machine(IdentityRequest identityRequest, PublishedState published) {
        return published.byListener(identityRequest.listener());
    }

    @Override
    public boolean perConnection() {
        return true;
    }
}
