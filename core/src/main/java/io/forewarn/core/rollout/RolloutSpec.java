package io.forewarn.core.rollout;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventType;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.StartCalendar;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Describes a requested rollout.
 *
 * @param cause one of the host causes
 * @param notice how long before its turn each machine is shown its event; null for the minimum
 * @param recovery pause between two update domains of a group; null for the default
 * @param windows windows in which events of this rollout may start, in addition to policies; empty: at any time
 * @param evacuate a host that carries two update domains of one group is evacuated first: all but one are moved away
 * @param rehearsal scheduled, approved and started as usual, but nothing is done to the machines
 * @param selfServiceUntil until then owners may redeploy their machines themselves; those machines count as done; null
 *     for no such phase
 * @param description null for the default of the cause
 * @param interruption expected downtime of a machine; null for what the driver reports
 * @param at nothing starts before; null for as soon as notice allows
 * @param until no unit starts after; null for no such limit
 * @param late what becomes of units that cannot start by {@code until}
 * @param zone in which the hours from {@code at} to {@code until} are repeated for late units
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
        Duration interruption,
        Instant at,
        Instant until,
        Late late,
        ZoneId zone) {
    /** What becomes of units that cannot start in time. */
    public enum Late {
        /** The rollout is refused, or halts if that turns out later. */
        REFUSE,
        /** They start in the same hours of a later day. */
        NEXT_WINDOW,
        /** They start as soon as they can. */
        ANY
    }

    public RolloutSpec {
        windows = List.copyOf(windows);
    }

    /** With defaults for everything else. */
    public static RolloutSpec of(String name, Cause cause, RolloutTarget target) {
        return new Builder(name, cause, target).build();
    }

    /** A changed copy. */
    public RolloutSpec with(Consumer<Builder> change) {
        Builder builder = new Builder(name, cause, target);
        builder.notice = notice;
        builder.recovery = recovery;
        builder.atOnce = atOnce;
        builder.windows = windows;
        builder.evacuate = evacuate;
        builder.rehearsal = rehearsal;
        builder.selfServiceUntil = selfServiceUntil;
        builder.description = description;
        builder.interruption = interruption;
        builder.at = at;
        builder.until = until;
        builder.late = late;
        builder.zone = zone;
        change.accept(builder);
        return builder.build();
    }

    public RolloutSpec withNotice(Duration value) {
        return with(b -> b.notice = value);
    }

    public RolloutSpec withRecovery(Duration value) {
        return with(b -> b.recovery = value);
    }

    public RolloutSpec withAtOnce(ConcurrencyLimit value) {
        return with(b -> b.atOnce = value);
    }

    public RolloutSpec withWindows(List<MaintenanceWindow> value) {
        return with(b -> b.windows = value);
    }

    public RolloutSpec withEvacuation(boolean value) {
        return with(b -> b.evacuate = value);
    }

    public RolloutSpec withRehearsal(boolean value) {
        return with(b -> b.rehearsal = value);
    }

    public RolloutSpec withSelfServiceUntil(Instant value) {
        return with(b -> b.selfServiceUntil = value);
    }

    public RolloutSpec withDescription(String value) {
        return with(b -> b.description = value);
    }

    /** From when to when units start, and what becomes of those that cannot. */
    public RolloutSpec between(Instant from, Instant to, Late otherwise, ZoneId in) {
        return with(b -> {
            b.at = from;
            b.until = to;
            b.late = otherwise;
            b.zone = in;
        });
    }

    /** Collects the values of a rollout. */
    public static final class Builder {
        private final String name;
        private final Cause cause;
        private final RolloutTarget target;
        public Duration notice;
        public Duration recovery;
        public ConcurrencyLimit atOnce = ConcurrencyLimit.ALL;
        public List<MaintenanceWindow> windows = List.of();
        public boolean evacuate;
        public boolean rehearsal;
        public Instant selfServiceUntil;
        public String description;
        public Duration interruption;
        public Instant at;
        public Instant until;
        public Late late = Late.REFUSE;
        public ZoneId zone = ZoneId.of("UTC");

        public Builder(String name, Cause cause, RolloutTarget target) {
            this.name = name;
            this.cause = cause;
            this.target = target;
        }

        public RolloutSpec build() {
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
                    interruption,
                    at,
                    until,
                    late,
                    zone);
        }
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

    /** The hours in which late units start, on every day; always open unless they wait for such hours. */
    public StartCalendar lateCalendar() {
        if (late != Late.NEXT_WINDOW || at == null || until == null) {
            return StartCalendar.ALWAYS;
        }
        // A unit may still start at the very end.
        Duration length = Duration.between(at, until).plusSeconds(1);
        MaintenanceWindow hours = new MaintenanceWindow(
                EnumSet.allOf(DayOfWeek.class), at.atZone(zone).toLocalTime(), length, zone);
        return new StartCalendar(List.of(hours), List.of());
    }

    /** Whether a unit may not start then, because it is too late and nothing was said of late units. */
    public boolean isTooLate(Instant start) {
        return late == Late.REFUSE && until != null && start.isAfter(until);
    }
}
