package io.forewarn.core.event;

import static io.forewarn.core.event.EventSource.PLATFORM;
import static io.forewarn.core.event.EventSource.USER;

/** Lists what can cause an event, with the event type that machines see: contract §5. */
public enum Cause {
    RESTART(EventType.REBOOT, USER, "Restart requested by the owner."),
    REDEPLOY(EventType.REDEPLOY, USER, "Redeploy requested by the owner."),
    TERMINATE(EventType.TERMINATE, USER, "Deletion requested by the owner."),
    FREEZE(EventType.FREEZE, PLATFORM, "Host maintenance pauses the machine for a few seconds."),
    PREEMPT(EventType.PREEMPT, PLATFORM, "The spot machine is taken back."),
    FAILURE(EventType.REBOOT, PLATFORM, "Hardware failure."),
    HOST_FREEZE(EventType.FREEZE, PLATFORM, "Host maintenance pauses the machine for a few seconds."),
    HOST_REBOOT(EventType.REBOOT, PLATFORM, "Host maintenance restarts the machine."),
    HOST_REDEPLOY(EventType.REDEPLOY, PLATFORM, "Host maintenance moves the machine to another host.");

    private final EventType type;
    private final EventSource source;
    private final String description;

    Cause(EventType type, EventSource source, String description) {
        this.type = type;
        this.source = source;
        this.description = description;
    }

    public EventType type() {
        return type;
    }

    public EventSource source() {
        return source;
    }

    /** The default description of the event. */
    public String description() {
        return description;
    }

    /** Whether it is never refused: it cancels what is scheduled for the machine and joins what has started. */
    public boolean overrides() {
        return this == FAILURE || this == PREEMPT;
    }

    /**
     * Whether it is planned platform work: it waits for other events, keeps to one update domain at a time and lets the
     * group recover.
     */
    public boolean planned() {
        return this == FREEZE || rolledOut();
    }

    /** Whether it is part of a rollout. */
    public boolean rolledOut() {
        return this == HOST_FREEZE || this == HOST_REBOOT || this == HOST_REDEPLOY;
    }

    /** Whether it has already happened, so that there is no notice. */
    public boolean immediate() {
        return this == FAILURE;
    }
}
