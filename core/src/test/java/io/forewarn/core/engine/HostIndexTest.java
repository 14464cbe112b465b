package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HostIndexTest {
    private static final List<String> HOSTS = List.of("", "h1", "h2", "h3", "crowded", "crowded", "crowded");

    private final EngineHarness world = new EngineHarness(ServiceTerms.TEST, 1, 0);
    private final PublishedState published = world.engine.view();
    private final Random random = new Random(3);

    /** Machines come, move and go, few and many at once; each time the index says what the whole fleet says. */
    @Test
    void theIndexFollowsTheFleet() {
        for (int round = 0; round < 300; round++) {
            if (random.nextInt(40) == 0) {
                apply(List.of(machine(0)), true);
            } else {
                List<MachineSpec> some = new ArrayList<>();
                Set<Integer> named = new HashSet<>();
                for (int more = random.nextInt(30); more >= 0; more--) {
                    int number = random.nextInt(400);
                    if (named.add(number)) {
                        some.add(machine(number));
                    }
                }
                apply(some, false);
            }
            published.allMachines().stream()
                    .filter(m -> random.nextInt(20) == 0)
                    .map(m -> m.machine().id())
                    .toList()
                    .forEach(id -> world.ask(world.engine.change(
                            state -> FleetRules.remove(state, List.of(id)), EngineHarness.PERSON, null)));
            assertEquals(expected(), indexed());
        }
        world.open();
        assertEquals(expected(), indexed(), "after a restart");
    }

    private void apply(List<MachineSpec> machines, boolean prune) {
        FleetSpec spec = new FleetSpec(List.of(), machines);
        world.ask(world.engine.change(state -> FleetRules.apply(state, spec, prune), EngineHarness.PERSON, null));
    }

    private MachineSpec machine(int number) {
        String host = HOSTS.get(random.nextInt(HOSTS.size()));
        return new MachineSpec(
                0, EngineHarness.machine("m" + number), null, null, null, host, List.of(), "", false, Map.of());
    }

    private SortedMap<String, Set<MachineId>> expected() {
        SortedMap<String, Set<MachineId>> all = new TreeMap<>();
        for (MachineView machine : world.engine.view().allMachines()) {
            if (!machine.machine().host().isEmpty()) {
                all.computeIfAbsent(machine.machine().host(), host -> new HashSet<>())
                        .add(machine.machine().id());
            }
        }
        return all;
    }

    private SortedMap<String, Set<MachineId>> indexed() {
        SortedMap<String, Set<MachineId>> all = new TreeMap<>();
        PublishedState now = world.engine.view();
        for (String host : now.hosts()) {
            Set<MachineId> there = new HashSet<>(now.machinesOn(host));
            assertEquals(there.size(), now.machinesOn(host).size(), "nobody is there twice");
            all.put(host, there);
        }
        assertEquals(List.copyOf(all.keySet()), List.copyOf(now.hosts()), "in order");
        return all;
    }
}
