package io.forewarn.core.event;

/** What an event does to a machine. */
public enum EventType {
    /** A pause of a few seconds; memory, files and connections survive. */
    FREEZE,
    /** Memory is lost. */
    REBOOT,
    /** Moved to another host; ephemeral disks are lost. */
    REDEPLOY,
    /** A spot machine is taken away. */
    PREEMPT,
    /** The machine is deleted. */
    TERMINATE
}
