package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Transition;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FleetWatchTest {
    private final AtomicInteger changes = new AtomicInteger();
    private final FleetWatch watch = new FleetWatch(changes::incrementAndGet);

    @Test
    void onlyWhatChangesTheFleetIsAChange() {
        assertEquals(0, after(Transition.SCHEDULED.name(), Cause.TERMINATE));
        assertEquals(0, after(Transition.STARTED_BY_TIME.name(), Cause.TERMINATE));
        assertEquals(0, after(Transition.COMPLETED.name(), Cause.RESTART));
        assertEquals(1, after(Transition.COMPLETED.name(), Cause.TERMINATE));
        assertEquals(2, after(Transition.COMPLETED_UNSEEN.name(), Cause.TERMINATE));
        assertEquals(3, after(HistoryEntry.What.FLEET_CHANGED.name(), null));
    }

    private int after(String what, Cause cause) {
        HistoryEntry entry = new HistoryEntry(
                Instant.EPOCH, what, null, null, cause, List.of(), Actor.SERVICE, null, null, null, "");
        watch.committed(new LogPage(1, Instant.EPOCH, List.of(entry), List.of()), 1, 0);
        return changes.get();
    }
}
