package io.forewarn.core.engine;

import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rules.FleetChunk;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reassembles groups from their chunks, which arrive in key order. */
final class FleetChunkAssembler {
    private final Consumer<GroupChange> whole;
    private final List<Machine> machines = new ArrayList<>();
    private FleetChunk last;

    FleetChunkAssembler(Consumer<GroupChange> whole) {
        this.whole = whole;
    }

    void take(FleetChunk chunk) throws StoreException {
        int expected = isWhole() ? 0 : last.chunk() + 1;
        if (chunk.chunk() != expected
                || !isWhole() && !chunk.group().id().equals(last.group().id())) {
            throw incomplete(isWhole() ? chunk : last);
        }
        machines.addAll(chunk.machines());
        last = chunk;
        if (isWhole()) {
            whole.accept(new GroupChange(chunk.group().id(), chunk.group(), List.copyOf(machines)));
            machines.clear();
        }
    }

    void end() throws StoreException {
        if (!isWhole()) {
            throw incomplete(last);
        }
    }

    private boolean isWhole() {
        return last == null || last.chunk() + 1 == last.chunks();
    }

    private static StoreException incomplete(FleetChunk chunk) {
        return new StoreException(
                Kind.UNREADABLE,
                "the store lacks a part of group " + chunk.group().id() + "; restore it from a backup");
    }
}
