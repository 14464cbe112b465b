package io.forewarn.wire.control;

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
 */
public record ProofBody(
        boolean intact,
        long pages,
        long lines,
        long firstPage,
        long lastPage,
        String first,
        String last,
        String head,
        String place,
        String fault) {}
