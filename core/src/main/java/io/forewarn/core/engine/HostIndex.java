package io.forewarn.core.engine;

import io.forewarn.core.fleet.MachineId;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Which machines are on which host, updated machine by machine, because one new machine must not cost a scan of a fleet of a
 * million. One thread changes it; any thread may read, and sees each host as it was before or after a change.
 *
 * <p>Most hosts have few machines, and a short array is the smallest way to hold them. A name shared by many machines gets a
 * set, so that adding or removing them one by one does not take quadratic time.
 */
final class HostIndex {
    private static final int FEW = 64;

    private final NavigableMap<String, Collection<MachineId>> hosts = new ConcurrentSkipListMap<>();

    Collection<MachineId> machinesOn(String host) {
        return hosts.getOrDefault(host, List.of());
    }

    /** In order. */
    Collection<String> hosts() {
        return Collections.unmodifiableSet(hosts.navigableKeySet());
    }

    /** @param host blank if it is on none that is known */
    void add(String host, MachineId machine) {
        if (host.isEmpty()) {
            return;
        }
        Collection<MachineId> there = hosts.getOrDefault(host, List.of());
        if (there.contains(machine)) {
            return;
        }
        if (there instanceof Set<MachineId> many) {
            many.add(machine);
        } else if (there.size() < FEW) {
            MachineId[] more = Arrays.copyOf(there.toArray(new MachineId[0]), there.size() + 1);
            more[there.size()] = machine;
            hosts.put(host, Collections.unmodifiableList(Arrays.asList(more)));
        } else {
            Set<MachineId> many = ConcurrentHashMap.newKeySet();
            many.addAll(there);
            many.add(machine);
            hosts.put(host, many);
        }
    }

    void remove(String host, MachineId machine) {
        Collection<MachineId> there = hosts.getOrDefault(host, List.of());
        if (there instanceof Set<MachineId> many) {
            many.remove(machine);
            if (many.isEmpty()) {
                hosts.remove(host);
            }
        } else if (there.contains(machine)) {
            if (there.size() == 1) {
                hosts.remove(host);
            } else {
                MachineId[] fewer =
                        there.stream().filter(m -> !m.equals(machine)).toArray(MachineId[]::new);
                hosts.put(host, Collections.unmodifiableList(Arrays.asList(fewer)));
            }
        }
    }
}
