package io.forewarn.wire.control;

import java.util.List;

/**
 * Result of verifying the audit log.
 *
 * @param intact whether every byte is unchanged, nothing is missing and the order is right
 * @param pages number of intact pages, up to the fault if there is one
 * @param entries number of entries on them
 * @param firstPage number of the oldest page
 * @param lastPage number of the newest page, or of the last one before the fault
 * @param firstAt time of the oldest page
 * @param lastAt time of the newest page, or of the last one before the fault
 * @param head hash of that page; if you store it in another place, you can detect any later change
 * @param changedRecord the first record that was changed
 * @param fault what is wrong there
 * @param losses where the service continued after its store had lost acknowledged commits, oldest first; absent if
 *     that never happened
 * @param droppedPages number of older pages, no longer in the log, that were dropped because of their age
 * @param droppedAt when history or pages were last dropped
 * @param droppedBefore everything older than this was dropped at that time
 */
public record AuditVerificationBody(
        boolean intact,
        long pages,
        long entries,
        long firstPage,
        long lastPage,
        String firstAt,
        String lastAt,
        String head,
        String changedRecord,
        String fault,
        List<CommitLoss> losses,
        long droppedPages,
        String droppedAt,
        String droppedBefore) {
    /**
     * A loss of acknowledged commits.
     *
     * @param page the page of the audit log that records it
     * @param at when it was recorded
     * @param detail which commits are lost, and why
     */
    public record CommitLoss(long page, String at, String detail) {}
}
