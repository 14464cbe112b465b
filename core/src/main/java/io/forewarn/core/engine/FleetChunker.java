package io.forewarn.core.engine;

import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rules.FleetChunk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Splits a group's machines into records of at most 64 KiB. The same machines are always split the same way. */
final class FleetChunker {
    private static final int MOST_BYTES = 48 * 1024;

    private FleetChunker() {}

    static List<FleetChunk> of(Group group, List<Machine> machines) {
        List<List<Machine>> cuts = new ArrayList<>();
        List<Machine> cut = new ArrayList<>();
        int bytes = 0;
        for (Machine machine : machines) {
            int size = size(machine);
            if (bytes + size > MOST_BYTES && !cut.isEmpty()) {
                cuts.add(cut);
                cut = new ArrayList<>();
                bytes = 0;
            }
            cut.add(machine);
            bytes += size;
        }
        cuts.add(cut);
        List<FleetChunk> chunks = new ArrayList<>();
        for (int i = 0; i < cuts.size(); i++) {
            chunks.add(new FleetChunk(group, i, cuts.size(), cuts.get(i)));
        }
        return chunks;
    }

    /** An upper bound of the size of machines in records. */
    static long bytes(List<Machine> machines) {
        return 500 + machines.stream().mapToLong(FleetChunker::size).sum();
    }

    /** An upper bound of the size of a machine in a record: names are plain characters, tags may be anything. */
    private static int size(Machine machine) {
        int size = 200
                + machine.name().length()
                + machine.host().length()
                + machine.listen().length();
        for (String address : machine.addresses()) {
            size += address.length() + 3;
        }
        for (Map.Entry<String, String> tag : machine.tags().entrySet()) {
            size += 6 * (tag.getKey().length() + tag.getValue().length()) + 6;
        }
        return size;
    }
}
