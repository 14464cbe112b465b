package io.forewarn.server.boot;

import io.forewarn.core.engine.Journal;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.rules.Entry;
import io.forewarn.core.rules.LogPage;

/** Notices that the fleet changed, so that machines' own listeners can follow. */
record FleetWatch(Runnable changed) implements Journal {
    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        if (page.entries().stream().anyMatch(FleetWatch::changesFleet)) {
            changed.run();
        }
    }

    private static boolean changesFleet(Entry entry) {
        return entry.what().equals(Entry.What.FLEET_CHANGED.name()) || entry.cause() == Cause.TERMINATE;
    }

    @Override
    public void troubled(StoreException problem) {}

    @Override
    public void recovered() {}
}
