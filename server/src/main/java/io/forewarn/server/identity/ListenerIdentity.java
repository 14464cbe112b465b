package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;

/** A machine with a listener of its own is whoever calls there: tests, taps. */
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
