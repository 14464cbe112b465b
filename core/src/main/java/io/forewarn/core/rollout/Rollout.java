package io.forewarn.core.rollout;

import io.forewarn.core.StoredRecord;
import java.time.Instant;

/**
 * A rollout and its progress.
 *
 * @param units number of units in total
 * @param open units scheduled or started
 * @param done units completed, by the rollout or by the owners themselves
 * @param failed units that the driver could not complete
 * @param skipped units cancelled by a person
 * @param why the reason for its status, in a sentence; may be blank
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
        String why,
        boolean marks)
        implements StoredRecord {
    public enum Status {
        RUNNING,
        /** By a person; scheduled events do not start. */
        PAUSED,
        /** By a failure; scheduled events do not start. */
        HALTED,
        /** By a person, permanently; started events were completed. */
        ABORTED,
        DONE
    }

    public static final String PREFIX = "rollout/";

    /** A new rollout. */
    public static Rollout started(RolloutSpec spec, Instant at, int units) {
        return new Rollout(spec, Status.RUNNING, at, null, units, 0, 0, 0, 0, "", true);
    }

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

    /** Whether another unit may be opened. */
    public boolean hasRoom() {
        return open < spec.atOnce().of(units);
    }

    public Rollout with(Status next, String why) {
        return new Rollout(spec, next, createdAt, endedAt, units, open, done, failed, skipped, why, marks);
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
                why,
                marks);
    }

    /** The same rollout with additional units. */
    public Rollout widened(int more) {
        return new Rollout(spec, status, createdAt, endedAt, units + more, open, done, failed, skipped, why, marks);
    }

    public Rollout ended(Status last, Instant at, String why) {
        return new Rollout(spec, last, createdAt, at, units, open, done, failed, skipped, why, marks);
    }
}
