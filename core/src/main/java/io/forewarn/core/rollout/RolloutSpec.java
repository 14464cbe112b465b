package io.forewarn.core.rollout;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventType;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.StartCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Describes a requested rollout.
 *
 * @param cause one of the host causes
 * @param notice null for the minimum
 * @param recovery pause between two update domains of a group; null for the default
 * @param windows windows in which events of this rollout may start, in addition to policies; empty: at any time
 * @param evacuate a host that carries two update domains of one group is evacuated first: all but one are moved away
 * @param rehearsal scheduled, approved and started as usual, but nothing is done to the machines
 * @param selfServiceUntil until then owners may redeploy their machines themselves; those machines count as done; null
 *     for no such phase
 * @param description null for the default of the cause
 * @param interruption expected downtime of a machine; null for what the driver reports
 */
public record RolloutSpec(
        String name,
        Cause cause,
        RolloutTarget target,
        Duration notice,
        Duration recovery,
        ConcurrencyLimit atOnce,
        List<MaintenanceWindow> windows,
        boolean evacuate,
        boolean rehearsal,
        Instant selfServiceUntil,
        String description,
        Duration interruption) {
    public RolloutSpec {
        windows = List.copyOf(windows);
    }

    /** With defaults for everything else. */
    public static RolloutSpec of(String name, Cause cause, RolloutTarget target) {
        return new RolloutSpec(
                name, cause, target, null, null, ConcurrencyLimit.ALL, List.of(), false, false, null, null, null);
    }

    public RolloutSpec withNotice(Duration notice) {
        return new RolloutSpec(
                name,
                cause,
                target,
                notice,
                recovery,
                atOnce,
                windows,
                evacuate,
                rehearsal,
                selfServiceUntil,
                description,
                interruption);
    }

    public RolloutSpec withRecovery(Duration recovery) {
        return new RolloutSpec(
                name,
                cause,
                target,
                notice,
                recovery,
                atOnce,
                windows,
                evacuate,
                rehearsal,
                selfServiceUntil,
                description,
                interruption);
    }

    public RolloutSpec withAtOnce(ConcurrencyLimit atOnce) {
        return new RolloutSpec(
                name,
                cause,
                target,
                notice,
                recovery,
                atOnce,
                windows,
                evacuate,
                rehearsal,
                selfServiceUntil,
                description,
                interruption);
    }

    public RolloutSpec withWindows(List<MaintenanceWindow> windows) {
        return new RolloutSpec(
                name,
                cause,
                target,
                notice,
                recovery,
                atOnce,
                windows,
                evacuate,
                rehearsal,
                selfServiceUntil,
                description,
                interruption);
    }

    public RolloutSpec withEvacuation(boolean evacuate) {
        return new RolloutSpec(
                name,
                cause,
                target,
                notice,
                recovery,
                atOnce,
                windows,
                evacuate,
                rehearsal,
                selfServiceUntil,
                description,
                interruption);
    }

    public RolloutSpec withRehearsal(boolean rehearsal) {
        return new RolloutSpec(
                name,
                cause,
                target,
                notice,
                recovery,
                atOnce,
                windows,
                evacuate,
                rehearsal,
                selfServiceUntil,
                description,
                interruption);
    }

    public RolloutSpec withSelfServiceUntil(Instant selfServiceUntil) {
        return new RolloutSpec(
                name,
                cause,
                target,
                notice,
                recovery,
                atOnce,
                windows,
                evacuate,
                rehearsal,
                selfServiceUntil,
                description,
                interruption);
    }

    public RolloutSpec withDescription(String description) {
        return new RolloutSpec(
                name,
                cause,
                target,
                notice,
                recovery,
                atOnce,
                windows,
                evacuate,
                rehearsal,
                selfServiceUntil,
                description,
                interruption);
    }

    /**
     * The expected downtime of a machine; null if unknown. A given value applies to the work itself, not to an
     * evacuation before it.
     */
    public Duration interruption(Cause work, Map<EventType, Duration> usual) {
        return interruption != null && work == cause ? interruption : usual.get(work.type());
    }

    /** When events of this rollout may start. */
    public StartCalendar calendar() {
        return new StartCalendar(windows, List.of());
    }
}
