package io.forewarn.core.engine;

import io.forewarn.core.Stored;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.OpenPiece;
import io.forewarn.core.rules.Condition;
import io.forewarn.core.rules.Draft;
import io.forewarn.core.rules.Facts;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.LogPage;
import io.forewarn.core.rules.Polls;
import io.forewarn.core.rules.StoredPolicy;
import io.forewarn.core.rules.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** From a draft to the records it changes. */
final class Spelling {
    /** Never less than a line of history takes, and the record's own frame. */
    private static final int BYTES_PER_ENTRY = 2048;

    private final Format format;
    private final View view;

    /** What was already spelt for the commit in the making; a record is immutable, so its bytes are good as long as it is. */
    private final IdentityHashMap<Stored, byte[]> spelt = new IdentityHashMap<>();

    Spelling(Format format, View view) {
        this.format = format;
        this.view = view;
    }

    /** @param page null if there is nothing to remember */
    Commit commit(Draft draft, LogPage page) {
        Map<String, byte[]> puts = new HashMap<>();
        Set<String> deletes = new HashSet<>();
        Consumer<Stored> put = record -> puts.put(record.key(), once(record));
        draft.states().forEach(put);
        draft.conditions().stream()
                .filter(c -> draft.machine(c.machine()).isPresent())
                .forEach(put);
        draft.tokens().forEach(put);
        draft.removedTokens().forEach(name -> deletes.add(Token.PREFIX + name));
        draft.setPolicies().forEach(policy -> put.accept(new StoredPolicy(policy)));
        draft.removedPolicies().forEach(scope -> deletes.add(StoredPolicy.PREFIX + scope));
        draft.polls().forEach(put);
        draft.clock().ifPresent(put);
        draft.changedRollouts().forEach(put);
        draft.changedPieces().forEach(put);
        draft.opened().forEach(put);
        draft.closed().forEach(tie -> deletes.add(OpenPiece.key(tie)));
        for (GroupChange change : draft.fleet()) {
            chunks(change).forEach(put);
            deletes.addAll(obsolete(change, view, draft));
        }
        if (page != null) {
            put.accept(page);
        }
        deletes.removeAll(puts.keySet());
        spelt.clear();
        return Commit.of(draft.commit(), draft.epoch(), puts, deletes);
    }

    /** What a draft adds to a commit, never too little. */
    Store.Limits weigh(Draft draft) {
        List<Stored> records = new ArrayList<>(draft.states());
        records.addAll(draft.conditions());
        records.addAll(draft.tokens());
        draft.setPolicies().forEach(policy -> records.add(new StoredPolicy(policy)));
        records.addAll(draft.polls());
        draft.clock().ifPresent(records::add);
        records.addAll(draft.changedRollouts());
        records.addAll(draft.changedPieces());
        records.addAll(draft.opened());
        long bytes = (long) draft.entries().size() * BYTES_PER_ENTRY;
        for (Stored record : records) {
            bytes += record.key().length() + once(record).length;
        }
        int operations = records.size()
                + draft.removedTokens().size()
                + draft.removedPolicies().size()
                + draft.closed().size();
        for (GroupChange change : draft.fleet()) {
            operations += chunks(change).size() + obsolete(change, view, draft).size();
            bytes += Chunks.bytes(change.machines());
        }
        return new Store.Limits(operations, (int) Math.min(bytes, Integer.MAX_VALUE));
    }

    private byte[] once(Stored record) {
        return spelt.computeIfAbsent(record, format::write);
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
