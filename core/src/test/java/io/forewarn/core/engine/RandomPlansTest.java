package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventType;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ServiceTerms;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Random fleets and rollouts, one after the other or two at a time, beside restarts and freezes that were asked for before, with
 * machines that have failed, hosts that are evacuated, windows and blackouts: each runs as planned if nothing unplanned happens. {@code -Dsimulation.seeds=2000} compares more.
 */
class RandomPlansTest {
    private static final int SEEDS = Integer.getInteger("simulation.seeds", 1200);

    @Test
    void aPlanIsWhatHappensWhenNothingUnplannedDoes() {
        List<String> differences = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToObj(RandomPlansTest::difference)
                .filter(Objects::nonNull)
                .toList();
        differences.stream().limit(20).forEach(System.out::println);
        assertEquals(
                0, differences.size(), () -> differences.size() + " of " + SEEDS + " fleets: " + differences.get(0));
    }

    private static String difference(long seed) {
        try {
            new QuietFleet(seed).runsAsPlanned();
            return null;
        } catch (AssertionError | RuntimeException different) {
            return "seed " + seed + ": " + different;
        }
    }

    private static final class QuietFleet {
        private final long seed;
        private final Random random;
        private final EngineHarness world;
        private final List<GroupId> groups = List.of(new GroupId("shop", "web"), new GroupId("bank", "core"));
        private final List<GroupId> polling;
        private final PlanComparison comparison;
        private final boolean mixedHosts;

        QuietFleet(long seed) {
            this.seed = seed;
            random = new Random(seed);
            world = new EngineHarness(ServiceTerms.AZURE, seed, 0);
            for (Cause cause : Cause.values()) {
                world.durations.put(cause, Duration.ofMinutes(1 + random.nextInt(9)));
            }
            mixedHosts = random.nextInt(3) == 0;
            List<GroupSpec> specs = new ArrayList<>();
            List<MachineSpec> machines = new ArrayList<>();
            Map<String, Integer> domainOn = new HashMap<>();
            for (GroupId group : groups) {
                int domains = 1 + random.nextInt(3);
                specs.add(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, domains, 2));
                for (int i = 0; i < 2 + random.nextInt(4); i++) {
                    String host = "host-" + random.nextInt(5);
                    int any = random.nextInt(domains);
                    int domain = mixedHosts ? any : domainOn.computeIfAbsent(group + host, h -> any);
                    MachineId id = new MachineId(group.tenant(), group.name() + i);
                    machines.add(
                            new MachineSpec(0, id, group, domain, domain % 2, host, List.of(), "", false, Map.of()));
                }
            }
            FleetSpec fleet = new FleetSpec(specs, machines);
            world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
            polling = groups.stream().filter(g -> random.nextBoolean()).toList();
            comparison = new PlanComparison(world, polling);
            comparison.poll();
            policies();
        }

        void runsAsPlanned() {
            for (int i = 0; i < 3; i++) {
                meanwhile();
                // A rollout over some hosts would wait for a failed machine on another one, for ever.
                if (random.nextInt(3) == 0 && !hasFailures()) {
                    twoRollouts("r" + i);
                } else {
                    RolloutSpec spec = spec("r" + i, anything());
                    if (comparison.waitsForRepairs(spec)) {
                        return;
                    }
                    comparison.comesTrue(spec, "seed " + seed + ", " + spec);
                }
                // Less than it takes the groups to recover, or more.
                world.pass(Duration.ofMinutes(random.nextInt(60)));
                comparison.poll();
            }
        }

        /** The second is started while the first is under way. */
        private void twoRollouts(String name) {
            List<String> hosts = world.engine.view().allMachines().stream()
                    .map(m -> m.machine().host())
                    .distinct()
                    .sorted()
                    .toList();
            int some = 1 + random.nextInt(hosts.size());
            RolloutSpec first = spec(name, new RolloutTarget(RolloutTarget.Kind.HOSTS, hosts.subList(0, some)));
            RolloutPlan plan = comparison.start(first);
            if (some < hosts.size()) {
                for (int steps = random.nextInt(6); steps > 0; steps--) {
                    comparison.step();
                }
                RolloutSpec second = spec(
                        name + "-later",
                        new RolloutTarget(RolloutTarget.Kind.HOSTS, hosts.subList(some, hosts.size())));
                comparison.comesTrue(second, "seed " + seed + ", " + second + " after " + first);
            }
            comparison.ranAsPlanned(first, plan, "seed " + seed + ", " + first);
        }

        private RolloutTarget anything() {
            return random.nextBoolean()
                    ? hosts("*")
                    : new RolloutTarget(
                            RolloutTarget.Kind.GROUPS,
                            groups.stream().map(GroupId::toString).toList());
        }

        private static RolloutTarget hosts(String... names) {
            return new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of(names));
        }

        /** What others asked for before: it is still open when the rollout is planned, or its recovery is owed. */
        private void meanwhile() {
            for (int i = random.nextInt(4); i > 0; i--) {
                List<Machine> machines = world.engine.view().machines(groups.get(random.nextInt(groups.size())));
                Machine machine = machines.get(random.nextInt(machines.size()));
                Cause cause = List.of(Cause.RESTART, Cause.FREEZE, Cause.FREEZE).get(random.nextInt(3));
                boolean longNotice = random.nextInt(3) == 0 && polling.contains(machine.group());
                Duration notice = longNotice ? Duration.ofMinutes(20 + random.nextInt(100)) : null;
                boolean rehearsal = random.nextInt(6) == 0;
                try {
                    world.ask(new Command.Schedule(
                            cause, List.of(machine.id()), notice, null, rehearsal, EngineHarness.PERSON));
                } catch (RefusedException busy) {
                    continue;
                }
                for (int steps = random.nextInt(4); steps > 0; steps--) {
                    comparison.step();
                }
                if (cause == Cause.RESTART && random.nextInt(4) == 0) {
                    List<DriverTask> failing = world.running.values().stream()
                            .filter(task -> task.event().work().cause() == Cause.RESTART)
                            .toList();
                    failing.forEach(task -> world.running.remove(task.event().id()));
                    world.report(failing, DriverReport.FAILED);
                }
            }
        }

        /** Blackouts and windows of tenants, for all work or for one type. */
        private void policies() {
            for (GroupId group : groups) {
                if (random.nextInt(3) > 0) {
                    continue;
                }
                LocalDate first = LocalDate.of(2026, 3, 1).plusDays(random.nextInt(3));
                Blackout blackout = new Blackout(first, first.plusDays(random.nextInt(2)), ZoneId.of("Europe/Berlin"));
                // Only one of them: two windows may never be open together.
                boolean windows = group.equals(groups.get(0)) && random.nextBoolean();
                Policy policy = new Policy(
                        new Scope(group.tenant(), null, random.nextBoolean() ? null : EventType.FREEZE),
                        null,
                        null,
                        null,
                        null,
                        windows ? List.of(window()) : null,
                        windows && random.nextBoolean() ? null : List.of(blackout),
                        null,
                        null,
                        null,
                        null);
                world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
            }
        }

        private MaintenanceWindow window() {
            return new MaintenanceWindow(
                    EnumSet.allOf(DayOfWeek.class),
                    LocalTime.of(random.nextInt(24), 15 * random.nextInt(4)),
                    Duration.ofMinutes(10 + random.nextInt(600)),
                    ZoneId.of("UTC"));
        }

        private boolean hasFailures() {
            return world.engine.view().allMachines().stream()
                    .anyMatch(m -> m.condition() != null && m.condition().state() == MachineCondition.State.FAILED);
        }

        private ConcurrencyLimit limit() {
            return switch (random.nextInt(4)) {
                case 0 -> new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1 + random.nextInt(2));
                case 1 -> new ConcurrencyLimit(ConcurrencyLimit.Kind.FAULT_DOMAIN, 0);
                default -> ConcurrencyLimit.ALL;
            };
        }

        private RolloutSpec spec(String name, RolloutTarget target) {
            Instant begins = random.nextInt(3) > 0 ? null : world.now().plus(Duration.ofMinutes(random.nextInt(300)));
            return RolloutSpec.of(
                            name,
                            // A pause mends nothing, and others would wait for a failed machine for ever.
                            random.nextBoolean() || hasFailures() ? Cause.HOST_REBOOT : Cause.HOST_FREEZE,
                            target)
                    .withNotice(random.nextBoolean() ? null : Duration.ofMinutes(15 + random.nextInt(100)))
                    .withRecovery(random.nextBoolean() ? null : Duration.ofMinutes(random.nextInt(90)))
                    .withEvacuation(mixedHosts)
                    .with(b -> b.at = begins)
                    .withAtOnce(limit())
                    .withWindows(
                            random.nextInt(4) > 0
                                    ? List.of()
                                    : List.of(new MaintenanceWindow(
                                            EnumSet.allOf(DayOfWeek.class),
                                            LocalTime.of(random.nextInt(24), 0),
                                            // With the tenants' windows there is always a common moment on some day, if
                                            // this
                                            // one is long.
                                            Duration.ofHours(24),
                                            ZoneId.of("UTC"))));
        }
    }
}
