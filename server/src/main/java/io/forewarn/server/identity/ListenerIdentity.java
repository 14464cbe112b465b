package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;

/** A machine with a listener of its own is whoever calls there: tests, taps. */
final class ListenerIdentity implements Identity {
    @Override
    public boolean decides(Request request) {
        return request.listener() != null;
    }

    @Override
    public MachineView machine(Request request, PublishedState published) {
        return published.byListener(request.listener());
    }

    @Override
    public boolean perConnection() {
        return true;
    }
}
