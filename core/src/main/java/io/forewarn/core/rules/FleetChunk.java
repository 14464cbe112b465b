package io.forewarn.core.rules;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.ZeroPadding;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import java.util.List;
import java.util.Optional;

/**
 * A group with some of its machines, small enough for one record. Chunk 0 always exists, and says how many chunks there are.
 *
 * @param chunks how many chunks the group has
 * @param machines this chunk's machines, in fleet order
 */
public record FleetChunk(Group group, int chunk, int chunks, List<Machine> machines) implements StoredRecord {
    public static final String PREFIX = "fleet/";

    public FleetChunk {
        machines = List.copyOf(machines);
    }

    @Override
    public String key() {
        return PREFIX + group.id() + "/" + ZeroPadding.pad(chunk, 5);
    }

    /** The group whose first chunk has this key; empty for any other key. */
    public static Optional<GroupId> begunBy(String key) {
        String[] parts = key.split("/");
        return parts.length == 4 && key.startsWith(PREFIX) && parts[3].equals("00000")
                ? Optional.of(new GroupId(parts[1], parts[2]))
                : Optional.empty();
    }
}
