package io.forewarn.wire.guest;

import io.forewarn.wire.control.SourcedValueBody;
import io.forewarn.wire.control.StartBlockerBody;
import java.util.List;

/**
 * One open event, as its machines see it.
 *
 * @param status scheduled, started, or ended
 * @param affectsMe whether it affects this machine
 * @param approved whether the rest of its notice is waived
 * @param approvalsNeeded number of machines that must be ready for that
 * @param ready the machines that are ready
 * @param postponableBy by how much its machines may still postpone it; absent if not at all
 * @param blockers what keeps it from starting now
 * @param policy the values that apply to it, and their sources
 * @param history what happened to it so far, oldest first
 */
public record GuestEvent(
        String id,
        String status,
        String type,
        String source,
        List<String> machines,
        Boolean affectsMe,
        String description,
        String notice,
        String notBefore,
        Boolean approved,
        Integer approvalsNeeded,
        List<String> ready,
        String postponableBy,
        List<StartBlockerBody> blockers,
        List<SourcedValueBody> policy,
        List<GuestHistoryEntry> history) {
    /**
     * An entry in the history of an event.
     *
     * @param by a machine's name, person, or service
     */
    public record GuestHistoryEntry(String at, String kind, String by, String notBefore) {}

    /** One that is over. */
    public static GuestEvent gone(String id) {
        return new GuestEvent(
                id, "ended", null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }
}
