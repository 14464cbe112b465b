package io.forewarn.core.engine;

import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rules.MachineCondition;

/** One machine as published, and its last poll. */
public final class MachineView {
    /** How often a machine's sightings are checked again, because a sighting may have been lost with a writer. */
    private static final long LOOK_AGAIN_MILLIS = 10_000;

    private volatile Machine machine;
    private volatile GroupView group;
    private volatile MachineCondition condition;

    // Written by the thread that answers the machine, without locks: a lost write only loses the time of a poll.
    private long lastPoll;
    /** The last poll that the store knows; 0 if none. */
    private volatile long storedPoll;

    private String apiVersion = "";
    private long handed;
    private long looked;
    private boolean unreported;

    MachineView(Machine machine, GroupView group) {
        publish(machine, group);
    }

    public Machine machine() {
        return machine;
    }

    public GroupView group() {
        return group;
    }

    /** Null if nothing ever happened to it. */
    public MachineCondition condition() {
        return condition;
    }

    /** Service time in milliseconds of its last poll; 0 if it never polled. */
    public long lastPoll() {
        return lastPoll;
    }

    /** The last poll that would be known after a crash, in milliseconds of service time; 0 if none. */
    long storedPoll() {
        return storedPoll;
    }

    /** The api-version of its last poll; blank if it never polled. */
    public String apiVersion() {
        return apiVersion;
    }

    /**
     * Records a poll that is answered with a document.
     *
     * @param apiVersion always the same object for the same version: compared by identity, this is the hot path
     * @return whether to check which events it has not seen: it had not received this incarnation in this version before, or the
     *     last check was some time ago
     */
    @SuppressWarnings("StringEquality") // See apiVersion.
    public boolean polled(long serviceMillis, String apiVersion, long incarnation) {
        lastPoll = serviceMillis;
        unreported = true;
        group.polled(serviceMillis);
        if (handed == incarnation && this.apiVersion == apiVersion && serviceMillis - looked < LOOK_AGAIN_MILLIS) {
            return false;
        }
        looked = serviceMillis;
        this.apiVersion = apiVersion;
        handed = incarnation;
        return true;
    }

    /** Whether it polled this node and the writer has not confirmed a report of that. */
    public boolean isUnreported() {
        return unreported;
    }

    /** Sets whether its poll here was reported to the writer. */
    public void reported(boolean reported) {
        unreported = !reported;
    }

    void publish(Machine machine, GroupView group) {
        this.machine = machine;
        if (this.group != group) {
            storedPoll = 0; // It is not in the record of this group.
        }
        this.group = group;
    }

    void publish(MachineCondition condition) {
        this.condition = condition;
    }

    void notPolledAfter(long serviceMillis) {
        lastPoll = Math.min(lastPoll, serviceMillis);
        looked = Math.min(looked, serviceMillis);
    }

    void stored(long serviceMillis) {
        storedPoll = serviceMillis;
    }

    void recall(long serviceMillis, String apiVersion) {
        lastPoll = serviceMillis;
        this.apiVersion = apiVersion;
    }
}
