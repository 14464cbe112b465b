package io.forewarn.core.event;

/** Lists the event types: what an event does to a machine. */
public enum EventType {
    /** A pause of a few seconds; memory, files and connections survive. */
    FREEZE,
    /** Memory is lost. */
    REBOOT,
    /** Moved to another host; ephemeral disks are lost. */
    REDEPLOY,
    /** A spot machine is evicted. */
    PREEMPT,
    /** The machine is deleted. */
    TERMINATE
}
