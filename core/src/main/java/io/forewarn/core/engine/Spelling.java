package io.forewarn.core.engine;

import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.Condition;
import io.forewarn.core.rules.Draft;
import io.forewarn.core.rules.Facts;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.LogPage;
import io.forewarn.core.rules.Polls;
import io.forewarn.core.rules.Stored;
import io.forewarn.core.rules.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** From a draft to the records it changes. */
final class Spelling {
    private final Format format;

    Spelling(Format format) {
        this.format = format;
    }

    /** @param page null if there is nothing to remember */
    Commit commit(Draft draft, Facts before, LogPage page) {
        Map<String, byte[]> puts = new HashMap<>();
        Set<String> deletes = new HashSet<>();
        Consumer<Stored> put = record -> puts.put(record.key(), format.write(record));
        draft.states().forEach(put);
        draft.conditions().stream().filter(c -> draft.machine(c.machine()).isPresent()).forEach(put);
        draft.tokens().forEach(put);
        draft.removedTokens().forEach(name -> deletes.add(Token.PREFIX + name));
        draft.polls().forEach(put);
        draft.clock().ifPresent(put);
        for (GroupChange change : draft.fleet()) {
            chunks(change).forEach(put);
            deletes.addAll(obsolete(change, before, draft));
        }
        if (page != null) {
            put.accept(page);
        }
        deletes.removeAll(puts.keySet());
        return Commit.of(draft.commit(), draft.epoch(), puts, deletes);
    }

    static List<FleetChunk> chunks(GroupChange change) {
        return change.group() == null ? List.of() : Chunks.of(change.group(), change.machines());
    }

    byte[] write(Stored record) {
        return format.write(record);
    }

    /** Keys that a changed group no longer needs. */
    static List<String> obsolete(GroupChange change, Facts before, Facts after) {
        List<String> keys = new ArrayList<>();
        GroupId id = change.id();
        int kept = chunks(change).size();
        Group group = before.group(id).orElse(null);
        if (group != null) {
            List<FleetChunk> old = Chunks.of(group, before.machines(id));
            old.subList(Math.min(kept, old.size()), old.size()).forEach(c -> keys.add(c.key()));
        }
        for (Machine machine : before.machines(id)) {
            MachineId machineId = machine.id();
            if (after.machine(machineId).isEmpty()) {
                keys.add(Condition.PREFIX + machineId);
            }
        }
        if (change.group() == null) {
            keys.add(Polls.PREFIX + id);
        }
        return keys;
    }
}
