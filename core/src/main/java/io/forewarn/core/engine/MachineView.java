package io.forewarn.core.engine;

import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rules.MachineCondition;

/** One machine as published, and its last poll. */
public final class MachineView {
    /** What was made of a document that was handed out may have been lost with a writer: then it is looked at again. */
    private static final long LOOK_AGAIN_MILLIS = 10_000;

    private volatile Machine machine;
    private volatile GroupView group;
    private volatile MachineCondition condition;

    // Written by whoever answers the machine, without locks: a lost write is a poll that was not noted.
    private long lastPoll;
    private String apiVersion = "";
    private long handed;
    private GroupView handedOf;
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

    /** Service time in milliseconds of its last request; 0 if it never asked. */
    public long lastPoll() {
        return lastPoll;
    }

    /** The api-version of its last request; blank if it never asked. */
    public String apiVersion() {
        return apiVersion;
    }

    /**
     * Notes a request that is being answered with a document.
     *
     * @param apiVersion always the same object for the same version: compared by identity, this is the hot path
     * @return whether to look what it has not seen: it had not been handed this incarnation in this version before, or the
     *     last look was some time ago
     */
    @SuppressWarnings("StringEquality") // See apiVersion.
    public boolean polled(long serviceMillis, String apiVersion, long incarnation) {
        GroupView group = this.group;
        lastPoll = serviceMillis;
        unreported = true;
        group.polled(serviceMillis);
        if (handed == incarnation
                && handedOf == group
                && this.apiVersion == apiVersion
                && serviceMillis - looked < LOOK_AGAIN_MILLIS) {
            return false;
        }
        looked = serviceMillis;
        this.apiVersion = apiVersion;
        handed = incarnation;
        handedOf = incarnation == 0 ? handedOf : group;
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

    /** Whether it was last handed a document of another group: then an equal incarnation says nothing. */
    public boolean changedGroup(GroupView now) {
        return handedOf != null && handedOf != now;
    }

    void publish(Machine machine, GroupView group) {
        this.machine = machine;
        if (this.group != group && handedOf == null) {
            handedOf = this.group;
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

    void recall(long serviceMillis, String apiVersion) {
        lastPoll = serviceMillis;
        this.apiVersion = apiVersion;
    }
}
