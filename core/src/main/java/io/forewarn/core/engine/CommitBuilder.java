package io.forewarn.core.engine;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.ChangeSet;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.LastPolls;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.StateReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns a change set into the records to write and delete. */
final class CommitBuilder {
    /** Never less than a line of history takes, and the record's own frame. */
    private static final int BYTES_PER_ENTRY = 2048;

    /** More than any store takes in one commit: how much more need not be known. */
    private static final int FAR_TOO_LARGE = 1 << 26;

    private final RecordFormat format;
    private final PublishedState published;

    /** A record's key and its bytes. */
    private record Encoded(String key, byte[] value) {}

    /** Records already encoded for the commit in progress. Records are immutable, so their bytes stay valid. */
    private final IdentityHashMap<StoredRecord, Encoded> spelt = new IdentityHashMap<>();

    CommitBuilder(RecordFormat format, PublishedState published) {
        this.format = format;
        this.published = published;
    }

    /** @param page null if there is nothing to remember */
    Commit commit(ChangeSet draft, LogPage page) {
        Map<String, byte[]> puts = new HashMap<>();
        for (StoredRecord record : small(draft)) {
            Encoded encoded = once(record);
            puts.put(encoded.key, encoded.value);
        }
        machines(draft).forEach(record -> puts.put(record.key(), write(record)));
        if (page != null) {
            puts.put(page.key(), write(page));
        }
        Set<String> deletes = deletes(draft, isGone(draft)).collect(Collectors.toCollection(HashSet::new));
        deletes.removeAll(puts.keySet());
        spelt.clear();
        return Commit.of(draft.commit(), draft.epoch(), puts, deletes);
    }

    /** What a change set adds to a commit; never underestimated unless no store could take it. */
    Store.Limits weigh(ChangeSet draft) {
        List<StoredRecord> records = small(draft);
        long bytes = (long) draft.entries().size() * BYTES_PER_ENTRY;
        for (StoredRecord record : records) {
            Encoded encoded = once(record);
            bytes += encoded.key.length() + encoded.value.length;
        }
        int operations = records.size() + deletesOfSmall(draft).size();
        for (GroupChange change : draft.fleet()) {
            bytes += FleetChunker.bytes(change.machines());
            if (bytes > FAR_TOO_LARGE) {
                return new Store.Limits(operations, FAR_TOO_LARGE);
            }
        }
        for (GroupChange change : draft.fleet()) {
            operations += chunks(change).size()
                    + obsolete(change, published, isGone(draft)).size();
        }
        return new Store.Limits(operations, (int) Math.min(bytes, Integer.MAX_VALUE));
    }

    /** All records a draft changes, computed as they are read: a whole fleet may be among them. */
    Stream<StoredRecord> records(ChangeSet draft) {
        return Stream.concat(small(draft).stream(), machines(draft));
    }

    /**
     * All keys a draft deletes, computed as they are read; some of them may never have existed.
     *
     * @param isGone whether a machine that left its group is in no other
     */
    Stream<String> deletes(ChangeSet draft, Predicate<MachineId> isGone) {
        return Stream.concat(
                deletesOfSmall(draft).stream(),
                draft.fleet().stream().flatMap(change -> obsolete(change, published, isGone).stream()));
    }

    private static Predicate<MachineId> isGone(ChangeSet draft) {
        return machine -> draft.machine(machine).isEmpty();
    }

    private static List<String> deletesOfSmall(ChangeSet draft) {
        List<String> deletes = new ArrayList<>();
        for (RecordType<?> type : RecordType.ALL) {
            for (RecordType.Removal removal : type.removed().apply(draft)) {
                deletes.add(removal.key());
            }
        }
        deletes.addAll(draft.post().settled());
        return deletes;
    }

    private static List<StoredRecord> small(ChangeSet draft) {
        List<StoredRecord> records = new ArrayList<>(draft.post().letters());
        for (RecordType<?> type : RecordType.ALL) {
            records.addAll(type.changed().apply(draft));
        }
        return records;
    }

    private static Stream<FleetChunk> machines(ChangeSet draft) {
        return draft.fleet().stream().flatMap(change -> chunks(change).stream());
    }

    private Encoded once(StoredRecord record) {
        Encoded encoded = spelt.get(record);
        if (encoded == null) {
            encoded = new Encoded(record.key(), format.write(record));
            spelt.put(record, encoded);
        }
        return encoded;
    }

    private static List<FleetChunk> chunks(GroupChange change) {
        return change.group() == null ? List.of() : FleetChunker.of(change.group(), change.machines());
    }

    byte[] write(StoredRecord record) {
        return format.write(record);
    }

    /** Keys that a changed group no longer needs. */
    private static List<String> obsolete(GroupChange change, StateReader before, Predicate<MachineId> isGone) {
        List<String> keys = new ArrayList<>();
        GroupId id = change.id();
        int kept = chunks(change).size();
        Group group = before.group(id).orElse(null);
        if (group != null) {
            List<FleetChunk> old = FleetChunker.of(group, before.machines(id));
            old.subList(Math.min(kept, old.size()), old.size()).forEach(c -> keys.add(c.key()));
        }
        for (Machine machine : before.machines(id)) {
            MachineId machineId = machine.id();
            if (isGone.test(machineId)) {
                keys.add(MachineCondition.PREFIX + machineId);
            }
        }
        if (change.group() == null) {
            keys.add(LastPolls.PREFIX + id);
        }
        return keys;
    }
}
