package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Random fleets and rollouts, one after the other: each runs as planned if nothing unplanned happens. */
class RandomPlansTest {
    private static final int SEEDS = Integer.getInteger("simulation.seeds", 60);

    @Test
    void aPlanIsWhatHappensWhenNothingUnplannedDoes() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            new QuietFleet(seed).runsAsPlanned();
        }
    }

    private static final class QuietFleet {
        private final long seed;
        private final Random random;
        private final EngineHarness world;
        private final List<GroupId> groups = List.of(new GroupId("shop", "web"), new GroupId("bank", "core"));
        private final List<GroupId> polling;

        QuietFleet(long seed) {
            this.seed = seed;
            random = new Random(seed);
            world = new EngineHarness(ServiceTerms.AZURE, seed, 0);
            for (Cause cause : Cause.values()) {
                world.durations.put(cause, Duration.ofMinutes(1 + random.nextInt(9)));
            }
            List<GroupSpec> specs = new ArrayList<>();
            List<MachineSpec> machines = new ArrayList<>();
            Map<String, Integer> domainOn = new HashMap<>();
            for (GroupId group : groups) {
                int domains = 1 + random.nextInt(3);
                specs.add(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, domains, 2));
                for (int i = 0; i < 2 + random.nextInt(4); i++) {
                    String host = "host-" + random.nextInt(5);
                    // One update domain of a group on a host: where there are two, whoever is moved decides how it goes
                    // on.
                    int domain = domainOn.computeIfAbsent(group + host, h -> random.nextInt(domains));
                    MachineId id = new MachineId(group.tenant(), group.name() + i);
                    machines.add(
                            new MachineSpec(0, id, group, domain, domain % 2, host, List.of(), "", false, Map.of()));
                }
            }
            FleetSpec fleet = new FleetSpec(specs, machines);
            world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
            polling = groups.stream().filter(g -> random.nextBoolean()).toList();
            poll();
        }

        void runsAsPlanned() {
            for (int i = 0; i < 3; i++) {
                runAsPlanned("r" + i);
                // Less than it takes the groups to recover, or more.
                world.pass(Duration.ofMinutes(random.nextInt(60)));
                poll();
            }
        }

        private void runAsPlanned(String name) {
            RolloutSpec spec = spec(name);
            RolloutPlan plan = world.engine.rules().plan(world.engine.view(), spec, world.now());
            world.ask(world.engine.roll(spec, EngineHarness.PERSON, null));
            for (int i = 0; i < 1000 && !rollout(name).isOver(); i++) {
                step();
            }
            String which = "seed " + seed + ", " + spec;
            assertEquals(Rollout.Status.DONE, rollout(name).status(), which);
            SortedSet<Instant> planned =
                    plan.steps().stream().map(RolloutPlan.Step::starts).collect(Collectors.toCollection(TreeSet::new));
            SortedSet<Instant> happened = world.log().stream()
                    .filter(e -> e.what().startsWith("STARTED") && name.equals(e.rollout()))
                    .map(HistoryEntry::at)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(planned, happened, which);
            assertEquals(plan.ends(), rollout(name).endedAt(), which);
        }

        /** To the next moment at which something ends or is due. */
        private void step() {
            Instant next = world.engine.due().orElse(world.now().plusSeconds(60));
            for (DriverTask task : world.running.values()) {
                next = end(task).isBefore(next) ? end(task) : next;
            }
            if (next.isAfter(world.now())) {
                world.pass(Duration.between(world.now(), next));
            }
            Instant now = next;
            List<DriverTask> ended = world.running.values().stream()
                    .filter(task -> !end(task).isAfter(now))
                    .toList();
            if (!ended.isEmpty()) {
                ended.forEach(task -> world.running.remove(task.event().id()));
                // The plan takes it that machines poll again at once: at the very moment their work ends.
                poll();
                // And that what ends at one moment is known to have ended before anything is opened at it: told one
                // by one, the first would let pieces go ahead of those that still wait for the second.
                world.report(ended, DriverReport.DONE);
            } else if (!next.isAfter(world.now()) && world.running.isEmpty()) {
                world.turn();
            }
        }

        private Instant end(DriverTask task) {
            Event event = task.event();
            return event.attempt()
                    .startedAt()
                    .plus(world.durations.get(event.work().cause()));
        }

        private RolloutSpec spec(String name) {
            return new RolloutSpec(
                    name,
                    List.of(Cause.HOST_FREEZE, Cause.HOST_REBOOT).get(random.nextInt(2)),
                    random.nextBoolean()
                            ? new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("*"))
                            : new RolloutTarget(
                                    RolloutTarget.Kind.GROUPS,
                                    groups.stream().map(GroupId::toString).toList()),
                    random.nextBoolean() ? null : Duration.ofMinutes(15 + random.nextInt(100)),
                    random.nextBoolean() ? null : Duration.ofMinutes(random.nextInt(90)),
                    random.nextBoolean() ? ConcurrencyLimit.ALL : new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1),
                    List.of(),
                    false,
                    false,
                    null,
                    null);
        }

        private Rollout rollout(String name) {
            return world.engine.view().rollout(name).orElseThrow();
        }

        private void poll() {
            for (GroupId group : polling) {
                for (Machine machine : world.engine.view().machines(group)) {
                    world.poll(group, machine.name());
                }
            }
        }
    }
}
