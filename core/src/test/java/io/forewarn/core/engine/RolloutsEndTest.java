package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Machines move, break down and are taken, groups begin to ask, owners restart theirs, the service crashes; and once that
 * stops, every rollout comes to its end. On the way no two update domains of a group are down, and everybody on a host is told
 * of the work on it.
 */
class RolloutsEndTest {
    private static final int SEEDS = 150;
    private static final int STEPS = 60;
    private static final int HOSTS = 5;

    @Test
    void aRolloutEndsWhateverHappens() {
        LongStream.rangeClosed(1, SEEDS).parallel().forEach(seed -> new Campaign(seed).run());
    }

    private static final class Campaign {
        private final long seed;
        private final Random random;
        private final EngineHarness world;
        private final List<MachineId> machines = new ArrayList<>();
        private final Set<MachineId> asked = new HashSet<>();
        private final List<String> tale = new ArrayList<>();

        Campaign(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.world = new EngineHarness(ServiceTerms.AZURE, seed, 0);
            List<GroupSpec> groups = new ArrayList<>();
            List<MachineSpec> specs = new ArrayList<>();
            for (int g = 0; g < 3; g++) {
                GroupId group = new GroupId(g == 2 ? "rival" : "default", "g" + g);
                int domains = 1 + random.nextInt(3);
                groups.add(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, domains, 2));
                for (int m = 0; m < 4; m++) {
                    MachineId id = new MachineId(group.tenant(), group.name() + "m" + m);
                    machines.add(id);
                    specs.add(spec(id, group, m % domains, host(), m == 3));
                }
            }
            change(new FleetSpec(groups, specs));
        }

        private static MachineSpec spec(MachineId id, GroupId group, int domain, String host, boolean spot) {
            return new MachineSpec(0, id, group, domain, domain % 2, host, List.of(), "", spot, Map.of());
        }

        private String host() {
            return "host-" + random.nextInt(HOSTS);
        }

        private void change(FleetSpec spec) {
            world.ask(world.engine.change(facts -> FleetRules.apply(facts, spec, false), EngineHarness.PERSON, null));
        }

        void run() {
            try {
                RolloutSpec spec = RolloutSpec.of(
                                "os",
                                random.nextInt(4) == 0 ? Cause.HOST_REDEPLOY : Cause.HOST_REBOOT,
                                new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("*")))
                        .withRecovery(Duration.ofMinutes(random.nextInt(60)))
                        .withAtOnce(
                                random.nextBoolean()
                                        ? ConcurrencyLimit.ALL
                                        : new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1 + random.nextInt(2)))
                        .withEvacuation(true)
                        .withRehearsal(random.nextInt(6) == 0);
                world.ask(world.engine.roll(spec, EngineHarness.PERSON, null));
                for (int i = 0; i < STEPS; i++) {
                    step();
                    check();
                }
                for (int i = 0; i < 400 && !isOver(); i++) {
                    calm();
                    check();
                }
                assertTrue(isOver(), "the rollout does not end");
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError(
                        "seed " + seed + ": " + broken.getMessage() + "\n" + String.join("\n", tale) + "\n" + open(),
                        broken);
            }
        }

        private boolean isOver() {
            return world.engine.view().rollout("os").orElseThrow().isOver();
        }

        /** What is open, and why it or what is still to come does not go on. */
        private String open() {
            PublishedState published = world.engine.view();
            List<Integer> units = IntStream.range(
                            0, published.rollout("os").orElseThrow().units())
                    .boxed()
                    .toList();
            StringBuilder open = new StringBuilder(published.rollout("os").orElseThrow() + "\n"
                    + world.engine.rules().blockedUnits(published, new Command.Roll("os", units), world.now()));
            for (GroupView group : published.allGroups()) {
                for (Event event : group.state().events()) {
                    open.append('\n')
                            .append(event)
                            .append(' ')
                            .append(world.engine.rules().blockers(published, group.id(), event, world.now()));
                }
            }
            return open.toString();
        }

        private void step() {
            MachineId id = machines.get(random.nextInt(machines.size()));
            Machine machine = world.engine.view().machine(id).orElseThrow();
            try {
                switch (random.nextInt(9)) {
                    case 0, 1 -> {
                        String host = host();
                        tale.add(id + " to " + host);
                        change(new FleetSpec(
                                List.of(),
                                List.of(spec(id, machine.group(), machine.updateDomain(), host, machine.spot()))));
                    }
                    case 2 -> schedule(random.nextBoolean() ? Cause.FAILURE : Cause.RESTART, id);
                    case 3 -> schedule(machine.spot() ? Cause.PREEMPT : Cause.REDEPLOY, id);
                    case 4 -> {
                        tale.add("poll of " + id);
                        asked.add(id);
                        world.poll(machine.group(), id.name());
                    }
                    case 5 -> approve();
                    case 6 -> report();
                    case 7 -> pass(Duration.ofMinutes(random.nextInt(40)));
                    default -> {
                        if (random.nextInt(6) == 0) {
                            tale.add("crash");
                            world.open();
                        }
                    }
                }
            } catch (RefusedException refusal) {
                tale.add("  refused: " + refusal.getMessage());
            }
        }

        private void schedule(Cause cause, MachineId id) {
            tale.add(cause + " of " + id);
            world.ask(new Command.Schedule(cause, List.of(id), null, null, EngineHarness.PERSON));
        }

        private void approve() {
            world.engine.view().allGroups().stream()
                    .flatMap(g -> g.document().events().stream())
                    .filter(e -> e.phase() == Phase.SCHEDULED)
                    .findAny()
                    .ifPresent(e -> {
                        tale.add("approve " + e.id());
                        world.ask(new Command.Approve(null, List.of(e.id()), Actor.person("x", "127.0.0.1")));
                    });
        }

        private void report() {
            for (EventId id : List.copyOf(world.running.keySet())) {
                world.running.remove(id);
                if (world.event(id).filter(e -> e.phase() == Phase.STARTED).isPresent()) {
                    tale.add("done " + id);
                    world.report(id, DriverReport.DONE);
                    return;
                }
            }
        }

        private void pass(Duration time) {
            tale.add("pass " + time);
            world.pass(time);
        }

        /** Nothing new happens: work is done, and who used to ask goes on asking. */
        private void calm() {
            while (!world.running.isEmpty()) {
                report();
                check();
            }
            for (MachineId id : machines) {
                if (asked.contains(id)) {
                    world.poll(world.engine.view().machine(id).orElseThrow().group(), id.name());
                }
            }
            pass(Duration.ofMinutes(20));
        }

        private void check() {
            PublishedState published = world.engine.view();
            for (GroupView group : published.allGroups()) {
                Set<Integer> down = new HashSet<>();
                for (Event event : group.state().events()) {
                    if (event.phase() == Phase.STARTED
                            && event.work().cause().planned()
                            && !event.work().rehearsal()) {
                        down.add(event.work().updateDomain());
                    }
                }
                assertTrue(down.size() < 2, "two update domains of " + group.id() + " are down: " + down);
            }
            for (DriverTask task : world.running.values()) {
                Event event = task.event();
                if (event.work().unit() == null
                        || event.work().rehearsal()
                        || event.work().cause() == Cause.HOST_REDEPLOY
                        || world.event(event.id()).isEmpty()) {
                    continue;
                }
                Set<String> hosts = new HashSet<>();
                task.machines().forEach(m -> hosts.add(m.host()));
                assertEquals(1, hosts.size(), "one host is worked on, not " + hosts);
                for (MachineId id : machines) {
                    MachineCondition condition = published.condition(id);
                    boolean told = task.machines().stream().anyMatch(m -> m.id().equals(id));
                    boolean there =
                            hosts.contains(published.machine(id).orElseThrow().host());
                    boolean maybeGone = condition.move() != null || condition.state() == MachineCondition.State.TAKEN;
                    assertTrue(told || !there || maybeGone, id + " is on " + hosts + " and was not told");
                }
            }
        }
    }
}
