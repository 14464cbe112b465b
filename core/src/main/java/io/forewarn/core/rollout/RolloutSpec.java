package io.forewarn.core.rollout;

import io.forewarn.core.event.Cause;
import io.forewarn.core.policy.Calendar;
import io.forewarn.core.policy.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What somebody wants done.
 *
 * @param cause one of the host causes
 * @param notice null for the least that is allowed
 * @param recovery rest between two update domains of a group; null for the usual
 * @param windows in any of which work of this rollout may start, beside what policies say; none: at any time
 * @param passes a host that carries two update domains of one group is worked on in passes: all but one are moved away first
 * @param drill announced, approved and started like the real thing; nothing is done to anybody
 * @param selfServiceUntil until then owners may redeploy their machines themselves, which then count as done; null for no such phase
 * @param description null for the cause's own
 */
public record RolloutSpec(
        String name,
        Cause cause,
        Target target,
        Duration notice,
        Duration recovery,
        AtOnce atOnce,
        List<Window> windows,
        boolean passes,
        boolean drill,
        Instant selfServiceUntil,
        String description) {
    public RolloutSpec {
        windows = List.copyOf(windows);
    }

    /** When work of this rollout may start. */
    public Calendar calendar() {
        return new Calendar(windows, List.of());
    }
}
