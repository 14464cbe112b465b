package io.forewarn.core.rollout;

import io.forewarn.core.StoredRecord;
import java.time.Instant;

/**
 * A rollout and its progress.
 *
 * @param units number of units in total
 * @param open units scheduled or started
 * @param started units started and not ended
 * @param done units completed, by the rollout or by the owners themselves
 * @param failed units that the driver could not complete
 * @param skipped units cancelled by a person
 * @param why the reason for its status, in a sentence; may be blank
 * @param plannedEnd when the last unit was to end by the first plan; null if that is not known
 * @param replanning when it was resumed after a pause, while turns are being moved because of it and nothing may start yet;
 *     null otherwise
 */
public record Rollout(
        RolloutSpec spec,
        Status status,
        Instant createdAt,
        Instant endedAt,
        int units,
        int open,
        int started,
        int done,
        int failed,
        int skipped,
        String why,
        boolean marks,
        Instant plannedEnd,
        Instant replanning)
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
    public static Rollout started(RolloutSpec spec, Instant at, int units, Instant ends) {
        return new Rollout(spec, Status.RUNNING, at, null, units, 0, 0, 0, 0, 0, "", true, ends, null);
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

    /** How many units may be in progress at once. */
    public int limit() {
        return spec.atOnce().of(units);
    }

    /** Whether another unit may start. */
    public boolean hasRoom() {
        return started < limit();
    }

    public Rollout with(Status next, String why) {
        return new Rollout(
                spec,
                next,
                createdAt,
                endedAt,
                units,
                open,
                started,
                done,
                failed,
                skipped,
                why,
                marks,
                plannedEnd,
                replanning);
    }

    public Rollout with(RolloutSpec changed) {
        return new Rollout(
                changed,
                status,
                createdAt,
                endedAt,
                units,
                open,
                started,
                done,
                failed,
                skipped,
                why,
                marks,
                plannedEnd,
                replanning);
    }

    /** @param since null once all turns are settled */
    public Rollout replanningSince(Instant since) {
        return new Rollout(
                spec,
                status,
                createdAt,
                endedAt,
                units,
                open,
                started,
                done,
                failed,
                skipped,
                why,
                marks,
                plannedEnd,
                since);
    }

    /** Whether turns are being moved, so that nothing may start yet. */
    public boolean isReplanning() {
        return replanning != null;
    }

    /** Whether nothing of it may start: it is paused, halted or over, or its turns are being moved. */
    public boolean standsStill() {
        return status != Status.RUNNING || isReplanning();
    }

    /** A unit started, or a started one ended. */
    public Rollout countedStarted(int more) {
        return new Rollout(
                spec,
                status,
                createdAt,
                endedAt,
                units,
                open,
                started + more,
                done,
                failed,
                skipped,
                why,
                marks,
                plannedEnd,
                replanning);
    }

    public Rollout counted(int open, int done, int failed, int skipped) {
        return new Rollout(
                spec,
                status,
                createdAt,
                endedAt,
                units,
                this.open + open,
                started,
                this.done + done,
                this.failed + failed,
                this.skipped + skipped,
                why,
                marks,
                plannedEnd,
                replanning);
    }

    /** The same rollout with additional units. */
    public Rollout widened(int more) {
        return new Rollout(
                spec,
                status,
                createdAt,
                endedAt,
                units + more,
                open,
                started,
                done,
                failed,
                skipped,
                why,
                marks,
                plannedEnd,
                replanning);
    }

    public Rollout ended(Status last, Instant at, String why) {
        return new Rollout(
                spec, last, createdAt, at, units, open, started, done, failed, skipped, why, marks, plannedEnd, null);
    }
}
