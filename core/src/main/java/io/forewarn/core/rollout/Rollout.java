package io.forewarn.core.rollout;

import io.forewarn.core.StoredRecord;
import java.time.Instant;

/**
 * A rollout and how far it is.
 *
 * @param pieces of how many pieces it is made
 * @param open how many are announced or started
 * @param done how many are over, by it or by their owners
 * @param failed how many the driver could not do
 * @param skipped how many a person cancelled
 * @param why it stands where it stands, for people; may be blank
 */
public record Rollout(
        RolloutSpec spec,
        Status status,
        Instant createdAt,
        Instant endedAt,
        int units,
        int open,
        int done,
        int failed,
        int skipped,
        String why)
        implements StoredRecord {
    public enum Status {
        RUNNING,
        /** By a person; what is announced does not start. */
        PAUSED,
        /** By a failure; what is announced does not start. */
        HALTED,
        /** By a person, for good; what had started was finished. */
        ABORTED,
        DONE
    }

    public static final String PREFIX = "rollout/";

    @Override
    public String key() {
        return PREFIX + spec.name();
    }

    public String name() {
        return spec.name();
    }

    public boolean isOver() {
        return status == Status.ABORTED || status == Status.DONE;
    }

    public int pending() {
        return units - open - done - failed - skipped;
    }

    /** Whether another piece may be opened. */
    public boolean hasRoom() {
        return open < spec.atOnce().of(units);
    }

    public Rollout with(Status next, String why) {
        return new Rollout(spec, next, createdAt, endedAt, units, open, done, failed, skipped, why);
    }

    public Rollout counted(int open, int done, int failed, int skipped) {
        return new Rollout(
                spec,
                status,
                createdAt,
                endedAt,
                units,
                this.open + open,
                this.done + done,
                this.failed + failed,
                this.skipped + skipped,
                why);
    }

    public Rollout ended(Status last, Instant at, String why) {
        return new Rollout(spec, last, createdAt, at, units, open, done, failed, skipped, why);
    }
}
