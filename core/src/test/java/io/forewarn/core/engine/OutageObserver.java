package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Checks outages against what could be seen from outside: published documents, polls, the fleet and what drivers were told to start. Shares no code with
 * the rules it checks.
 */
final class OutageObserver {
    /** Documents are looked at once a minute, so what was seen first may have been readable for a little longer. */
    private static final Duration LOOKS_EVERY = Duration.ofMinutes(2);

    private static final Duration SILENCE = Duration.ofHours(24);
    /** Work on the same machine that is under way comes to an end within this time. */
    private static final Duration OTHER_WORK = Duration.ofMinutes(90);

    private static final Set<MachineCondition.State> LEFT = EnumSet.of(
            MachineCondition.State.TAKEN, MachineCondition.State.BEING_TAKEN, MachineCondition.State.BEING_DELETED);

    /** What a document said of an event. */
    private record Seen(Instant first, Instant notBefore) {}

    private static final class Outage {
        final EventId event;
        final int domain;
        Instant ended;

        Outage(EventId event, int domain) {
            this.event = event;
            this.domain = domain;
        }
    }

    private record Wish(EventId event, MachineId machine, Cause cause, boolean rehearsal, int boots, Instant latest) {
        /** A failure may come before it. */
        Wish later(Instant atLeast) {
            return new Wish(event, machine, cause, rehearsal, boots, latest.isAfter(atLeast) ? latest : atLeast);
        }
    }

    /** A machine that must have been restarted by then. */
    private record Failure(int boots, Instant latest) {}

    private final EngineHarness world;
    private final Map<EventId, Seen> seen = new HashMap<>();
    private final Map<GroupId, List<Instant>> polls = new HashMap<>();
    private final Map<GroupId, List<Outage>> outages = new HashMap<>();
    private final Set<EventId> started = new HashSet<>();
    /** Work of owners; it may have ended before the next look. */
    private final Set<EventId> startedInHistory = new HashSet<>();

    private final List<Wish> wishes = new ArrayList<>();
    /** Machines that were preempted, and when they must be gone at the latest. */
    private final Map<MachineId, Instant> taken = new HashMap<>();
    /** When it was asked for. */
    private final Map<MachineId, Instant> preemptions = new HashMap<>();

    private final Map<MachineId, Failure> failures = new HashMap<>();
    private final Set<GroupId> approvedInAdvance = new HashSet<>();
    private final Set<GroupId> mustBeSeen = new HashSet<>();

    /** Machines that ran when everything was last looked at. */
    private final Set<MachineId> ran = new HashSet<>();
    /** Scheduled events that name others beside the machine that urgent work is about to hit. */
    private List<Event> shared = List.of();

    private final Map<String, Set<MachineId>> workedOn = new HashMap<>();
    private final Set<RolloutUnitId> hostsWorkedOn = new HashSet<>();
    private final Map<EventId, Instant> redeployBegan = new HashMap<>();
    private final Map<MachineId, List<Redeploy>> redeployed = new HashMap<>();

    /** Work on a host, not the evacuation before it. */
    private final Map<EventId, RolloutUnitId> hostWork = new HashMap<>();
    /** Rehearsals of groups without notice that were opened, started and ended by real work between two looks, by rollout. */
    private final Map<String, Integer> missedStarts = new HashMap<>();

    private int read;
    private int starts;

    OutageObserver(EngineHarness world) {
        this.world = world;
    }

    /** How many starts were checked. */
    int starts() {
        return starts;
    }

    void polled(GroupId group) {
        List<Instant> times = polls.computeIfAbsent(group, g -> new ArrayList<>());
        times.add(world.now());
        if (times.size() > 4) {
            // The last ones are enough: one of them is at least a minute old.
            times.remove(1);
        }
    }

    void approvesInAdvance(GroupId group) {
        approvedInAdvance.add(group);
    }

    /** An owner asked for work on a machine, and it was accepted. */
    void wished(EventId event, MachineId machine, Cause cause, boolean rehearsal, Duration notice) {
        int boots = world.engine.view().condition(machine).boots();
        wishes.add(new Wish(
                event,
                machine,
                cause,
                rehearsal,
                boots,
                world.now()
                        .plus(notice)
                        .plus(OTHER_WORK)
                        .plus(mustBeSeen.stream().anyMatch(g -> isIn(g, machine)) ? SILENCE : Duration.ZERO)));
    }

    /** An owner is refused only because of what was asked for before, or because the machine is taken away. */
    void refused(Machine machine, String why) {
        PublishedState view = world.engine.view();
        boolean reason = view.condition(machine.id()).state() == MachineCondition.State.TAKEN
                || view.state(machine.group()).events().stream()
                        .filter(e -> e.lists(machine.name()) && !e.work().rehearsal())
                        .anyMatch(e -> e.work().cause().source() == EventSource.USER
                                || e.work().cause() == Cause.PREEMPT);
        assertTrue(reason, () -> "an owner was refused: " + why);
    }

    /** A spot machine is to be taken away; that is never refused, and nothing else that goes on with the machine swallows it. */
    void preempted(MachineId machine) {
        taken.putIfAbsent(machine, world.now().plus(OTHER_WORK));
        preemptions.putIfAbsent(machine, world.now());
    }

    /** A person put the event off; what an owner asked for then comes later. */
    void postponed(EventId event, Duration by) {
        wishes.replaceAll(w -> w.event().equals(event) ? w.later(w.latest().plus(by)) : w);
    }

    /** All machines must see an event before it starts: what owners ask for may wait for a group that has fallen silent. */
    void mayHaveToBeSeen(GroupId group) {
        mustBeSeen.add(group);
        wishes.replaceAll(w -> isIn(group, w.machine()) ? w.later(w.latest().plus(SILENCE)) : w);
    }

    /** The service was started, or its clock was set: groups fall silent a day after that at the earliest. */
    void silenceCountsFromNow() {
        Instant silent = world.now().plus(SILENCE).plus(OTHER_WORK);
        wishes.replaceAll(w -> mustBeSeen.stream().anyMatch(g -> isIn(g, w.machine())) ? w.later(silent) : w);
    }

    private boolean isIn(GroupId group, MachineId id) {
        return world.engine
                .view()
                .machine(id)
                .filter(machine -> machine.group().equals(group))
                .isPresent();
    }

    /** A person called the event off. */
    void cancelled(Event event) {
        wishes.removeIf(w -> w.event().equals(event.id()));
        if (event.work().cause() == Cause.PREEMPT) {
            taken.keySet().removeIf(m -> event.lists(m.name()));
            preemptions.keySet().removeIf(m -> event.lists(m.name()));
        }
    }

    /** Hardware is about to fail under a machine, or it is about to be taken away. */
    void overtaken(Machine machine, Cause cause) {
        PublishedState view = world.engine.view();
        MachineId id = machine.id();
        if (cause == Cause.PREEMPT) {
            wishes.removeIf(w -> w.machine().equals(id));
        } else {
            wishes.removeIf(w -> w.machine().equals(id) && w.rehearsal());
            wishes.replaceAll(w -> w.machine().equals(id) ? w.later(world.now().plus(OTHER_WORK)) : w);
            failures.putIfAbsent(
                    id, new Failure(view.condition(id).boots(), world.now().plus(OTHER_WORK)));
        }
        shared = view.state(machine.group()).events().stream()
                .filter(e -> e.phase() == Phase.SCHEDULED && e.work().unit() != null && e.lists(machine.name()))
                .filter(e -> e.resources().stream()
                        .anyMatch(m -> !m.equals(machine.name()) && view.isThere(machine.group(), m)))
                .toList();
    }

    /** Right after urgent work hit the machine: whoever shared an event with it keeps that event, its approval and its date. */
    void othersKeepTheirEvents(Machine machine) {
        for (Event before : shared) {
            Optional<Event> after = world.engine.view().state(machine.group()).event(before.id());
            assertTrue(after.isPresent(), () -> "others lost " + before + " with " + machine.id());
            assertEquals(before.approval(), after.get().approval());
            assertTrue(
                    after.get()
                                    .noticePeriod()
                                    .notBefore()
                                    .equals(before.noticePeriod().notBefore())
                            || before.noticePeriod().notBefore().isBefore(world.now()),
                    () -> "others lost the date of " + before + " with " + machine.id());
        }
    }

    /** Looks at everything once. Called after each step of the simulation. */
    void look() {
        PublishedState view = world.engine.view();
        Map<String, EventId> busy = new HashMap<>();
        Set<EventId> running = new HashSet<>();
        for (GroupView group : view.allGroups()) {
            for (Event event : view.state(group.id()).events()) {
                if (event.phase() == Phase.STARTED) {
                    running.add(event.id());
                    for (String machine : event.resources()) {
                        EventId other = busy.put(group.id().tenant() + "/" + machine, event.id());
                        assertTrue(other == null, machine + " has two started events: " + other + ", " + event.id());
                    }
                }
            }
        }
        outages.values()
                .forEach(all -> all.forEach(outage -> {
                    if (outage.ended == null && !running.contains(outage.event)) {
                        outage.ended = world.now();
                    }
                }));
        for (GroupView group : view.allGroups()) {
            for (Event event : view.state(group.id()).events()) {
                if (event.phase() == Phase.STARTED && started.add(event.id())) {
                    starts++;
                    checkNotice(group.id(), event);
                    checkDomains(group.id(), event);
                    checkHost(event);
                    checkFaultDomains(event);
                    checkCalendar(group.id(), event);
                }
            }
        }
        for (GroupView group : view.allGroups()) {
            for (Event event : group.document().events()) {
                if (event.phase() == Phase.SCHEDULED) {
                    Seen before = seen.get(event.id());
                    Instant notBefore = event.noticePeriod().notBefore();
                    assertTrue(
                            before == null || !notBefore.isBefore(before.notBefore()),
                            () -> "NotBefore moved earlier: " + event);
                    seen.put(event.id(), new Seen(before == null ? world.now() : before.first(), notBefore));
                }
            }
        }
        noteHostWork();
        checkWishes();
        checkUrgent();
        readHistory();
        ran.clear();
        ran.addAll(world.runningMachines());
    }

    /** What may have started and ended by the next look: real work ends a rehearsal. */
    private void noteHostWork() {
        for (Rollout rollout : world.engine.view().rollouts()) {
            for (ActiveUnit unit : rollout.isOver()
                    ? List.<ActiveUnit>of()
                    : world.engine.view().open(rollout.name())) {
                if (!unit.moves()) {
                    unit.parts().forEach(part -> hostWork.put(part.event(), unit.tie()));
                }
            }
        }
    }

    /** What the history tells since the last look. */
    private void readHistory() {
        for (; read < world.history.size(); read++) {
            HistoryEntry entry = world.history.get(read);
            if (entry.rollout() == null) {
                if (entry.what().startsWith("STARTED")) {
                    startedInHistory.add(entry.event());
                }
                boolean moves = entry.cause() == Cause.REDEPLOY;
                if (moves && entry.what().startsWith("STARTED")) {
                    redeployBegan.put(entry.event(), entry.at());
                } else if (moves && redeployBegan.containsKey(entry.event())) {
                    Redeploy redeploy = new Redeploy(redeployBegan.get(entry.event()), entry.at());
                    for (String name : entry.machines()) {
                        MachineId id = new MachineId(entry.group().tenant(), name);
                        redeployed.computeIfAbsent(id, m -> new ArrayList<>()).add(redeploy);
                    }
                }
                continue;
            }
            if (entry.what().startsWith("STARTED") && hostWork.containsKey(entry.event())) {
                hostsWorkedOn.add(hostWork.get(entry.event()));
            } else if (entry.what().startsWith("STARTED")) {
                missedStarts.merge(entry.rollout(), 1, Integer::sum);
            }
            if (entry.what().startsWith("COMPLETED") || entry.what().startsWith("REHEARSAL_ENDED")) {
                for (String machine : entry.machines()) {
                    workedOn.computeIfAbsent(entry.rollout(), r -> new HashSet<>())
                            .add(new MachineId(entry.group().tenant(), machine));
                }
            } else if (entry.what().equals("ROLLOUT_DONE")) {
                checkCoverage(world.engine.view().rollout(entry.rollout()).orElseThrow());
            }
        }
    }

    /** A rollout that is done worked on its whole target, or says of each unit that it left out why it did. */
    private void checkCoverage(Rollout rollout) {
        PublishedState view = world.engine.view();
        Map<String, RolloutUnit> units = new HashMap<>();
        for (int i = 0; i < rollout.units(); i++) {
            RolloutUnit unit =
                    view.units(rollout.name(), i / RolloutUnitChunk.SIZE).unit(i);
            units.put(unit.name(), unit);
            assertTrue(
                    unit.state() != RolloutUnit.State.SKIPPED || !unit.why().isBlank(),
                    () -> unit + " of " + rollout.name() + " was left out for no reason");
            boolean onHosts = rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS;
            assertTrue(
                    !onHosts
                            || unit.state() != RolloutUnit.State.DONE
                            || hostsWorkedOn.contains(new RolloutUnitId(rollout.name(), i))
                            || rollout.spec().selfServiceUntil() != null
                            || rollout.spec().rehearsal() && missedStarts.merge(rollout.name(), -1, Integer::sum) >= 0,
                    () -> unit + " of " + rollout.name() + " counts as done and was not worked on");
        }
        if (rollout.spec().target().kind() != RolloutTarget.Kind.GROUPS) {
            return;
        }
        Set<MachineId> worked = workedOn.getOrDefault(rollout.name(), Set.of());
        for (GroupView group : view.allGroups()) {
            for (Machine machine : view.machines(group.id())) {
                RolloutUnit unit = units.get(group.id() + "#" + machine.updateDomain());
                boolean leftOut = unit != null && unit.state() != RolloutUnit.State.DONE;
                assertTrue(
                        !rollout.spec().target().names().contains(group.id().toString())
                                || worked.contains(machine.id())
                                || wasRedeployedInTime(rollout, machine.id())
                                || leftOut
                                || LEFT.contains(view.condition(machine.id()).state()),
                        () -> machine + " is in " + group.id() + ", and " + rollout + " did not work on it");
            }
        }
    }

    /** What an owner asked for. */
    private record Redeploy(Instant began, Instant ended) {}

    private boolean wasRedeployedInTime(Rollout rollout, MachineId machine) {
        Instant until = rollout.spec().selfServiceUntil();
        return until != null
                && redeployed.getOrDefault(machine, List.of()).stream()
                        .anyMatch(r -> !r.ended.isBefore(rollout.createdAt()) && r.began.isBefore(until));
    }

    /** Where one fault domain is worked on at a time, more than one unit is under way only within one. */
    private void checkFaultDomains(Event event) {
        PublishedState view = world.engine.view();
        Optional<Rollout> rollout = Optional.ofNullable(event.work().rollout()).flatMap(view::rollout);
        if (rollout.isEmpty() || rollout.get().spec().atOnce().kind() != ConcurrencyLimit.Kind.FAULT_DOMAIN) {
            return;
        }
        Set<RolloutUnitId> units = new HashSet<>();
        Set<Integer> domains = new HashSet<>();
        for (ActiveUnit unit : view.open(rollout.get().name())) {
            for (ActiveUnit.Part part : unit.parts()) {
                view.state(part.group())
                        .event(part.event())
                        .filter(e -> e.phase() == Phase.STARTED)
                        .ifPresent(e -> {
                            units.add(unit.tie());
                            e.resources().forEach(m -> view.machine(
                                            new MachineId(part.group().tenant(), m))
                                    .ifPresent(known -> domains.add(known.faultDomain())));
                        });
            }
        }
        assertTrue(
                units.size() < 2 || domains.size() < 2,
                () -> "units " + units + " are under way in the fault domains " + domains);
    }

    /** No machine goes down without an event that it could have read, if its group polls, nor against its NotBefore. */
    private void checkNotice(GroupId group, Event event) {
        Cause cause = event.work().cause();
        Instant at = event.attempt().startedAt();
        boolean polling = polls.getOrDefault(group, List.of()).stream()
                .anyMatch(poll -> poll.isAfter(at.minus(SILENCE)) && poll.isBefore(at.minus(LOOKS_EVERY)));
        if (cause == Cause.FAILURE || cause == Cause.PREEMPT || !polling) {
            return;
        }
        boolean inAdvance = approvedInAdvance.contains(group) && cause.source() == EventSource.USER;
        if (event.isApproved() && event.approval().by().kind() == Actor.Kind.SERVICE && cause.planned()) {
            assertTrue(
                    event.resources().stream()
                            .map(m -> new MachineId(group.tenant(), m))
                            // One that was removed does not count.
                            .filter(m -> world.engine.view().machine(m).isPresent())
                            .noneMatch(ran::contains),
                    () -> "nobody approved it, and a machine ran: " + event);
        }
        if (event.isApproved() || inAdvance) {
            return;
        }
        Seen document = seen.get(event.id());
        assertNotNull(document, () -> "a group that polls was not shown " + event);
        Duration least = ServiceTerms.AZURE.minimumNotice(cause.type());
        assertTrue(
                !document.first().isAfter(at.minus(least).plus(LOOKS_EVERY)),
                () -> "readable since " + document.first() + ", started at " + at + ": " + event);
        assertTrue(!at.isBefore(document.notBefore()), () -> "started before " + document.notBefore() + ": " + event);
    }

    /** Platform work never takes two update domains of a group down together, and lets each recover before the next. */
    private void checkDomains(GroupId group, Event event) {
        if (!event.work().cause().planned() || event.work().rehearsal()) {
            return;
        }
        PublishedState view = world.engine.view();
        Instant at = event.attempt().startedAt();
        Set<Integer> domains = new HashSet<>();
        for (String name : event.resources()) {
            view.machine(new MachineId(group.tenant(), name))
                    .map(Machine::updateDomain)
                    .ifPresent(domains::add);
        }
        assertTrue(domains.size() <= 1, () -> "an event over the update domains " + domains + ": " + event);
        for (int domain : domains) {
            Duration recovery = Optional.ofNullable(event.work().rollout())
                    .flatMap(view::rollout)
                    .map(Rollout::spec)
                    .map(RolloutSpec::recovery)
                    .orElse(ServiceTerms.AZURE.recovery());
            List<Outage> earlier = outages.computeIfAbsent(group, g -> new ArrayList<>());
            for (Outage outage : earlier) {
                if (outage.domain != domain) {
                    assertNotNull(
                            outage.ended,
                            () -> "update domain " + domain + " goes down beside " + outage.domain + ": " + event);
                    // Ends are noticed at most a minute late.
                    assertTrue(
                            !at.isBefore(outage.ended.minus(LOOKS_EVERY).plus(recovery)),
                            () -> "update domain " + outage.domain + " ended " + outage.ended + " and had no "
                                    + recovery + " to recover: " + event);
                }
            }
            earlier.removeIf(
                    o -> o.ended != null && o.ended.isBefore(world.now().minus(Duration.ofDays(1))));
            earlier.add(new Outage(event.id(), domain));
        }
    }

    /** Platform work starts only while a window of its group is open, and in no blackout. */
    private void checkCalendar(GroupId group, Event event) {
        Optional<Policy> policy = world.engine.view().policy(new Scope(group.tenant(), group.name(), null));
        if (!event.work().cause().planned() || policy.isEmpty()) {
            return;
        }
        Instant at = event.attempt().startedAt();
        List<MaintenanceWindow> windows =
                Optional.ofNullable(policy.get().windows()).orElse(List.of());
        List<Blackout> blackouts = Optional.ofNullable(policy.get().blackouts()).orElse(List.of());
        assertTrue(
                windows.isEmpty() || windows.stream().anyMatch(window -> isOpen(window, at)),
                () -> "started while no window of " + group + " was open: " + event + ", " + windows);
        assertTrue(
                blackouts.stream()
                        .noneMatch(blackout -> !at.isBefore(blackout.begin().toInstant(ZoneOffset.UTC))
                                && at.isBefore(blackout.end().toInstant(ZoneOffset.UTC))),
                () -> "started in a blackout of " + group + ": " + event + ", " + blackouts);
    }

    /** All windows of the simulation open every day, by UTC. */
    private static boolean isOpen(MaintenanceWindow window, Instant at) {
        Duration sinceItOpened = Duration.between(window.start(), LocalTime.ofInstant(at, ZoneOffset.UTC));
        return (sinceItOpened.isNegative() ? sinceItOpened.plusDays(1) : sinceItOpened).compareTo(window.length()) < 0;
    }

    /** Every machine on a host is in the events of the work on that host. */
    private void checkHost(Event event) {
        PublishedState view = world.engine.view();
        Optional<ActiveUnit> unit = Optional.ofNullable(event.work().unit()).flatMap(view::open);
        Optional<Rollout> rollout = Optional.ofNullable(event.work().rollout()).flatMap(view::rollout);
        if (unit.isEmpty() || unit.get().moves() || rollout.isEmpty()) {
            return;
        }
        if (rollout.get().spec().target().kind() != RolloutTarget.Kind.HOSTS) {
            return;
        }
        int index = event.work().unit().unit();
        String host = view.units(event.work().rollout(), index / RolloutUnitChunk.SIZE)
                .unit(index)
                .name();
        Set<MachineId> told = new HashSet<>();
        for (ActiveUnit.Part part : unit.get().parts()) {
            view.state(part.group()).event(part.event()).ifPresent(e -> e.resources()
                    .forEach(m -> told.add(new MachineId(part.group().tenant(), m))));
        }
        for (MachineId machine : view.machinesOn(host)) {
            if (!LEFT.contains(view.condition(machine).state())) {
                assertTrue(
                        told.contains(machine),
                        () -> machine + " is on " + host + " and in none of the events of its work: " + unit.get());
            }
        }
    }

    /** What an owner asked for happens when it was asked for. */
    private void checkWishes() {
        wishes.removeIf(w -> started.contains(w.event())
                || startedInHistory.contains(w.event())
                || world.engine.view().machine(w.machine()).isEmpty()
                // Handling a failure restarts the machine, too.
                || w.cause() == Cause.RESTART
                        && world.event(w.event()).isEmpty()
                        && world.engine.view().condition(w.machine()).boots() > w.boots());
        taken.keySet()
                .removeIf(m -> world.engine.view().machine(m).isEmpty()
                        || world.engine.view().condition(m).state() == MachineCondition.State.TAKEN);
        taken.forEach((machine, latest) -> assertTrue(
                !world.now().isAfter(latest),
                () -> machine + " was preempted and is not gone by " + latest + ": "
                        + world.engine.view().condition(machine)));
        for (Wish wish : wishes) {
            assertTrue(
                    !world.now().isAfter(wish.latest()),
                    () -> "an owner's " + wish.cause() + " of " + wish.machine() + " has not started by "
                            + wish.latest() + ": " + world.event(wish.event()));
        }
    }

    /** A failure is handled, whatever it met; a machine that is to be taken gets no new events. */
    private void checkUrgent() {
        PublishedState view = world.engine.view();
        failures.keySet()
                .removeIf(m -> view.machine(m).isEmpty()
                        || view.condition(m).boots() > failures.get(m).boots()
                        || view.condition(m).state() == MachineCondition.State.FAILED
                        || view.condition(m).state() == MachineCondition.State.TAKEN);
        failures.forEach((machine, failure) -> assertTrue(
                !world.now().isAfter(failure.latest()),
                () -> machine + " failed and nobody brought it up by " + failure.latest() + ": "
                        + view.condition(machine)));
        preemptions.keySet().retainAll(taken.keySet());
        for (GroupView group : view.allGroups()) {
            for (Event event : view.state(group.id()).events()) {
                Instant accepted = event.work().acceptedAt();
                for (String machine : event.work().unit() == null ? List.<String>of() : event.resources()) {
                    Instant preempted = preemptions.get(new MachineId(group.id().tenant(), machine));
                    assertTrue(
                            preempted == null || !accepted.isAfter(preempted),
                            () -> machine + " is being taken and got a new event: " + event);
                }
            }
        }
    }

    /** Once nothing disturbs them, rollouts come to an end. */
    void checkRolloutsAreOver() {
        for (Rollout rollout : world.engine.view().rollouts()) {
            assertTrue(rollout.isOver() || isAhead(rollout), () -> "stuck: " + rollout + " " + waits(rollout));
        }
        assertEquals(
                0,
                world.engine.view().allGroups().stream()
                        .flatMap(g -> world.engine.view().state(g.id()).events().stream())
                        .filter(e -> e.work().cause().source() == EventSource.USER)
                        .count(),
                "owners' work that never ended");
    }

    /**
     * Whether it runs, and all that is left is planned for a later day, because hours may suit everybody only after the clocks change, or
     * several evacuations each get days of notice. Hosts that cannot be worked on as they are wait for the end.
     */
    private boolean isAhead(Rollout rollout) {
        List<RolloutUnit> left = IntStream.range(0, rollout.units())
                .mapToObj(i -> world.engine
                        .view()
                        .units(rollout.name(), i / RolloutUnitChunk.SIZE)
                        .unit(i))
                .filter(RolloutUnit::isAhead)
                .toList();
        return rollout.status() == Rollout.Status.RUNNING
                && left.stream().anyMatch(this::isPlanned)
                && left.stream()
                        .allMatch(unit -> isPlanned(unit) || isEmpty(rollout, unit) || isCrowded(rollout, unit));
    }

    private boolean isPlanned(RolloutUnit unit) {
        return unit.turn() != null && unit.turn().next().isAfter(world.now());
    }

    /** Whether nothing is on a host, or in an update domain, but machines that a preemption took. */
    private boolean isEmpty(Rollout rollout, RolloutUnit unit) {
        boolean host = rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS;
        return host
                ? present(unit.name()).isEmpty()
                : world.engine.view().allMachines().stream()
                        .map(MachineView::machine)
                        .filter(machine -> unit.name().equals(machine.group() + "#" + machine.updateDomain()))
                        .noneMatch(machine ->
                                world.engine.view().condition(machine.id()).state() != MachineCondition.State.TAKEN
                                        && !isDone(rollout, machine.id()));
    }

    /** Whether a rollout has worked on a machine, or is not to. */
    private boolean isDone(Rollout rollout, MachineId machine) {
        boolean untagged = rollout.spec().target().kind() == RolloutTarget.Kind.TAG
                && !"live"
                        .equals(world.engine
                                .view()
                                .machine(machine)
                                .orElseThrow()
                                .tags()
                                .get("env"));
        return untagged || workedOn.getOrDefault(rollout.name(), Set.of()).contains(machine);
    }

    /** Whether a host carries two update domains of a group, and none is moved away. */
    private boolean isCrowded(Rollout rollout, RolloutUnit unit) {
        Map<GroupId, Integer> domains = new HashMap<>();
        return rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS
                && !rollout.spec().evacuate()
                && present(unit.name()).stream().anyMatch(machine -> {
                    Integer other = domains.putIfAbsent(machine.group(), machine.updateDomain());
                    return other != null && other != machine.updateDomain();
                });
    }

    private List<Machine> present(String host) {
        PublishedState view = world.engine.view();
        return view.machinesOn(host).stream()
                .filter(machine -> view.condition(machine).state() != MachineCondition.State.TAKEN)
                .flatMap(machine -> view.machine(machine).stream())
                .toList();
    }

    private String waits(Rollout rollout) {
        List<Integer> units = IntStream.range(0, rollout.units()).boxed().toList();
        return world.engine
                        .rules()
                        .blockedUnits(world.engine.view(), new Command.Roll(rollout.name(), units), world.now())
                + " " + world.engine.view().open(rollout.name());
    }
}
