package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.View;

/** A machine with a listener of its own is whoever calls there: tests, taps. */
final class ListenerIdentity implements Identity {
    @Override
    public boolean decides(Call call) {
        return call.listener() != null;
    }

    @Override
    public MachineView machine(Call call, View view) {
        return view.byListener(call.listener());
    }

    @Override
    public boolean perConnection() {
        return true;
    }
}
