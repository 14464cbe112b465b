package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.ChangeSet;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.Rules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.core.rules.StartBlocker;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random commands, polls, reports, crashes, store faults and settings of the wall; after every step the promises hold. A
 * failure names its seed and tells what happened last.
 */
// Long work on a loaded machine; a hang is still found.
// Takes more than 20 s: it plays at least 1,800 simulated days with crashes and faults, because only rare
// combinations break promises.
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PromisesTest {
    private static final int SEEDS = 250;
    private static final int STEPS = 300;
    private static final int MACHINES = 6;
    private static final int OTHERS = 4;

    @Test
    void randomCommandSequencesNeverBreakThePromises() {
        List<Told> told = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToObj(PromisesTest::tell)
                .toList();
        assertEquals(
                EnumSet.allOf(Transition.class),
                told.stream().flatMap(one -> one.walked().stream()).collect(Collectors.toSet()),
                "every row of the table of an event's life is walked");
        long days = told.stream().mapToLong(Told::days).sum();
        assertTrue(days > 1800, "only " + days + " days were simulated");
    }

    private record Told(Set<Transition> walked, long days) {}

    private static Told tell(long seed) {
        Story story = new Story(seed, seed % 2 == 0 ? 0 : 0.05, seed % 3 == 0);
        try {
            for (int i = 0; i < STEPS; i++) {
                story.step();
                story.check();
            }
            return new Told(story.steps(), Duration.ofNanos(story.world.nanos()).toDays());
        } catch (AssertionError | RuntimeException broken) {
            throw new AssertionError(
                    "seed " + seed + " broke a promise: " + broken.getMessage() + "\n" + story.tail(), broken);
        }
    }

    @Test
    void theSameSeedTakesTheSameDecisions() {
        List<List<HistoryEntry>> logs = new ArrayList<>();
        for (int twice = 0; twice < 2; twice++) {
            Story story = new Story(42, 0.05, true);
            for (int i = 0; i < STEPS; i++) {
                story.step();
            }
            logs.add(story.world.log());
        }
        assertEquals(logs.get(0), logs.get(1));
    }

    private static final class Story {
        private static final GroupId OTHER = new GroupId("other", "set");
        private static final Actor STRANGER = Actor.machine("other/m0", "127.0.0.9");

        private static final Rules ALL_LOOKING = new Rules(ServiceTerms.AZURE, () -> new EventId(UUID.randomUUID()));

        final EngineHarness world;
        private final FollowerNode follower;
        private final Random random;
        private final List<String> tale = new ArrayList<>();
        private final Map<GroupId, Long> incarnations = new HashMap<>();
        private final Map<String, String> contents = new HashMap<>();
        private final Map<EventId, Instant> notBefore = new HashMap<>();
        private final Map<CompletableFuture<CommandResult>, Command> asked = new HashMap<>();
        private final Set<EventId> acknowledged = new HashSet<>();
        private final Set<EventId> approvals = new HashSet<>();
        private final boolean wallIsSet;
        private final boolean faulty;
        private final Map<GroupId, Instant> polled = new HashMap<>();
        private int logged;
        private Set<Policy> policies = Set.of();

        /** @param wallIsSet whether somebody sets the wall now and then */
        Story(long seed, double faultRate, boolean wallIsSet) {
            this.wallIsSet = wallIsSet;
            this.faulty = faultRate > 0;
            random = new Random(seed);
            world = new EngineHarness(ServiceTerms.AZURE, seed, faultRate);
            follower = new FollowerNode(world, seed);
            until(
                    () -> world.engine.view().group(EngineHarness.WEB).isPresent(),
                    () -> attempt(() -> world.group(
                            EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 1 + random.nextInt(5), MACHINES)));
            until(
                    () -> world.engine.view().group(OTHER).isPresent(),
                    () -> attempt(() -> world.group(OTHER, GroupKind.SCALE_SET, 1 + random.nextInt(3), OTHERS)));
            for (int i = random.nextInt(8); i > 0; i--) {
                changeFleet();
            }
            world.turn();
        }

        private interface Condition {
            boolean holds();
        }

        private void until(Condition condition, Runnable attempt) {
            while (!condition.holds()) {
                attempt.run();
                world.pass(Duration.ofSeconds(2));
            }
        }

        private void attempt(Runnable action) {
            try {
                action.run();
            } catch (RefusedException refusal) {
                tale.add("  refused: " + refusal.getMessage());
            }
        }

        void step() {
            int dice = random.nextInt(100);
            if (dice < 30) {
                ask(schedule());
            } else if (dice < 43) {
                approve();
            } else if (dice < 46) {
                postpone();
            } else if (dice < 49) {
                changeFleet();
            } else if (dice < 52) {
                anyEvent().ifPresent(e -> ask(new Command.Cancel(e.id(), EngineHarness.PERSON)));
            } else if (dice < 65) {
                report();
            } else if (dice < 75) {
                GroupId group = anyGroup();
                tale.add("poll of " + group);
                attempt(() -> {
                    world.poll(group, "m0");
                    polled.put(group, world.now());
                });
            } else if (dice < 77) {
                policy();
            } else if (dice < 82) {
                rollout();
            } else if (dice < 92) {
                Duration time = Duration.ofSeconds(random.nextInt(random.nextInt(6) == 0 ? 400_000 : 1500));
                tale.add("pass " + time);
                world.pass(time);
            } else if (dice < 96) {
                crash();
            } else if (wallIsSet) {
                Instant wall = world.now().plusSeconds(random.nextInt(7200) - 3600);
                tale.add("wall set to " + wall);
                world.setWall(wall);
            }
        }

        private void ask(Command command) {
            tale.add(command.toString());
            asked.put(world.engine.submit(command), command);
            if (random.nextInt(3) > 0) {
                world.turn();
            } // Otherwise it shares its turn with what comes next.
        }

        /** Machines that come, go and change hosts. */
        private void changeFleet() {
            GroupId group = anyGroup();
            int machines = group.equals(EngineHarness.WEB) ? MACHINES : OTHERS;
            int number = random.nextInt(machines);
            boolean stays = random.nextBoolean();
            String name = stays ? "m" + number : "x" + random.nextInt(6);
            MachineId id = new MachineId(group.tenant(), name);
            boolean goes = random.nextBoolean() && !stays;
            if (stays && world.engine.view().machine(id).isEmpty()) {
                return; // It was terminated.
            }
            tale.add((goes ? "remove " : "place ") + id);
            FleetSpec spec = new FleetSpec(
                    List.of(),
                    List.of(new MachineSpec(
                            0,
                            id,
                            group,
                            null,
                            null,
                            "host-" + random.nextInt(6),
                            stays ? List.of() : List.of("127.1.0." + random.nextInt(6)),
                            "",
                            stays && number == machines - 1,
                            Map.of())));
            asked.put(
                    world.engine.change(
                            facts ->
                                    goes ? FleetRules.remove(facts, List.of(id)) : FleetRules.apply(facts, spec, false),
                            EngineHarness.PERSON,
                            null),
                    new Command.Enable(group, EngineHarness.PERSON));
        }

        private Command schedule() {
            Cause cause = Cause.values()[random.nextInt(Cause.values().length)];
            GroupId group = anyGroup();
            int machines = group.equals(EngineHarness.WEB) ? MACHINES : OTHERS;
            // A terminated machine does not come back, so it is seldom chosen and never the one that asks.
            Cause chosen = cause == Cause.TERMINATE && random.nextInt(10) > 0 ? Cause.FREEZE : cause;
            int machine =
                    chosen == Cause.PREEMPT ? machines - 1 : chosen == Cause.TERMINATE ? 1 : random.nextInt(machines);
            MachineId id = new MachineId(group.tenant(), "m" + machine);
            boolean patient = chosen != Cause.FAILURE && chosen != Cause.TERMINATE && random.nextInt(8) == 0;
            Duration notice = patient ? Duration.ofHours(1 + random.nextInt(100)) : null;
            return new Command.Schedule(
                    chosen, List.of(id), notice, null, random.nextInt(6) == 0, EngineHarness.PERSON);
        }

        private void approve() {
            anyEvent().ifPresent(event -> {
                GroupId group = world.engine.view().groupOf(event.id()).orElseThrow();
                GroupId stranger = group.equals(OTHER) ? EngineHarness.WEB : OTHER;
                Command foreign = new Command.Approve(stranger, List.of(event.id()), STRANGER);
                CompletableFuture<CommandResult> refused = world.engine.submit(foreign);
                world.turn();
                assertTrue(
                        !refused.isDone() || refused.isCompletedExceptionally(), "a stranger approved " + event.id());
                ask(new Command.Approve(
                        group, List.of(event.id()), Actor.machine(group.tenant() + "/m0", "127.0.0.1")));
            });
        }

        private void postpone() {
            // Work that nobody is shown is rare, and postponed only by people whom a policy lets.
            Optional<Event> unseen = Stream.of(EngineHarness.WEB, OTHER)
                    .flatMap(g -> world.engine.view().state(g).events().stream())
                    .filter(e -> e.phase() == Phase.SCHEDULED && !e.shared())
                    .findFirst();
            Optional<Event> chosen = unseen.isPresent() && random.nextInt(3) > 0 ? unseen : anyEvent();
            chosen.ifPresent(event -> {
                GroupId group = world.engine.view().groupOf(event.id()).orElseThrow();
                boolean guest = random.nextBoolean() && !chosen.equals(unseen);
                Actor actor = guest ? Actor.machine(group.tenant() + "/m0", "127.0.0.1") : EngineHarness.PERSON;
                if (chosen.equals(unseen)) {
                    ask(new Command.SetPolicy(
                            new Policy(
                                    new Scope(group.tenant(), group.name(), null),
                                    null,
                                    null,
                                    null,
                                    null,
                                    null,
                                    null,
                                    new PostponementLimit(5, Duration.ofDays(30)),
                                    null,
                                    null,
                                    null),
                            EngineHarness.PERSON));
                }
                Duration by = Duration.ofSeconds(random.nextInt(4000) - 300);
                ask(new Command.Postpone(guest ? group : null, event.id(), null, by, actor));
            });
        }

        private void policy() {
            GroupId group = anyGroup();
            EventType type = random.nextInt(3) == 0 ? EventType.values()[random.nextInt(3)] : null;
            Scope scope = new Scope(group.tenant(), random.nextBoolean() ? group.name() : null, type);
            if (random.nextInt(3) == 0) {
                ask(new Command.RemovePolicy(scope, EngineHarness.PERSON));
                return;
            }
            boolean tenant = scope.group() == null && type == null;
            ask(new Command.SetPolicy(
                    new Policy(
                            scope,
                            maybe(Duration.ofMinutes(15 + random.nextInt(30))),
                            maybe(random.nextBoolean()),
                            maybe(random.nextBoolean()),
                            maybe(List.of(ApprovalQuorum.ANY, ApprovalQuorum.ALL, ApprovalQuorum.some(2))
                                    .get(random.nextInt(3))),
                            maybe(random.nextBoolean() ? List.of() : List.of(window())),
                            maybe(random.nextBoolean() ? List.of() : List.of(blackout())),
                            maybe(new PostponementLimit(2, Duration.ofHours(1))),
                            maybe(new PostponementLimit(1, Duration.ofMinutes(30))),
                            maybe(random.nextBoolean()),
                            tenant ? maybe(5 + random.nextInt(6)) : null),
                    EngineHarness.PERSON));
        }

        /** Started more often than stopped, and no more than the hosts and groups there are. */
        private void rollout() {
            List<Rollout> over = world.engine.view().rollouts().stream()
                    .filter(Rollout::isOver)
                    .toList();
            if (!over.isEmpty() && random.nextInt(5) == 0) {
                ask(new Command.RemoveRollout(
                        over.get(random.nextInt(over.size())).name(), EngineHarness.PERSON));
                return;
            }
            List<Rollout> open = world.engine.view().rollouts().stream()
                    .filter(r -> !r.isOver())
                    .toList();
            if (!open.isEmpty() && random.nextInt(3) > 0) {
                String name = open.get(random.nextInt(open.size())).name();
                ask(
                        switch (random.nextInt(5)) {
                            case 0 -> new Command.AbortRollout(name, EngineHarness.PERSON);
                            case 1 -> new Command.PauseRollout(name, EngineHarness.PERSON);
                            default -> new Command.ResumeRollout(name, random.nextBoolean(), EngineHarness.PERSON);
                        });
                return;
            }
            RolloutSpec spec = RolloutSpec.of(
                            "r" + tale.size(),
                            List.of(Cause.HOST_FREEZE, Cause.HOST_REBOOT, Cause.HOST_REDEPLOY)
                                    .get(random.nextInt(3)),
                            random.nextInt(4) == 0
                                    ? new RolloutTarget(
                                            RolloutTarget.Kind.GROUPS,
                                            List.of(anyGroup().toString()))
                                    : new RolloutTarget(
                                            RolloutTarget.Kind.HOSTS,
                                            List.of(random.nextBoolean() ? "*" : "host-" + random.nextInt(6))))
                    .withNotice(maybe(Duration.ofMinutes(15)))
                    .withRecovery(maybe(Duration.ofMinutes(5)))
                    .withAtOnce(List.of(
                                    ConcurrencyLimit.ALL,
                                    new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1),
                                    new ConcurrencyLimit(ConcurrencyLimit.Kind.FAULT_DOMAIN, 0))
                            .get(random.nextInt(3)))
                    .withWindows(random.nextInt(4) == 0 ? List.of(window()) : List.of())
                    .withEvacuation(random.nextInt(10) > 0)
                    .withRehearsal(random.nextInt(5) == 0)
                    .withSelfServiceUntil(random.nextInt(5) == 0 ? world.now().plusSeconds(3600) : null);
            tale.add(spec.toString());
            asked.put(
                    world.engine.roll(spec, EngineHarness.PERSON, null),
                    new Command.PauseRollout(spec.name(), EngineHarness.PERSON));
            world.turn();
        }

        /** The events of a unit are of one phase, and the counts of a rollout are those of its units. */
        private void checkRollouts() {
            PublishedState view = world.engine.view();
            int tied = 0;
            for (Rollout rollout : view.rollouts()) {
                Map<RolloutUnit.State, Integer> counts = new EnumMap<>(RolloutUnit.State.class);
                for (int i = 0; i < rollout.units(); i++) {
                    RolloutUnit unit = view.units(rollout.name(), i / RolloutUnitChunk.SIZE)
                            .unit(i);
                    counts.merge(unit.state(), 1, Integer::sum);
                    assertEquals(
                            unit.state() == RolloutUnit.State.OPEN,
                            view.open(new RolloutUnitId(rollout.name(), i)).isPresent(),
                            unit + " of " + rollout);
                }
                assertEquals(rollout.open(), counts.getOrDefault(RolloutUnit.State.OPEN, 0), "open of " + rollout);
                assertEquals(
                        rollout.failed(), counts.getOrDefault(RolloutUnit.State.FAILED, 0), "failed of " + rollout);
                assertEquals(
                        rollout.pending(), counts.getOrDefault(RolloutUnit.State.PENDING, 0), "pending of " + rollout);
                for (ActiveUnit unit : view.open(rollout.name())) {
                    Set<Phase> phases = new HashSet<>();
                    for (ActiveUnit.Part part : unit.parts()) {
                        phases.add(view.state(part.group())
                                .event(part.event())
                                .orElseThrow()
                                .phase());
                        tied++;
                    }
                    assertEquals(1, phases.size(), "parts of " + unit + " are " + phases);
                    if (phases.contains(Phase.STARTED)) {
                        checkNobodyOnTheHostIsLeftOut(rollout, unit);
                    }
                }
            }
            checkNoUnitIsForgotten();
            long known = List.of(EngineHarness.WEB, OTHER).stream()
                    .flatMap(g -> view.state(g).events().stream())
                    .filter(e -> e.work().unit() != null)
                    .count();
            assertEquals(tied, known, "every tied event belongs to an open unit");
        }

        /** Whoever the fleet places on a host is in the events of the work on it; who was moved once may have been moved off it. */
        private void checkNobodyOnTheHostIsLeftOut(Rollout rollout, ActiveUnit unit) {
            PublishedState view = world.engine.view();
            if (rollout.spec().target().kind() != RolloutTarget.Kind.HOSTS
                    || unit.moves()
                    || rollout.spec().rehearsal()) {
                return;
            }
            int number = unit.tie().unit();
            String host = view.units(rollout.name(), number / RolloutUnitChunk.SIZE)
                    .unit(number)
                    .name();
            Set<MachineId> listed = new HashSet<>();
            for (ActiveUnit.Part part : unit.parts()) {
                view.state(part.group())
                        .event(part.event())
                        .orElseThrow()
                        .resources()
                        .forEach(m -> listed.add(new MachineId(part.group().tenant(), m)));
            }
            for (MachineView machine : view.allMachines()) {
                boolean maybeGone = machine.condition() != null
                        && (machine.condition().move() != null
                                || machine.condition().state() == io.forewarn.core.rules.MachineCondition.State.TAKEN);
                assertTrue(
                        maybeGone
                                || !machine.machine().host().equals(host)
                                || listed.contains(machine.machine().id()),
                        machine.machine() + " is on the host of " + unit + " and was not told");
            }
        }

        /** Once all has settled, looking at every unit of a rollout opens nothing, or somebody is about to look. */
        private void checkNoUnitIsForgotten() {
            boolean soon = world.engine
                    .due()
                    .filter(at -> !at.isAfter(world.now().plusSeconds(30)))
                    .isPresent();
            if (soon || !world.engine.isIdle() || world.engine.trouble().isPresent()) {
                return;
            }
            PublishedState view = world.engine.view();
            for (Rollout rollout : view.rollouts()) {
                List<Integer> all = IntStream.range(0, rollout.units()).boxed().toList();
                ChangeSet changes = new ChangeSet(view, 0, 0);
                if (rollout.status() == Rollout.Status.RUNNING) {
                    ALL_LOOKING.decide(changes, new Command.Roll(rollout.name(), all), world.now());
                }
                assertTrue(changes.opened().isEmpty(), changes.opened() + " could have been opened");
            }
        }

        private <T> T maybe(T value) {
            return random.nextBoolean() ? value : null;
        }

        private MaintenanceWindow window() {
            return new MaintenanceWindow(
                    EnumSet.of(DayOfWeek.of(1 + random.nextInt(7)), DayOfWeek.of(1 + random.nextInt(7))),
                    LocalTime.of(random.nextInt(24), random.nextInt(60)),
                    Duration.ofHours(1 + random.nextInt(40)),
                    ZoneId.of(random.nextBoolean() ? "Europe/Berlin" : "Australia/Lord_Howe"));
        }

        private Blackout blackout() {
            LocalDate first = world.now().atZone(ZoneOffset.UTC).toLocalDate().plusDays(random.nextInt(4));
            return new Blackout(first, first.plusDays(random.nextInt(2)), ZoneId.of("America/New_York"));
        }

        private void report() {
            anyEvent().filter(e -> e.phase() == Phase.STARTED).ifPresent(e -> {
                DriverReport report = List.of(
                                DriverReport.DONE, DriverReport.DONE, DriverReport.FAILED, DriverReport.TIMED_OUT)
                        .get(random.nextInt(4));
                ask(new Command.Told(e.id(), e.attempt().attempt(), report, ""));
            });
        }

        private void crash() {
            world.answerToStatus = List.of(DriverReport.RUNNING, DriverReport.DONE, DriverReport.UNKNOWN)
                    .get(random.nextInt(3));
            tale.add("crash, driver says " + world.answerToStatus);
            asked.clear();
            world.open();
        }

        private GroupId anyGroup() {
            return random.nextInt(3) > 0 ? EngineHarness.WEB : OTHER;
        }

        private Optional<Event> anyEvent() {
            List<Event> open = world.engine.view().state(anyGroup()).events();
            return open.isEmpty() ? Optional.empty() : Optional.of(open.get(random.nextInt(open.size())));
        }

        Set<Transition> steps() {
            return world.log().stream()
                    .map(HistoryEntry::what)
                    .filter(w -> Arrays.stream(Transition.values())
                            .anyMatch(s -> s.name().equals(w)))
                    .map(Transition::valueOf)
                    .collect(Collectors.toSet());
        }

        String tail() {
            return String.join("\n", tale.subList(Math.max(0, tale.size() - 25), tale.size()));
        }

        void check() {
            follower.check();
            world.turn();
            hear();
            if (world.engine.trouble().isPresent()) {
                return; // The disk may be a commit ahead of what is published; the next step shows which.
            }
            assertTrue(asked.isEmpty(), () -> "nobody answered " + asked.values());
            List<HistoryEntry> log = world.log();
            checkStarts(log);
            checkAddresses();
            Set<EventId> ended = log.stream()
                    .filter(e -> e.event() != null && isEnd(e.what()))
                    .map(HistoryEntry::event)
                    .collect(Collectors.toSet());
            for (EventId id : acknowledged) {
                assertTrue(
                        ended.contains(id) != world.event(id).isPresent(),
                        "acknowledged " + id + " is lost or doubled");
            }
            for (EventId id : approvals) {
                world.event(id)
                        .ifPresent(e -> assertTrue(
                                e.isApproved()
                                        || e.phase() == Phase.STARTED
                                        || e.voices().containsKey("m0")
                                        || !e.lists("m0"),
                                "the approval of " + id + " is lost"));
            }
            checkRollouts();
            for (GroupId group : List.of(EngineHarness.WEB, OTHER)) {
                checkGroup(world.engine.view().state(group));
            }
            assertEquals(
                    world.told.stream().filter(t -> t.startsWith("start")).count(),
                    world.told.stream()
                            .filter(t -> t.startsWith("start"))
                            .distinct()
                            .count(),
                    "started twice");
        }

        /** An address is one machine's, and the view finds that machine. */
        private void checkAddresses() {
            Set<String> taken = new HashSet<>();
            for (MachineView machine : world.engine.view().allMachines()) {
                for (String address : machine.machine().addresses()) {
                    assertTrue(taken.add(address), address + " is claimed twice");
                    assertEquals(machine, world.engine.view().byAddress(address));
                }
            }
        }

        private static boolean isEnd(String what) {
            return Arrays.stream(Transition.values()).anyMatch(s -> s.name().equals(what) && s.to() == Phase.ENDED);
        }

        /** Takes in the answers that came. */
        private void hear() {
            asked.entrySet().removeIf(entry -> {
                if (!entry.getKey().isDone()) {
                    return false;
                }
                if (entry.getKey().isCompletedExceptionally()) {
                    entry.getKey().exceptionally(failure -> {
                        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                        assertTrue(cause instanceof RefusedException, "not a refusal: " + cause);
                        assertTrue(((RefusedException) cause).problem() != Problem.NOT_READY);
                        return CommandResult.NOTHING;
                    });
                } else if (entry.getValue() instanceof Command.Schedule) {
                    acknowledged.addAll(entry.getKey().join().events());
                } else if (entry.getValue() instanceof Command.Approve) {
                    approvals.addAll(entry.getKey().join().events());
                }
                return true;
            });
        }

        /** Nothing starts by time before NotBefore, nor before its notice has really passed since it could be read. */
        private void checkStarts(List<HistoryEntry> log) {
            for (GroupId group : List.of(EngineHarness.WEB, OTHER)) {
                for (Event event : world.engine.view().find(group).document().events()) {
                    if (event.phase() == Phase.SCHEDULED) {
                        Instant before =
                                notBefore.put(event.id(), event.noticePeriod().notBefore());
                        assertTrue(
                                before == null
                                        || !event.noticePeriod().notBefore().isBefore(before),
                                "NotBefore moved earlier");
                    }
                }
            }
            // What started just before its policy changed was right to.
            boolean policyChanged = !Set.copyOf(world.engine.view().policies()).equals(policies);
            policies = Set.copyOf(world.engine.view().policies());
            for (HistoryEntry entry : log.subList(logged, log.size())) {
                Duration given = entry.event() == null ? null : world.noticeGiven.get(entry.event());
                if (given != null && !wallIsSet && entry.promised() != null) {
                    assertTrue(given.compareTo(entry.promised()) >= 0, "only " + given + " of notice: " + entry);
                }
                if (entry.what().startsWith("STARTED") && entry.cause().planned() && !policyChanged) {
                    StartCalendar calendar = world.engine
                            .rules()
                            .policy(
                                    world.engine.view(),
                                    entry.group(),
                                    entry.cause().type())
                            .calendar();
                    assertTrue(calendar.isOpen(entry.at()), "started outside its windows: " + entry);
                }
                Instant asked = entry.group() == null ? null : polled.get(entry.group());
                if (entry.what().equals(Transition.STARTED_UNSEEN.name()) && asked != null && !wallIsSet && !faulty) {
                    assertTrue(
                            !asked.isBefore(entry.at())
                                    || !asked.plus(Duration.ofHours(24)).isAfter(entry.at()),
                            "its group asks, and it was not shown: " + entry);
                }
                if (entry.what().equals(Transition.STARTED_BY_TIME.name())) {
                    assertTrue(!entry.at().isBefore(entry.notBefore()), "started before NotBefore: " + entry);
                }
            }
            logged = log.size();
        }

        /** Whatever has not started has somebody before it, a time it waits for, or a reason. */
        private void checkNobodyWaitsForNothing(GroupState state) {
            for (Event event : state.events()) {
                if (event.phase() == Phase.WAITING || event.phase() == Phase.SCHEDULED && event.isApproved()) {
                    boolean behind = state.events().stream()
                            .anyMatch(e -> e != event && e.resources().stream().anyMatch(event::lists));
                    boolean held = world.engine
                            .rules()
                            .blocker(world.engine.view(), state.group(), event, world.now())
                            .isPresent();
                    // Whether a machine asked again is looked at now and then; a start the store refused is tried
                    // again.
                    int patience =
                            event.work().unit() != null || event.work().cause().planned() ? 30 : 1;
                    boolean soon = world.engine
                            .due()
                            .filter(at -> !at.isAfter(world.now().plusSeconds(patience)))
                            .isPresent();
                    assertTrue(behind || held || soon || othersNotice(event), event + " waits for nothing");
                }
            }
        }

        /** A rollout's event waits only for what starts soon and was asked for in time; what an owner asked for comes. */
        private void checkRightOfWay(GroupState state) {
            for (Event event : state.events()) {
                if (event.phase() != Phase.SCHEDULED) {
                    continue;
                }
                Optional<String> held =
                        world.engine.rules().blockers(world.engine.view(), state.group(), event, world.now()).stream()
                                .map(StartBlocker::why)
                                .filter(why -> why.endsWith("of the same machine comes first"))
                                .findFirst();
                held.ifPresent(why -> {
                    Event first = state.events().stream()
                            .filter(e -> why.contains(e.id().toString()))
                            .findFirst()
                            .orElseThrow();
                    boolean afterPlatform = event.work().cause().source() == EventSource.USER
                            && first.work().unit() != null
                            && event.askedAt().isAfter(due(first));
                    assertTrue(
                            event.work().cause().planned()
                                            && !first.work().cause().planned()
                                    || afterPlatform,
                            event + " waits for " + first);
                    assertTrue(
                            !first.noticePeriod()
                                            .notBefore()
                                            .isAfter(world.now().plus(Duration.ofMinutes(15)))
                                    || first.isApproved(),
                            "a rollout is held for long by " + first);
                });
                boolean asked = event.work().cause().source() == EventSource.USER;
                boolean due = !event.noticePeriod().notBefore().isAfter(world.now());
                if (asked && due && !wallIsSet) {
                    boolean reason = world.engine
                            .rules()
                            .blocker(world.engine.view(), state.group(), event, world.now())
                            .isPresent();
                    boolean soon = world.engine
                            .due()
                            .filter(at -> !at.isAfter(world.now().plusSeconds(1)))
                            .isPresent();
                    assertTrue(reason || soon, "what an owner asked for does not come: " + event);
                }
            }
        }

        /** When a unit could have started, but for what owners asked for. */
        private Instant due(Event event) {
            RolloutUnitId id = event.work().unit();
            return world.engine
                    .view()
                    .units(id.rollout(), id.unit() / RolloutUnitChunk.SIZE)
                    .unit(id.unit())
                    .turn()
                    .due();
        }

        /** The wall may be past the notice of another group of the same work, when really it is not over. */
        private boolean othersNotice(Event event) {
            PublishedState view = world.engine.view();
            return Optional.ofNullable(event.work().unit()).flatMap(view::open).stream()
                    .flatMap(unit -> unit.parts().stream())
                    .map(part -> view.state(part.group()).event(part.event()).orElseThrow())
                    .anyMatch(other -> other.shared() && !other.isApproved());
        }

        private void checkGroup(GroupState state) {
            EventsDocument document = world.engine.view().find(state.group()).document();
            long before = incarnations.getOrDefault(state.group(), 0L);
            assertTrue(document.incarnation() >= before, "the incarnation went back");
            incarnations.put(state.group(), document.incarnation());
            String content = document.events().stream()
                    .map(e -> e.id() + " " + e.phase() + " " + e.noticePeriod() + " " + e.resources())
                    .collect(Collectors.joining(";"));
            String known = contents.putIfAbsent(state.group() + " " + document.incarnation(), content);
            assertTrue(
                    known == null || known.equals(content),
                    "incarnation " + document.incarnation() + " with other content");

            checkNobodyWaitsForNothing(state);
            checkRightOfWay(state);
            Set<Integer> down = new HashSet<>();
            Set<String> busy = new HashSet<>();
            Set<String> owned = new HashSet<>();
            for (Event event : state.events()) {
                if (event.phase() == Phase.STARTED
                        && event.work().cause().planned()
                        && !event.work().rehearsal()) {
                    down.add(event.work().updateDomain());
                }
                if (event.phase() == Phase.STARTED) {
                    event.resources().forEach(m -> assertTrue(busy.add(m), m + " has two started events"));
                }
                // One that its owner asked for, one of the platform's and one rehearsal; what is urgent comes beside
                // any of them.
                String kind = event.work().rehearsal()
                        ? "rehearsal"
                        : event.work().cause().source().name();
                if (event.phase() != Phase.WAITING
                        && event.work().unit() == null
                        && !event.work().cause().overrides()) {
                    event.resources()
                            .forEach(m -> assertTrue(owned.add(m + kind), m + " has two events of one kind: " + kind));
                }
                List<Integer> domains = world.engine.view().machines(state.group()).stream()
                        .filter(m -> event.lists(m.name()))
                        .map(Machine::updateDomain)
                        .distinct()
                        .toList();
                assertTrue(domains.size() <= 1, "an event over two update domains");
            }
            assertTrue(down.size() <= 1, "two update domains down at once: " + down);
            long user = state.events().stream()
                    .filter(e -> e.work().cause().source() == EventSource.USER)
                    .count();
            assertTrue(user <= 10, "more than ten user operations");
        }
    }
}
