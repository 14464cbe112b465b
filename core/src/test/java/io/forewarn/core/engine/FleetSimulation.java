package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ServiceTerms;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A fleet that lives for days, minute by minute: machines poll or stop polling, owners and operators ask for work, drivers carry it out and change hosts
 * while they do, fleet files move machines, hardware fails. The seed decides everything.
 */
final class FleetSimulation {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<GroupId> GROUPS =
            List.of(new GroupId("shop", "web"), new GroupId("shop", "db"), new GroupId("bank", "core"));
    private static final int HOSTS = 6;
    private static final Actor OWNER = Actor.owner("owner", "127.0.0.1");

    final EngineHarness world;
    final OutageObserver observer;
    final TurnObserver turns;
    final ApprovalObserver approvals;
    private final Random random;
    private final List<String> tale = new ArrayList<>();
    private final Set<GroupId> polling = new HashSet<>();
    private final Map<EventId, Instant> ends = new HashMap<>();
    private final Map<EventId, Instant> moves = new HashMap<>();
    /** Work that found no other host for a machine. */
    private final Set<EventId> homeless = new HashSet<>();

    private RefusedException lastRefusal;

    private record Return(Instant at, MachineId machine, String host) {}

    private final List<Return> returns = new ArrayList<>();

    private final boolean clockJumps;
    private boolean calm;
    private int rollouts;
    /** Names of machines that were removed; others get them later. */
    private final List<String> removed = new ArrayList<>();

    private int names;

    FleetSimulation(long seed) {
        random = new Random(seed);
        clockJumps = seed % 4 == 0;
        world = new EngineHarness(ServiceTerms.AZURE, seed, 0);
        observer = new OutageObserver(world);
        turns = new TurnObserver(world);
        approvals = new ApprovalObserver(world);
        List<GroupSpec> groups = new ArrayList<>();
        List<MachineSpec> machines = new ArrayList<>();
        for (GroupId group : GROUPS) {
            int domains = 1 + random.nextInt(3);
            groups.add(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, domains, 2));
            for (int i = 2 + random.nextInt(4); i > 0; i--) {
                machines.add(machine(group, group.name() + names++, i % domains, host()));
            }
            if (random.nextInt(3) > 0) {
                polling.add(group);
            }
        }
        apply(groups, machines);
        GROUPS.forEach(this::policy);
    }

    private void policy(GroupId group) {
        LocalTime opens = LocalTime.of(random.nextInt(24), random.nextInt(60));
        MaintenanceWindow window =
                new MaintenanceWindow(EnumSet.allOf(DayOfWeek.class), opens, Duration.ofHours(6), ZoneId.of("UTC"));
        boolean advance = random.nextInt(10) == 0;
        Duration ahead = random.nextInt(4) == 0 ? Duration.ofMinutes(10 + random.nextInt(600)) : null;
        PostponementLimit postpones = random.nextBoolean() ? new PostponementLimit(5, Duration.ofDays(2)) : null;
        Policy policy = new Policy(
                        new Scope(group.tenant(), group.name(), null),
                        null,
                        advance ? true : null,
                        group.equals(GROUPS.get(1)) ? true : null, // Counts as approved if nothing runs.
                        null,
                        random.nextInt(8) == 0 ? List.of(window) : null,
                        null,
                        postpones,
                        postpones,
                        null,
                        null)
                .shownAhead(ahead);
        if (policy.isEmpty()
                || ask(group + ": " + policy, new Command.SetPolicy(policy, EngineHarness.PERSON)) == null) {
            return;
        }
        if (advance) {
            observer.approvesInAdvance(group);
        }
        if (ahead != null) {
            turns.shownAhead(group, ahead);
        }
    }

    /** An owner or an operator changes when work may start, how much notice it needs, or who must approve or see it. */
    private void changePolicy(GroupId group) {
        Actor actor = random.nextBoolean() ? OWNER : EngineHarness.PERSON;
        if (random.nextInt(3) == 0) {
            changeApproval(group, actor);
            return;
        }
        Duration notice = null;
        List<MaintenanceWindow> windows = null;
        List<Blackout> blackouts = null;
        switch (random.nextInt(4)) {
            case 0 -> notice = Duration.ofMinutes(15 + random.nextInt(600));
            case 1 ->
                windows = random.nextBoolean()
                        ? List.of()
                        : List.of(new MaintenanceWindow(
                                EnumSet.allOf(DayOfWeek.class),
                                LocalTime.of(random.nextInt(24), random.nextInt(60)),
                                Duration.ofHours(2 + random.nextInt(10)),
                                ZoneId.of("UTC")));
            default -> {
                LocalDateTime from = LocalDateTime.ofInstant(world.now(), ZoneOffset.UTC)
                        .truncatedTo(ChronoUnit.MINUTES)
                        .plusMinutes(random.nextInt(600));
                blackouts = random.nextInt(4) == 0
                        ? List.of()
                        : List.of(new Blackout(from, from.plusMinutes(1 + random.nextInt(1500)), ZoneOffset.UTC));
            }
        }
        set(group, notice, windows, blackouts, actor);
    }

    private void changeApproval(GroupId group, Actor actor) {
        Boolean seenByAll = null;
        ApprovalQuorum approval = null;
        if (random.nextInt(3) == 0) {
            seenByAll = random.nextBoolean();
        } else {
            approval = List.of(ApprovalQuorum.ANY, ApprovalQuorum.ALL, ApprovalQuorum.some(2))
                    .get(random.nextInt(3));
        }
        Scope scope = new Scope(group.tenant(), group.name(), null);
        Policy policy = new Policy(scope, null, null, null, approval, null, null, null, null, seenByAll, null);
        if (ask(actor.name() + " sets " + policy, new Command.SetPolicy(policy, actor)) != null && seenByAll != null) {
            observer.mayHaveToBeSeen(group);
        }
    }

    private void set(
            GroupId group, Duration notice, List<MaintenanceWindow> windows, List<Blackout> blackouts, Actor actor) {
        Scope scope = new Scope(group.tenant(), group.name(), null);
        Policy policy = new Policy(scope, notice, null, null, null, windows, blackouts, null, null, null, null);
        ask(actor.name() + " sets " + policy, new Command.SetPolicy(policy, actor));
    }

    void live(Duration time) {
        for (long minute = time.toMinutes(); minute > 0; minute--) {
            poll();
            act();
            pass(MINUTE);
        }
    }

    /** Nothing unplanned happens any more, everybody polls, and what was halted goes on. */
    void calmDown(Duration time) {
        calm = true;
        polling.addAll(GROUPS);
        look();
        GROUPS.forEach(group -> set(group, Duration.ofMinutes(15), List.of(), List.of(), EngineHarness.PERSON));
        look();
        for (long step = time.toMinutes() / 10; step > 0; step--) {
            poll();
            repair();
            for (Rollout rollout : world.engine.view().rollouts()) {
                if (rollout.status() == Rollout.Status.PAUSED || rollout.status() == Rollout.Status.HALTED) {
                    RolloutSpec.Late late = rollout.spec().until() == null ? null : RolloutSpec.Late.ANY;
                    ask(
                            "resume",
                            new Command.ResumeRollout(rollout.name(), false, null, null, late, EngineHarness.PERSON));
                }
            }
            for (int minute = 0; minute < 10; minute++) {
                pass(MINUTE);
            }
        }
    }

    private void pass(Duration time) {
        world.pass(time);
        look();
        if (!world.running.isEmpty()) {
            drive();
            look();
        }
    }

    private void look() {
        observer.look();
        turns.look();
        approvals.look();
    }

    /** The drivers: work begins, machines change hosts, work ends. */
    private void drive() {
        for (DriverTask task : List.copyOf(world.running.values())) {
            EventId id = task.event().id();
            if (!ends.containsKey(id)) {
                Instant end = world.now().plus(Duration.ofMinutes(1 + random.nextInt(9)));
                ends.put(id, end);
                Cause cause = task.event().work().cause();
                boolean redeploys = cause == Cause.REDEPLOY || cause == Cause.HOST_REDEPLOY;
                if (redeploys && !task.event().work().rehearsal()) {
                    // The inventory may know before the driver says that it is done, or only then.
                    moves.put(id, random.nextBoolean() ? world.now() : end);
                }
            }
            if (moves.containsKey(id) && !moves.get(id).isAfter(world.now())) {
                moves.remove(id);
                for (Machine machine : task.machines()) {
                    if (!rehost(machine.id(), machine.host())) {
                        homeless.add(id);
                    }
                    // Somebody who leaves a host may let work on it begin, before the next one comes there.
                    look();
                }
            }
            if (!ends.get(id).isAfter(world.now())) {
                world.running.remove(id);
                boolean fails = !calm && task.event().work().cause() != Cause.PREEMPT && random.nextInt(25) == 0;
                DriverReport report = homeless.contains(id) || fails ? DriverReport.FAILED : DriverReport.DONE;
                tale.add(report + " " + task.event().work().cause() + " "
                        + task.event().resources());
                world.event(id).ifPresent(e -> world.report(id, report));
            }
        }
    }

    /** Each machine that is up polls every other minute or so, if its group polls at all. */
    private void poll() {
        for (GroupId group : GROUPS) {
            if (!polling.contains(group) || world.engine.view().find(group) == null) {
                continue;
            }
            for (Machine machine : world.engine.view().machines(group)) {
                if (random.nextBoolean()
                        && world.engine.view().condition(machine.id()).state() == MachineCondition.State.RUNNING) {
                    world.poll(group, machine.name());
                    observer.polled(group);
                    turns.polled(group);
                    approvals.polled(group, machine.name());
                }
            }
        }
    }

    private void act() {
        int dice = random.nextInt(2000);
        if (dice < 20) {
            schedule(List.of(Cause.RESTART, Cause.REDEPLOY, Cause.FREEZE, Cause.RESTART)
                    .get(random.nextInt(4)));
        } else if (dice < 22) {
            schedule(Cause.TERMINATE);
        } else if (dice < 26) {
            schedule(Cause.FAILURE);
        } else if (dice < 28) {
            schedule(Cause.PREEMPT);
        } else if (dice < 50) {
            anyEvent().ifPresent(this::approve);
        } else if (dice < 52) {
            anyEvent().filter(e -> e.phase() != Phase.STARTED).ifPresent(this::cancel);
        } else if (dice < 64) {
            anyMachine().ifPresent(m -> rehost(m.id(), m.host()));
        } else if (dice < 67) {
            anyMachine().ifPresent(this::changeGroup);
        } else if (dice < 70) {
            addMachine();
        } else if (dice < 72) {
            anyMachine().ifPresent(m -> {
                tale.add("remove " + m.id());
                change(
                        "remove",
                        world.engine.change(
                                facts -> FleetRules.remove(facts, List.of(m.id())), EngineHarness.PERSON, null));
                removed.add(m.name());
            });
        } else if (dice < 76) {
            GroupId group = anyGroup();
            boolean polls = polling.remove(group) || !polling.add(group);
            tale.add(group + (polls ? " stops" : " begins") + " to poll");
        } else if (dice < 86) {
            startRollout();
        } else if (dice < 92) {
            steer();
        } else if (dice < 94) {
            tale.add("crash");
            world.open();
            observer.silenceCountsFromNow();
        } else if (dice < 100) {
            repair();
        } else if (dice < 106) {
            anyMachine().ifPresent(this::changeDomain);
        } else if (dice < 110) {
            emptyHost();
        } else if (dice < 120) {
            anyEvent().ifPresent(this::postpone);
        } else if (dice < 124) {
            everybodyApproves();
        } else if (dice < 126 && clockJumps) {
            Instant wall = world.now().plusSeconds(random.nextInt(1200) - 600);
            tale.add("wall set to " + wall);
            world.setWall(wall);
            turns.clockJumped();
            observer.silenceCountsFromNow();
        } else if (dice >= 126 && dice < 132) {
            look(); // What has started by now was judged by the policies as they were.
            changePolicy(anyGroup());
        }
        if (dice < 132) {
            look();
        }
        if (returns.removeIf(r -> !r.at().isAfter(world.now()) && place(r.machine(), r.host()))) {
            look();
        }
    }

    private void changeDomain(Machine machine) {
        int domains = world.engine.view().group(machine.group()).orElseThrow().updateDomains();
        int next = random.nextInt(domains);
        tale.add(machine.id() + " goes to update domain " + next);
        turns.changed(machine.id());
        apply(
                List.of(),
                List.of(new MachineSpec(
                        0,
                        machine.id(),
                        machine.group(),
                        next,
                        next % 2,
                        machine.host(),
                        List.of(),
                        "",
                        machine.spot(),
                        random.nextInt(3) == 0 ? tags() : machine.tags())));
    }

    /** Everybody leaves a host, and comes back a while later. */
    private void emptyHost() {
        String host = host();
        for (MachineId id : List.copyOf(world.engine.view().machinesOn(host))) {
            if (rehost(id, host)) {
                look(); // Whoever is told a date is somewhere else a moment later.
                returns.add(new Return(world.now().plus(Duration.ofMinutes(1 + random.nextInt(90))), id, host));
            }
        }
    }

    /** Whether that is settled: the machine is there, or there is no such machine. */
    private boolean place(MachineId id, String host) {
        Optional<Machine> machine = world.engine.view().machine(id);
        if (machine.isEmpty() || machine.get().host().equals(host)) {
            return true;
        }
        Machine m = machine.get();
        tale.add(id + " comes back to " + host);
        return apply(
                List.of(),
                List.of(new MachineSpec(
                        0, id, m.group(), m.updateDomain(), m.faultDomain(), host, List.of(), "", m.spot(), m.tags())));
    }

    private void schedule(Cause cause) {
        anyMachine().ifPresent(machine -> {
            boolean rehearsal = random.nextInt(6) == 0 && cause != Cause.FAILURE && cause != Cause.PREEMPT;
            if (cause == Cause.PREEMPT && !machine.spot()) {
                return;
            }
            boolean urgent = cause == Cause.FAILURE || cause == Cause.PREEMPT;
            if (urgent) {
                observer.overtaken(machine, cause);
            }
            Duration notice = notice(machine.group(), cause);
            Duration extra = urgent || random.nextInt(5) > 0 ? null : notice.plusMinutes(random.nextInt(300));
            CommandResult result = ask(
                    cause + " " + machine.id() + (rehearsal ? ", a rehearsal" : ""),
                    new Command.Schedule(cause, List.of(machine.id()), extra, null, rehearsal, EngineHarness.PERSON));
            if (result == null) {
                boolean asked = cause.source() == EventSource.USER && !rehearsal && extra == null;
                if (asked && lastRefusal.problem() == Problem.CONFLICT && !machine.spot()) {
                    observer.refused(machine, lastRefusal.getMessage());
                }
                return;
            }
            if (urgent) {
                observer.othersKeepTheirEvents(machine);
            }
            if (cause == Cause.PREEMPT) {
                observer.preempted(machine.id());
                turns.preempted(machine.id());
            }
            if (cause.source() == EventSource.USER) {
                Duration given = extra == null ? notice : extra;
                result.events().forEach(e -> observer.wished(e, machine.id(), cause, rehearsal, given));
            }
        });
    }

    private Duration notice(GroupId group, Cause cause) {
        Duration least = ServiceTerms.AZURE.minimumNotice(cause.type());
        Duration own = cause == Cause.TERMINATE
                ? null
                : world.engine
                        .view()
                        .policy(new Scope(group.tenant(), group.name(), null))
                        .map(Policy::notice)
                        .orElse(null);
        return own == null || own.compareTo(least) < 0 ? least : own;
    }

    private void approve(Event event) {
        if (!event.shown() || event.phase() != Phase.SCHEDULED) {
            return;
        }
        GroupId group = world.engine.view().groupOf(event.id()).orElseThrow();
        String machine = event.resources().get(random.nextInt(event.resources().size()));
        Actor actor = Actor.machine(group.tenant() + "/" + machine, "127.0.0.1");
        turns.look();
        TurnObserver.Dates before = turns.dates();
        approvals.voted(event.id(), machine);
        ask(
                machine + " approves " + event.work().cause() + " " + event.resources(),
                new Command.Approve(group, List.of(event.id()), actor));
        turns.othersStay(before, event.work().unit(), "others approved");
    }

    /** All that is shown at present is approved, in any order. */
    private void everybodyApproves() {
        List<Event> all = new ArrayList<>();
        GROUPS.forEach(g -> all.addAll(world.engine.view().state(g).events()));
        Collections.shuffle(all, random);
        for (Event event : all) {
            world.event(event.id()).ifPresent(this::approve);
            // A rehearsal that starts may be ended by the next approval.
            look();
        }
    }

    private void postpone(Event event) {
        if (event.phase() != Phase.SCHEDULED) {
            return;
        }
        turns.look();
        TurnObserver.Dates before = turns.dates();
        Duration by = Duration.ofMinutes(1 + random.nextInt(600));
        String what = "postpone " + event.work().cause() + " " + event.resources() + " by " + by;
        if (ask(what, new Command.Postpone(null, event.id(), null, by, EngineHarness.PERSON)) != null) {
            observer.postponed(event.id(), by);
        }
        turns.othersStay(before, event.work().unit(), "another was postponed");
    }

    private void cancel(Event event) {
        if (ask("cancel " + event.id(), new Command.Cancel(event.id(), EngineHarness.PERSON)) != null) {
            observer.cancelled(event);
        }
    }

    /** A failed machine is repaired by a restart. */
    private void repair() {
        for (MachineView machine : List.copyOf(world.engine.view().allMachines())) {
            if (world.engine.view().condition(machine.machine().id()).state() == MachineCondition.State.FAILED) {
                ask(
                        "repair " + machine.machine().id(),
                        new Command.Schedule(
                                Cause.RESTART,
                                List.of(machine.machine().id()),
                                null,
                                null,
                                false,
                                EngineHarness.PERSON));
            }
        }
    }

    /** Places a machine on another host. A host may be refused while it is worked on; then the next one is tried. */
    private boolean rehost(MachineId id, String from) {
        Optional<Machine> machine = world.engine.view().machine(id);
        int first = random.nextInt(HOSTS);
        for (int i = 0; i < HOSTS && machine.isPresent(); i++) {
            Machine m = machine.get();
            String next = "host-" + (first + i) % HOSTS;
            if (!next.equals(from) && !next.equals(m.host())) {
                tale.add(id + " moves from " + from + " to " + next);
                MachineSpec there = new MachineSpec(
                        0, id, m.group(), m.updateDomain(), m.faultDomain(), next, List.of(), "", m.spot(), m.tags());
                if (apply(List.of(), List.of(there))) {
                    return true;
                }
            }
        }
        return machine.isEmpty();
    }

    private void changeGroup(Machine machine) {
        GroupId next = GROUPS.stream()
                .filter(g -> g.tenant().equals(machine.group().tenant()) && !g.equals(machine.group()))
                .findFirst()
                .orElse(null);
        if (next != null) {
            tale.add(machine.id() + " goes to " + next);
            apply(
                    List.of(),
                    List.of(new MachineSpec(
                            0,
                            machine.id(),
                            next,
                            0,
                            0,
                            machine.host(),
                            List.of(),
                            "",
                            machine.spot(),
                            machine.tags())));
        }
    }

    private void addMachine() {
        GroupId group = anyGroup();
        int domains = world.engine.view().group(group).orElseThrow().updateDomains();
        boolean again = !removed.isEmpty() && random.nextBoolean();
        String name = again ? removed.remove(random.nextInt(removed.size())) : group.name() + names++;
        MachineSpec machine = machine(group, name, random.nextInt(domains), host());
        if (world.engine.view().machine(machine.id()).isPresent()) {
            return;
        }
        tale.add("add " + machine.id() + " on " + machine.host());
        if (apply(List.of(), List.of(machine))) {
            turns.added(machine.id());
        }
    }

    private void startRollout() {
        Cause cause = List.of(Cause.HOST_FREEZE, Cause.HOST_REBOOT, Cause.HOST_REDEPLOY)
                .get(random.nextInt(3));
        RolloutTarget target =
                switch (random.nextInt(8)) {
                    case 0 -> new RolloutTarget(RolloutTarget.Kind.TAG, List.of("env=live"));
                    case 1, 2 ->
                        new RolloutTarget(
                                RolloutTarget.Kind.GROUPS, List.of(anyGroup().toString()));
                    default -> new RolloutTarget(RolloutTarget.Kind.HOSTS, someHosts());
                };
        ConcurrencyLimit atOnce = List.of(
                        ConcurrencyLimit.ALL,
                        new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1),
                        new ConcurrencyLimit(ConcurrencyLimit.Kind.FAULT_DOMAIN, 0))
                .get(random.nextInt(3));
        Duration recovery = random.nextBoolean() ? null : Duration.ofMinutes(random.nextInt(4) * 20L);
        RolloutSpec spec = RolloutSpec.of("r" + rollouts++, cause, target)
                .withNotice(notice())
                .withRecovery(recovery)
                .withAtOnce(atOnce)
                .withEvacuation(random.nextInt(3) > 0)
                .withRehearsal(random.nextInt(8) == 0);
        if (random.nextInt(3) == 0) {
            spec = within(spec);
        }
        if (random.nextInt(6) == 0) {
            spec = spec.withSelfServiceUntil(world.now().plus(Duration.ofMinutes(1 + random.nextInt(600))));
        }
        turns.look();
        TurnObserver.Dates before = turns.dates(spec.rehearsal());
        if (change("start " + spec, world.engine.roll(spec, EngineHarness.PERSON, null)) != null) {
            turns.started(spec);
        }
        turns.othersStay(before, null, "another rollout was started");
    }

    private List<String> someHosts() {
        if (random.nextInt(3) == 0) {
            return List.of("*");
        }
        List<String> hosts = new ArrayList<>();
        for (int i = 0; i < HOSTS; i++) {
            if (random.nextInt(3) == 0
                    && !world.engine.view().machinesOn("host-" + i).isEmpty()) {
                hosts.add("host-" + i);
            }
        }
        return hosts.isEmpty() ? List.of(host()) : hosts;
    }

    private Duration notice() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> Duration.ofMinutes(20 + random.nextInt(200));
            case 2 -> Duration.ofHours(24 + random.nextInt(24));
            default -> null;
        };
    }

    /** With an earliest start, and often a latest. */
    private RolloutSpec within(RolloutSpec spec) {
        Instant at = world.now().plus(Duration.ofMinutes(random.nextInt(1500)));
        Instant until = random.nextInt(3) == 0 ? null : at.plus(Duration.ofMinutes(30 + random.nextInt(600)));
        RolloutSpec.Late late = until == null
                ? RolloutSpec.Late.REFUSE
                : RolloutSpec.Late.values()[random.nextInt(RolloutSpec.Late.values().length)];
        return spec.between(at, until, late, ZoneId.of(random.nextBoolean() ? "UTC" : "Europe/Berlin"));
    }

    private void steer() {
        List<Rollout> open =
                world.engine.view().rollouts().stream().filter(r -> !r.isOver()).toList();
        if (!open.isEmpty()) {
            String name = open.get(random.nextInt(open.size())).name();
            switch (random.nextInt(6)) {
                case 0 -> ask("abort " + name, new Command.AbortRollout(name, EngineHarness.PERSON));
                case 1 -> ask("pause " + name, new Command.PauseRollout(name, EngineHarness.PERSON));
                default -> {
                    Duration notice = random.nextInt(3) == 0 ? Duration.ofMinutes(15 + random.nextInt(100)) : null;
                    Command resume = new Command.ResumeRollout(
                            name, random.nextBoolean(), notice, null, null, EngineHarness.PERSON);
                    ask("resume " + name, resume);
                }
            }
        }
    }

    private boolean apply(List<GroupSpec> groups, List<MachineSpec> machines) {
        FleetSpec spec = new FleetSpec(groups, machines);
        return null
                != change(
                        "fleet",
                        world.engine.change(facts -> FleetRules.apply(facts, spec, false), EngineHarness.PERSON, null));
    }

    private CommandResult ask(String what, Command command) {
        return change(what, world.engine.submit(command));
    }

    private CommandResult change(String what, java.util.concurrent.CompletableFuture<CommandResult> asked) {
        tale.add(world.now() + " " + what);
        try {
            return world.ask(asked);
        } catch (RefusedException refusal) {
            tale.add("  refused: " + refusal.getMessage());
            lastRefusal = refusal;
            return null;
        }
    }

    private MachineSpec machine(GroupId group, String name, int domain, String host) {
        MachineId id = new MachineId(group.tenant(), name);
        boolean spot = random.nextInt(4) == 0;
        return new MachineSpec(0, id, group, domain, domain % 2, host, List.of(), "", spot, tags());
    }

    private Map<String, String> tags() {
        return Map.of("env", random.nextInt(3) == 0 ? "test" : "live");
    }

    private String host() {
        return "host-" + random.nextInt(HOSTS);
    }

    private GroupId anyGroup() {
        return GROUPS.get(random.nextInt(GROUPS.size()));
    }

    private Optional<Machine> anyMachine() {
        List<Machine> machines = world.engine.view().machines(anyGroup());
        return machines.isEmpty() ? Optional.empty() : Optional.of(machines.get(random.nextInt(machines.size())));
    }

    private Optional<Event> anyEvent() {
        List<Event> events = world.engine.view().state(anyGroup()).events();
        return events.isEmpty() ? Optional.empty() : Optional.of(events.get(random.nextInt(events.size())));
    }

    /** What happened last. */
    String tail() {
        return String.join("\n", tale.subList(Math.max(0, tale.size() - 40), tale.size()));
    }
}
