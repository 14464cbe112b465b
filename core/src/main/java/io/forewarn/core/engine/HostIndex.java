package io.forewarn.core.engine;

import io.forewarn.core.fleet.MachineId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /** Begins changes that are published together. */
    Draft draft() {
        return new Draft();
    }

    /** Takes over what was drafted. Nothing else may have changed the index since the draft was begun. */
    void publish(Draft draft) {
        draft.few.forEach((host, there) -> {
            if (there.isEmpty()) {
                hosts.remove(host);
            } else {
                hosts.put(host, there instanceof Set ? there : List.copyOf(there));
            }
        });
        for (Edit edit : draft.edits) {
            Collection<MachineId> many = hosts.get(edit.host());
            if (edit.comes()) {
                many.add(edit.machine());
            } else {
                many.remove(edit.machine());
            }
        }
        draft.edits.stream()
                .map(Edit::host)
                .distinct()
                .filter(host -> hosts.get(host).isEmpty())
                .forEach(hosts::remove);
    }

    /** A machine that comes to a host of many, or goes. */
    private record Edit(String host, MachineId machine, boolean comes) {}

    /** Changes that nobody sees yet. */
    final class Draft {
        /** Hosts of few machines so far, each with all that it will have. */
        private final Map<String, Collection<MachineId>> few = new HashMap<>();

        private final List<Edit> edits = new ArrayList<>();

        /** @param host blank if it is on none that is known */
        void add(String host, MachineId machine) {
            if (machinesOn(host) instanceof Set) {
                edits.add(new Edit(host, machine, true));
            } else if (!host.isEmpty()) {
                Collection<MachineId> there = there(host);
                if (!there.contains(machine)) {
                    if (there.size() == FEW && !(there instanceof Set)) {
                        Set<MachineId> many = ConcurrentHashMap.newKeySet();
                        many.addAll(there);
                        few.put(host, many);
                        there = many;
                    }
                    there.add(machine);
                }
            }
        }

        /** @param host blank if it is on none that is known */
        void remove(String host, MachineId machine) {
            if (machinesOn(host) instanceof Set) {
                edits.add(new Edit(host, machine, false));
            } else if (!host.isEmpty()) {
                there(host).remove(machine);
            }
        }

        private Collection<MachineId> there(String host) {
            return few.computeIfAbsent(host, name -> new ArrayList<>(machinesOn(name)));
        }
    }
}
