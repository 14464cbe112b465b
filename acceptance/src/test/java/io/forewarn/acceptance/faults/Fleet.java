package io.forewarn.acceptance.faults;

import java.util.ArrayList;
import java.util.List;

/** A generated fleet: groups of equal size, every machine with a loopback address of its own. */
public record Fleet(int groups, int machinesPerGroup) {
    public record Machine(String name, String group, String address) {}

    public List<Machine> machines() {
        List<Machine> machines = new ArrayList<>();
        for (int i = 0; i < groups * machinesPerGroup; i++) {
            String group = "set" + i / machinesPerGroup;
            machines.add(new Machine(
                    group + "_" + i % machinesPerGroup, group, "127.0." + (1 + i / 200) + "." + (11 + i % 200)));
        }
        return machines;
    }

    /** One machine of each group. */
    public List<Machine> leaders() {
        return machines().stream().filter(m -> m.name().endsWith("_0")).toList();
    }

    public String yaml() {
        StringBuilder yaml = new StringBuilder("groups:\n");
        for (int i = 0; i < groups; i++) {
            yaml.append("  - {name: set")
                    .append(i)
                    .append(", kind: availability-set, update-domains: 3, fault-domains: 2}\n");
        }
        yaml.append("machines:\n");
        for (Machine m : machines()) {
            yaml.append("  - {name: ")
                    .append(m.name())
                    .append(", group: ")
                    .append(m.group())
                    .append(", addresses: [")
                    .append(m.address())
                    .append("]}\n");
        }
        return yaml.toString();
    }
}
