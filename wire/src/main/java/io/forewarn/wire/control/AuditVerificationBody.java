package io.forewarn.wire.control;

import java.util.List;

/**
 * Whether the audit log is what was written.
 *
 * @param intact every byte is as it was written, nothing is missing, and the order is right
 * @param pages how many pages were found so, up to the fault if there is one
 * @param lines how many lines stand in them
 * @param firstPage number of the oldest page
 * @param lastPage number of the newest, or of the last one before the fault
 * @param first time of the oldest
 * @param last time of the newest, or of the last one before the fault
 * @param head hash of that page: note it elsewhere, and no later change goes unseen
 * @param place the record at which the log is not what was written
 * @param fault what is wrong there
 * @param losses where the service went on after its store had lost acknowledged commits, oldest first; absent if it never did
 * @param droppedPages how many pages before the oldest were dropped for their age
 * @param droppedAt when history or pages were dropped last
 * @param droppedBefore what was older than this was dropped then
 */
public record AuditVerificationBody(
        boolean intact,
        long pages,
        long lines,
        long firstPage,
        long lastPage,
        String first,
        String last,
        String head,
        String place,
        String fault,
        List<Loss> losses,
        long droppedPages,
        String droppedAt,
        String droppedBefore) {
    /**
     * A gap in what was acknowledged.
     *
     * @param page the page of the audit log that tells of it
     * @param at when it was written down
     * @param detail which commits are lost, and why
     */
    public record Loss(long page, String at, String detail) {}
}
