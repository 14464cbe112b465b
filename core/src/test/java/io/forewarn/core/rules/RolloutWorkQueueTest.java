package io.forewarn.core.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RolloutWorkQueueTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final GroupId WEB = new GroupId("default", "web");
    private static final RolloutUnitId UNIT = new RolloutUnitId("os", 0);

    private final RolloutWorkQueue queue = new RolloutWorkQueue();

    @Test
    void aUnitThatIsWokenEarlyAndWaitsAgainIsCheckedOnce() {
        start();
        assertEquals(List.of(0), take(NOW));
        queue.waits(BlockedUnit.forGroup(UNIT, WEB, NOW.plusSeconds(30), "unhealthy"));
        queue.moved(WEB);
        assertEquals(List.of(0), take(NOW.plusSeconds(10)));
        queue.waits(BlockedUnit.forGroup(UNIT, WEB, NOW.plusSeconds(40), "unhealthy"));
        assertEquals(Optional.of(NOW.plusSeconds(40)), queue.next());
        assertEquals(List.of(), take(NOW.plusSeconds(30)), "it waits for something later by now");
        assertEquals(List.of(0), take(NOW.plusSeconds(40)));
        assertEquals(Optional.empty(), queue.next());
    }

    @Test
    void aUnitThatNoLongerWaitsForATimeIsNotCheckedAtThatTime() {
        start();
        take(NOW);
        queue.waits(BlockedUnit.forGroup(UNIT, WEB, NOW.plusSeconds(30), "unhealthy"));
        queue.moved(WEB);
        take(NOW.plusSeconds(10));
        queue.waits(BlockedUnit.forGroup(UNIT, WEB, null, "an event comes first"));
        assertEquals(Optional.empty(), queue.next());
        assertEquals(List.of(), take(NOW.plusSeconds(30)));
        queue.moved(WEB);
        assertEquals(List.of(0), take(NOW.plusSeconds(50)));
    }

    private void start() {
        RolloutTarget target = new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-0"));
        queue.published(Rollout.started(RolloutSpec.of("os", Cause.HOST_REBOOT, target), NOW, 1, NOW));
        RolloutUnitChunk.of("os", List.of(RolloutUnit.pending("host-0", null)))
                .forEach(chunk -> queue.published(null, chunk));
    }

    private List<Integer> take(Instant now) {
        return queue.take(now).map(Command.Roll::units).orElse(List.of());
    }
}
