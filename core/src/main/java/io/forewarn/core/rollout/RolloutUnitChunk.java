package io.forewarn.core.rollout;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.ZeroPadding;
import java.util.ArrayList;
import java.util.List;

/** A stretch of a rollout's units, small enough for one record. */
public record RolloutUnitChunk(String rollout, int chunk, List<RolloutUnit> units) implements StoredRecord {
    public static final String PREFIX = "pieces/";

    /** How many units are in each chunk but the last. */
    public static final int SIZE = 500;

    public RolloutUnitChunk {
        units = List.copyOf(units);
    }

    @Override
    public String key() {
        return key(rollout, chunk);
    }

    public static String key(String rollout, int chunk) {
        return PREFIX + rollout + "/" + ZeroPadding.pad(chunk, 5);
    }

    public static List<RolloutUnitChunk> of(String rollout, List<RolloutUnit> units) {
        List<RolloutUnitChunk> chunks = new ArrayList<>();
        for (int from = 0; from < units.size(); from += SIZE) {
            chunks.add(new RolloutUnitChunk(
                    rollout, from / SIZE, units.subList(from, Math.min(units.size(), from + SIZE))));
        }
        return chunks;
    }

    /** In how many chunks so many units are kept. */
    public static int chunks(int units) {
        return (units + SIZE - 1) / SIZE;
    }

    public RolloutUnit unit(int index) {
        return units.get(index % SIZE);
    }

    public RolloutUnitChunk with(int index, RolloutUnit.State state) {
        return with(index, state, "");
    }

    public RolloutUnitChunk with(int index, RolloutUnit.State state, String why) {
        return with(index, unit(index).with(state, why));
    }

    public RolloutUnitChunk with(int index, Turn turn) {
        return with(index, unit(index).with(turn));
    }

    public RolloutUnitChunk withoutTurn(int index) {
        return with(index, unit(index).withoutTurn());
    }

    public RolloutUnitChunk with(int index, UnitRun run) {
        return with(index, unit(index).with(run));
    }

    private RolloutUnitChunk with(int index, RolloutUnit unit) {
        List<RolloutUnit> changed = new ArrayList<>(units);
        changed.set(index % SIZE, unit);
        return new RolloutUnitChunk(rollout, chunk, changed);
    }

    /** Adds a unit at the end. */
    public RolloutUnitChunk with(RolloutUnit unit) {
        List<RolloutUnit> more = new ArrayList<>(units);
        more.add(unit);
        return new RolloutUnitChunk(rollout, chunk, more);
    }
}
