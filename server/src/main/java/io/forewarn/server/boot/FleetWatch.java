package io.forewarn.server.boot;

import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Transition;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import java.util.Set;

/**
 * Detects changes of the fleet, so that machines' own listeners can follow.
 *
 * @param changed runs on the writer's thread and must not block
 */
record FleetWatch(Runnable changed) implements EngineListener {
    /** The transitions that remove a terminated machine. */
    private static final Set<String> DELETIONS =
            Set.of(Transition.COMPLETED.name(), Transition.COMPLETED_UNSEEN.name());

    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        if (page.entries().stream().anyMatch(FleetWatch::changesFleet)) {
            changed.run();
        }
    }

    private static boolean changesFleet(HistoryEntry entry) {
        return entry.what().equals(HistoryEntry.What.FLEET_CHANGED.name())
                || (entry.cause() == Cause.TERMINATE && DELETIONS.contains(entry.what()));
    }

    @Override
    public void troubled(StoreException problem) {}

    @Override
    public void recovered() {}
}
