package io.forewarn.core.fleet;

import java.util.List;
import java.util.Map;

/**
 * Estimates the memory of a fleet in bytes before it is used. The numbers are those of a 64-bit JVM with
 * compressed references, measured with a million machines ({@code bench/README.md}), and rounded up.
 */
public final class MemoryEstimate {
    /** A machine, its request state, and its index entries. */
    private static final long MACHINE = 300;

    /** A group, its document, and its index entry. */
    private static final long GROUP = 450;

    /** A string, its entry in a list or map, and for an address its index entry. */
    private static final int TEXT = 100;

    private MemoryEstimate() {}

    public static long of(Group group) {
        return GROUP + group.id().name().length();
    }

    public static long of(Machine machine) {
        return ofMachine(machine.name(), machine.host(), machine.addresses(), machine.listen(), machine.tags());
    }

    /** The memory of a machine that is only described yet. */
    public static long of(FleetSpec.MachineSpec machine) {
        long alone = machine.group() == null ? GROUP : 0;
        return alone
                + ofMachine(machine.id().name(), machine.host(), machine.addresses(), machine.listen(), machine.tags());
    }

    public static long of(FleetSpec.GroupSpec group) {
        return GROUP + group.id().name().length();
    }

    private static long ofMachine(
            String name, String host, List<String> addresses, String listen, Map<String, String> tags) {
        long bytes = MACHINE + name.length() + host.length() + text(listen);
        for (String address : addresses) {
            bytes += text(address);
        }
        for (Map.Entry<String, String> tag : tags.entrySet()) {
            bytes += text(tag.getKey()) + text(tag.getValue());
        }
        return bytes;
    }

    /** Two bytes per character: one character outside Latin-1 makes it so for all. */
    private static long text(String text) {
        return text.isEmpty() ? 0 : TEXT + 2L * text.length();
    }
}
