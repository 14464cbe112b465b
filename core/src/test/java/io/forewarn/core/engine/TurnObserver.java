package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that rollouts keep their plan: nothing starts before the date that machines were shown unless they approved, everybody gets
 * the notice that was asked for, and nobody's date moves because of others. Shares no code with the rules it checks.
 */
final class TurnObserver {
    /** Documents are looked at once a minute. */
    private static final Duration LOOKS_EVERY = Duration.ofMinutes(2);

    private static final Duration SILENCE = Duration.ofHours(24);

    /** What a document said of an event. */
    private record Seen(Instant first, Instant notBefore) {}

    /** The machines of one group in a unit when its rollout was started, and the notice that they were to get. */
    private record Share(Map<String, Integer> placements, Duration notice) {}

    /** When its owner was last told that a machine is worked on, and where the machine was then. */
    private record ToldDate(Instant at, GroupId group, int domain, int placement) {}

    private record ShareId(RolloutUnitId unit, GroupId group, int domain) {}

    private final EngineHarness world;
    private final Map<EventId, Seen> seen = new HashMap<>();
    private final Map<EventId, Event> known = new HashMap<>();
    private final Set<EventId> approved = new HashSet<>();
    private final Map<GroupId, Instant> lastPoll = new HashMap<>();
    /** Since when a group has polled without a day of silence. */
    private final Map<GroupId, Instant> pollsSince = new HashMap<>();

    private final Map<GroupId, Duration> shownAhead = new HashMap<>();
    private final Map<ShareId, Share> shares = new HashMap<>();
    private final Map<ShareId, EventId> firstEvents = new HashMap<>();
    private final Set<MachineId> preempted = new HashSet<>();
    /** When a failure of a machine last began or ended: it is shown nothing meanwhile. */
    private final Map<MachineId, Instant> failed = new HashMap<>();

    /** When rollouts were stopped that have not been resumed. */
    private final Map<String, Instant> stopped = new HashMap<>();

    private final Map<String, Instant> resumed = new HashMap<>();
    /** Rollouts whose units may have got new turns. */
    private final Set<String> replanned = new HashSet<>();

    /** Events of machines that are moved off a host before its work. */
    private final Set<EventId> evacuations = new HashSet<>();

    /** Units whose host carried two update domains of a group, or another group, meanwhile, so that perhaps they could not be shown. */
    private final Set<RolloutUnitId> crowded = new HashSet<>();

    /** The dates that owners were told, by rollout and machine. */
    private final Map<String, ToldDate> toldDates = new HashMap<>();

    /** Machines whose owners were told that a rollout does not work on them, by rollout and machine. */
    private final Set<String> calledOff = new HashSet<>();

    /** Hosts of which a machine has been down because of a failure: its domain is evacuated before others. */
    private final Set<String> hostsWithFailures = new HashSet<>();

    /** Machines that ran when everything was last looked at. */
    private final Set<MachineId> ran = new HashSet<>();

    /** What owners asked for and has not started, by group. */
    private final Map<GroupId, List<Event>> asked = new HashMap<>();

    /** When machines were added while the simulation ran. */
    private final Map<MachineId, Instant> added = new HashMap<>();

    private Instant clockJumped = Instant.MIN;

    private int read;
    private int fullNotices;
    private int early;
    private int keptDates;

    TurnObserver(EngineHarness world) {
        this.world = world;
    }

    /** A machine that gets the name of one that was removed is another: its owner was told nothing. */
    void added(MachineId machine) {
        added.put(machine, world.now());
        toldDates.keySet().removeIf(told -> told.endsWith(" " + machine));
        changed(machine);
    }

    /** A machine that comes to a unit, or to another update domain, gets an event of its own, with less notice perhaps. */
    void changed(MachineId machine) {
        shares.entrySet()
                .removeIf(share -> share.getKey().group().tenant().equals(machine.tenant())
                        && share.getValue().placements().containsKey(machine.name()));
    }

    /** Until now, the wall clock was behind by a time that nobody could use to prepare. */
    void clockJumped() {
        clockJumped = world.now();
    }

    /** How many units were checked for the notice that was asked for. */
    int fullNotices() {
        return fullNotices;
    }

    /** How many events started before their date, because they were approved. */
    int early() {
        return early;
    }

    /** How many starts were compared with the date that owners had been told. */
    int keptDates() {
        return keptDates;
    }

    void polled(GroupId group) {
        Instant last = lastPoll.put(group, world.now());
        if (last == null || last.plus(SILENCE).isBefore(world.now())) {
            pollsSince.put(group, world.now());
        }
    }

    void preempted(MachineId machine) {
        preempted.add(machine);
    }

    void shownAhead(GroupId group, Duration most) {
        shownAhead.put(group, most);
    }

    /** All turns and dates, to be compared after something that must not move them. */
    record Dates(Map<RolloutUnitId, Turn> turns, Map<EventId, Instant> notBefore) {}

    Dates dates() {
        return dates(true);
    }

    /** @param rehearsals whether to include rehearsals, which wait for real work */
    Dates dates(boolean rehearsals) {
        PublishedState view = world.engine.view();
        Map<RolloutUnitId, Turn> turns = new HashMap<>();
        Map<EventId, Instant> notBefore = new HashMap<>();
        for (Rollout rollout : view.rollouts()) {
            for (int i = 0; i < rollout.units() && !rollout.isOver(); i++) {
                RolloutUnit unit = unit(new RolloutUnitId(rollout.name(), i));
                boolean ahead = unit.state() == RolloutUnit.State.PENDING || unit.state() == RolloutUnit.State.OPEN;
                if (ahead && (rehearsals || !rollout.spec().rehearsal())) {
                    turns.put(new RolloutUnitId(rollout.name(), i), unit.turn());
                }
            }
        }
        for (GroupView group : view.allGroups()) {
            for (Event event : view.state(group.id()).events()) {
                if (event.phase() == Phase.SCHEDULED
                        && event.work().unit() != null
                        && (rehearsals || !event.work().rehearsal())) {
                    notBefore.put(event.id(), event.noticePeriod().notBefore());
                }
            }
        }
        return new Dates(turns, notBefore);
    }

    /** No date that is still to come moved, but those of one unit. */
    void othersStay(Dates before, RolloutUnitId except, String because) {
        Dates after = dates();
        before.turns.forEach((id, turn) -> assertTrue(
                id.equals(except)
                        || hostsWithFailures.contains(unit(id).name())
                        || turn != null && turn.next().isBefore(world.now())
                        || !after.turns.containsKey(id)
                        || keeps(turn, after.turns.get(id)),
                () -> "the turn of " + id + " moved from " + turn + " to " + after.turns.get(id) + " because "
                        + because));
        before.notBefore.forEach((id, date) -> assertTrue(
                !after.notBefore.containsKey(id)
                        || unit(id).filter(u -> u.equals(except)).isPresent()
                        || date.isBefore(world.now())
                        || date.equals(after.notBefore.get(id)),
                () -> "the date of " + known.get(id) + " moved from " + date + " to " + after.notBefore.get(id)
                        + " because " + because));
    }

    /** A unit whose time was not known may get one, and one that has been evacuated is done with that. */
    private static boolean keeps(Turn before, Turn after) {
        return before == null
                || after != null
                        && before.at().equals(after.at())
                        && (before.evacuations().equals(after.evacuations())
                                || after.evacuations().isEmpty());
    }

    private Optional<RolloutUnitId> unit(EventId event) {
        return Optional.ofNullable(known.get(event)).map(e -> e.work().unit());
    }

    private RolloutUnit unit(RolloutUnitId id) {
        return world.engine
                .view()
                .units(id.rollout(), id.unit() / RolloutUnitChunk.SIZE)
                .unit(id.unit());
    }

    /** A rollout was started: whoever polls now is to get the notice that it asks for. */
    void started(RolloutSpec spec) {
        PublishedState view = world.engine.view();
        Rollout rollout = view.rollout(spec.name()).orElseThrow();
        for (int i = 0; i < rollout.units(); i++) {
            RolloutUnitId id = new RolloutUnitId(spec.name(), i);
            RolloutUnit unit = unit(id);
            assertTrue(
                    unit.turn() == null || !unit.turn().hasMoved(), () -> unit + " moved when the rollout was started");
            assertTrue(
                    unit.turn() == null
                            || spec.at() == null
                            || !unit.turn().next().isBefore(spec.at()),
                    () -> unit + " is planned before " + spec.at());
            assertTrue(
                    unit.turn() == null
                            || spec.until() == null
                            || spec.late() != RolloutSpec.Late.REFUSE
                            || !unit.turn().at().isAfter(spec.until()),
                    () -> unit + " is planned after " + spec.until());
            if (spec.target().kind() != RolloutTarget.Kind.HOSTS
                    || unit.turn() == null
                    || !unit.turn().evacuations().isEmpty()) {
                continue;
            }
            Map<ShareId, Map<String, Integer>> members = new HashMap<>();
            for (MachineId machine : view.machinesOn(unit.name())) {
                Machine m = view.machine(machine).orElseThrow();
                members.computeIfAbsent(new ShareId(id, m.group(), m.updateDomain()), s -> new HashMap<>())
                        .put(m.name(), m.placement());
            }
            members.forEach((share, machines) -> shares.put(share, new Share(machines, notice(share.group(), spec))));
        }
    }

    private Duration notice(GroupId group, RolloutSpec spec) {
        Duration least = ServiceTerms.AZURE.minimumNotice(spec.cause().type());
        Duration asked = spec.notice() == null || spec.notice().compareTo(least) < 0 ? least : spec.notice();
        Duration most = shownAhead.getOrDefault(group, asked);
        Duration capped = most.compareTo(asked) < 0 ? most : asked;
        return capped.compareTo(least) < 0 ? least : capped;
    }

    /** Looks at everything once. Called after each step of the simulation. */
    void look() {
        PublishedState view = world.engine.view();
        for (GroupView group : view.allGroups()) {
            for (Event event : view.state(group.id()).events()) {
                if (event.work().unit() != null) {
                    known.put(event.id(), event);
                    firstEvents.putIfAbsent(
                            new ShareId(
                                    event.work().unit(),
                                    group.id(),
                                    event.work().updateDomain()),
                            event.id());
                }
            }
        }
        for (Rollout rollout : view.rollouts()) {
            view.open(rollout.name()).stream().filter(ActiveUnit::moves).forEach(unit -> unit.parts()
                    .forEach(part -> evacuations.add(part.event())));
        }
        shares.keySet().stream()
                .map(ShareId::unit)
                .filter(id -> !view.rollout(id.rollout()).orElseThrow().isOver())
                .filter(id -> isCrowded(view, unit(id).name()) || hasOtherGroups(view, id))
                .forEach(crowded::add);
        for (MachineView machine : view.allMachines()) {
            if (machine.condition() != null && machine.condition().state() == MachineCondition.State.FAILED) {
                hostsWithFailures.add(machine.machine().host());
            }
        }
        for (; read < world.history.size(); read++) {
            read(world.history.get(read));
        }
        for (GroupView group : view.allGroups()) {
            for (Event event : group.document().events()) {
                if (event.phase() == Phase.SCHEDULED && event.work().unit() != null) {
                    Seen before = seen.get(event.id());
                    Instant first = before == null ? world.now() : before.first();
                    seen.put(event.id(), new Seen(first, event.noticePeriod().notBefore()));
                }
            }
        }
        view.rollouts().forEach(this::checkLimit);
        ran.clear();
        ran.addAll(world.runningMachines());
        for (GroupView group : view.allGroups()) {
            List<Event> events = view.state(group.id()).events();
            asked.put(
                    group.id(),
                    events.stream()
                            .filter(e -> e.phase() == Phase.SCHEDULED && e.shared())
                            .filter(e -> e.work().cause().source() == EventSource.USER
                                    && !e.work().rehearsal())
                            .toList());
            events.stream()
                    .filter(e -> e.phase() == Phase.SCHEDULED
                            && e.shared()
                            && e.work().unit() != null)
                    .forEach(this::checkDate);
        }
    }

    /** The events of a unit keep to its turn, also those of machines that joined it and groups that began to poll. */
    private void checkDate(Event event) {
        Turn turn = unit(event.work().unit()).turn();
        // One that halted because a unit is too late gives it another turn when it goes on.
        boolean running = world.engine
                        .view()
                        .rollout(event.work().rollout())
                        .orElseThrow()
                        .status()
                == Rollout.Status.RUNNING;
        // A tenant that has delayed the unit before gets what notice is left, or none.
        boolean tooLate = turn != null
                && turn.due().isBefore(turn.at())
                && event.noticePeriod().notBefore().equals(event.noticePeriod().at());
        assertTrue(
                turn == null
                        || !running
                        || tooLate
                        || !event.noticePeriod()
                                .notBefore()
                                .isAfter((evacuations.contains(event.id()) ? turn.next() : turn.at())
                                        .plus(ServiceTerms.AZURE.tolerance())),
                () -> "starts long after its turn " + turn + ": " + event + " of "
                        + world.engine.view().open(event.work().unit()));
    }

    /** What an owner asked for in another update domain before the unit was due must not begin while the unit is worked on. */
    private void checkOwners(HistoryEntry entry, Event event) {
        Turn turn = unit(event.work().unit()).turn();
        // How long the work takes at least; a pause is expected to last five seconds.
        int least = event.type() == EventType.FREEZE ? 5 : 60;
        for (Event other : asked.getOrDefault(entry.group(), List.of())) {
            Instant begins = other.noticePeriod().notBefore();
            assertTrue(
                    turn == null
                            || event.work().rehearsal()
                            || other.work().updateDomain() == event.work().updateDomain()
                            || !other.askedAt().isBefore(turn.due())
                            || !begins.isAfter(entry.at())
                            || !begins.isBefore(entry.at().plusSeconds(least)),
                    () -> event + " started although another domain is about to go down: " + other);
        }
    }

    private void read(HistoryEntry entry) {
        // ApprovalObserver checks that as many machines approved as it takes.
        if (entry.what().equals(Transition.APPROVED.name()) && entry.actor().kind() != Actor.Kind.SERVICE) {
            approved.add(entry.event());
        }
        if (entry.cause() == Cause.FAILURE && entry.event() != null) {
            entry.machines().forEach(m -> failed.put(new MachineId(entry.group().tenant(), m), entry.at()));
        }
        if (entry.rollout() == null) {
            return;
        }
        switch (entry.what()) {
            case "ROLLOUT_PAUSED", "ROLLOUT_HALTED", "ROLLOUT_ABORTED" -> stopped.put(entry.rollout(), entry.at());
            case "ROLLOUT_RESUMED" -> {
                replanned.add(entry.rollout());
                if (stopped.remove(entry.rollout()) != null) {
                    resumed.put(entry.rollout(), entry.at());
                }
            }
            case "ROLLOUT_PLANNED" -> {
                for (String step : entry.detail().split("; ")) {
                    if (step.equals(HistoryEntry.REHEARSAL)) {
                        continue;
                    }
                    int blank = step.indexOf(' ');
                    Instant at = Instant.parse(step.substring(0, blank));
                    tell(entry, List.of(step.substring(blank + 1).split(", ")), at);
                }
            }
            case "ROLLOUT_MOVED" -> tell(entry, entry.machines(), entry.notBefore());
            case "ROLLOUT_CANCELLED" ->
                told(entry).forEach(machine -> {
                    toldDates.remove(machine);
                    calledOff.add(machine);
                });
            default -> {
                if (entry.notBefore() != null && !entry.what().startsWith("STARTED")) {
                    calledOff.removeAll(told(entry)); // Its machines, or their owners, are told of an event.
                }
                if (entry.what().startsWith("STARTED")) {
                    assertTrue(
                            !stopped.containsKey(entry.rollout()),
                            () -> "started although its rollout does not run: " + entry);
                    Optional.ofNullable(known.get(entry.event())).ifPresent(event -> checkStart(entry, event));
                }
            }
        }
    }

    private static List<String> told(HistoryEntry entry) {
        return entry.machines().stream()
                .map(name -> entry.rollout() + " " + new MachineId(entry.group().tenant(), name))
                .toList();
    }

    private void tell(HistoryEntry entry, List<String> machines, Instant at) {
        for (String name : machines) {
            MachineId id = new MachineId(entry.group().tenant(), name);
            calledOff.remove(entry.rollout() + " " + id);
            world.engine
                    .view()
                    .machine(id)
                    .ifPresent(m -> toldDates.put(
                            entry.rollout() + " " + id, new ToldDate(at, m.group(), m.updateDomain(), m.placement())));
        }
    }

    /** Nothing comes earlier than its owners were told last, unless it is approved, or its machine is somewhere else by now. */
    private void checkToldDate(HistoryEntry entry, Event event) {
        if (approved.contains(event.id()) || event.isApproved()) {
            return;
        }
        for (String name : event.resources()) {
            MachineId id = new MachineId(entry.group().tenant(), name);
            ToldDate told = toldDates.get(entry.rollout() + " " + id);
            Optional<Machine> machine = world.engine
                    .view()
                    .machine(id)
                    .filter(m -> told != null
                            && m.group().equals(told.group)
                            && m.updateDomain() == told.domain
                            && m.placement() == told.placement
                            && !hostsWithFailures.contains(m.host()));
            if (machine.isPresent()) {
                keptDates++;
                assertTrue(
                        !entry.at().isBefore(told.at),
                        () -> name + " was to be worked on at " + told + ", and was earlier: " + entry
                                + unit(event.work().unit()));
            }
        }
    }

    private void checkStart(HistoryEntry entry, Event event) {
        told(entry)
                .forEach(machine -> assertTrue(
                        !calledOff.contains(machine), () -> "its owner was told that it is not worked on: " + entry));
        checkToldDate(entry, event);
        Rollout rollout = world.engine.view().rollout(entry.rollout()).orElseThrow();
        checkTimes(rollout.spec(), entry);
        checkSelfService(rollout.spec(), entry, event);
        checkNewMachines(entry, event);
        checkOwners(entry, event);
        Seen document = seen.get(event.id());
        if (document == null) {
            return;
        }
        if (entry.at().isBefore(document.notBefore())) {
            assertTrue(
                    approved.contains(event.id()) || noneRan(entry.group(), event),
                    () -> "started before " + document + ", unapproved: " + event);
            early++;
            checkNobodySlips(entry, event);
        } else if (!approved.contains(event.id()) && !(event.isApproved() && noneRan(entry.group(), event))) {
            checkResumed(entry, event);
            checkNotice(entry, event, document);
        }
    }

    /** Whether a policy may have approved it, because none of its machines was running. */
    private boolean noneRan(GroupId group, Event event) {
        return event.resources().stream()
                .map(m -> new MachineId(group.tenant(), m))
                // One that was removed does not count.
                .filter(m -> world.engine.view().machine(m).isPresent())
                .noneMatch(ran::contains);
    }

    /** Nothing starts before the earliest start, nor after the latest unless that is wanted. */
    private static void checkTimes(RolloutSpec spec, HistoryEntry entry) {
        assertTrue(
                spec.at() == null || !entry.at().isBefore(spec.at()),
                () -> "started before " + spec.at() + ": " + entry);
        if (spec.until() == null || !entry.at().isAfter(spec.until()) || spec.late() == RolloutSpec.Late.ANY) {
            return;
        }
        assertTrue(spec.late() == RolloutSpec.Late.NEXT_WINDOW, () -> "started after " + spec.until() + ": " + entry);
        LocalTime from = spec.at().atZone(spec.zone()).toLocalTime();
        LocalTime to = spec.until().atZone(spec.zone()).toLocalTime();
        LocalTime time = entry.at().atZone(spec.zone()).toLocalTime();
        boolean within = from.isBefore(to)
                ? !time.isBefore(from) && !time.isAfter(to)
                : !time.isBefore(from) || !time.isAfter(to);
        assertTrue(within, () -> "started outside the hours " + from + " to " + to + ": " + entry);
    }

    /** Until the given time it is for owners to redeploy their machines. */
    private void checkSelfService(RolloutSpec spec, HistoryEntry entry, Event event) {
        Instant until = spec.selfServiceUntil();
        assertTrue(
                until == null
                        || !entry.at().isBefore(until)
                        || approved.contains(event.id())
                        || event.isApproved() && noneRan(entry.group(), event),
                () -> "started before " + until + ", when owners were to redeploy their machines: " + entry);
    }

    /** An event tells nothing to a machine that was added after it, whatever its name. */
    private void checkNewMachines(HistoryEntry entry, Event event) {
        for (String name : event.resources()) {
            MachineId id = new MachineId(entry.group().tenant(), name);
            Instant since = added.get(id);
            assertTrue(
                    since == null
                            || !since.isAfter(event.work().acceptedAt())
                            || world.engine
                                    .view()
                                    .machine(id)
                                    .filter(m -> m.group().equals(entry.group()))
                                    .isEmpty(),
                    () -> id + " was added at " + since + ", after its event: " + event);
        }
    }

    /** After a pause, who has not approved gets at least the contract's minimum. */
    private void checkResumed(HistoryEntry entry, Event event) {
        Instant since = resumed.get(entry.rollout());
        Instant last = lastPoll.get(entry.group());
        Duration least = ServiceTerms.AZURE.minimumNotice(event.type());
        assertTrue(
                since == null
                        || last == null
                        || !last.plus(SILENCE).isAfter(since)
                        || !entry.at().isBefore(since.plus(least)),
                () -> "started less than " + least + " after its rollout was resumed at " + since + ": " + event);
    }

    /** Whoever polled when the rollout was started and belongs to the same unit since then gets the notice asked for. */
    private void checkNotice(HistoryEntry entry, Event event, Seen document) {
        Rollout rollout = world.engine.view().rollout(entry.rollout()).orElseThrow();
        ShareId id =
                new ShareId(event.work().unit(), entry.group(), event.work().updateDomain());
        Share share = shares.get(id);
        Instant polls = pollsSince.get(entry.group());
        if (share == null
                || replanned.contains(entry.rollout())
                || evacuations.contains(event.id())
                || crowded.contains(id.unit())
                || !share.placements().equals(placements(entry.group(), event))
                || !event.id().equals(firstEvents.get(id))
                || !clockJumped.isBefore(entry.at().minus(share.notice()).minus(LOOKS_EVERY))
                || polls == null
                || polls.isAfter(rollout.createdAt())
                // Nobody is shown what concerns a group that fell silent, until it polls again or the service restarts.
                || !lastPoll.get(entry.group()).plus(SILENCE).isAfter(entry.at())
                || event.resources().stream()
                        .map(m -> new MachineId(entry.group().tenant(), m))
                        .anyMatch(m -> preempted.contains(m)
                                || failed.getOrDefault(m, Instant.MIN).isAfter(rollout.createdAt()))) {
            return;
        }
        fullNotices++;
        assertTrue(
                !document.first().isAfter(entry.at().minus(share.notice()).plus(LOOKS_EVERY)),
                () -> "asked for a notice of " + share.notice() + ", shown at " + document.first() + ", started at "
                        + entry.at() + ": " + event + " " + unit(id.unit()));
    }

    private static boolean isCrowded(PublishedState view, String host) {
        Map<GroupId, Set<Integer>> domains = new HashMap<>();
        for (MachineId id : view.machinesOn(host)) {
            Machine machine = view.machine(id).orElseThrow();
            domains.computeIfAbsent(machine.group(), g -> new HashSet<>()).add(machine.updateDomain());
        }
        return domains.values().stream().anyMatch(of -> of.size() > 1);
    }

    /** Whether a group is on the host of a unit that was not when the rollout was started: there may be no window that suits all. */
    private boolean hasOtherGroups(PublishedState view, RolloutUnitId id) {
        Set<GroupId> then = new HashSet<>();
        shares.keySet().stream().filter(share -> share.unit().equals(id)).forEach(share -> then.add(share.group()));
        return view.machinesOn(unit(id).name()).stream()
                .anyMatch(machine ->
                        !then.contains(view.machine(machine).orElseThrow().group()));
    }

    private Map<String, Integer> placements(GroupId group, Event event) {
        Map<String, Integer> placements = new HashMap<>();
        for (String name : event.resources()) {
            world.engine
                    .view()
                    .machine(new MachineId(group.tenant(), name))
                    .ifPresent(m -> placements.put(name, m.placement()));
        }
        return placements;
    }

    /** What starts ahead of its turn is over, and its group recovered, before the next date that was not approved. */
    private void checkNobodySlips(HistoryEntry entry, Event event) {
        PublishedState view = world.engine.view();
        Duration takes = event.type() == EventType.FREEZE ? Duration.ofSeconds(5) : Duration.ofMinutes(5);
        for (Event other : view.state(entry.group()).events()) {
            if (other.phase() != Phase.SCHEDULED
                    || other.isApproved()
                    || other.work().unit() == null
                    || other.work().unit().equals(event.work().unit())
                    || other.work().updateDomain() == event.work().updateDomain()
                    || other.work().rehearsal() != event.work().rehearsal()
                    || other.noticePeriod().at().isAfter(entry.at())
                    || missesItsTurn(view, other, entry.at())) {
                continue;
            }
            Duration recovery = view.rollout(other.work().rollout())
                    .map(r -> r.spec().recovery())
                    .orElse(ServiceTerms.AZURE.recovery());
            Instant free = entry.at().plus(takes).plus(recovery);
            assertTrue(
                    !other.noticePeriod().notBefore().isBefore(free),
                    () -> event + " was approved and started at " + entry.at() + ", in the way of " + other);
        }
    }

    /** Its rollout is paused or halted, and gives it another turn when it goes on, whenever that is. */
    private static boolean missesItsTurn(PublishedState view, Event scheduled, Instant now) {
        Duration least = ServiceTerms.AZURE.minimumNotice(scheduled.type());
        return view.rollout(scheduled.work().rollout())
                        .filter(r -> r.status() != Rollout.Status.RUNNING)
                        .isPresent()
                && scheduled.noticePeriod().notBefore().isBefore(now.plus(least));
    }

    /** No more units are in progress than the rollout may work on at once. */
    private void checkLimit(Rollout rollout) {
        int limit = rollout.spec().atOnce().kind() == ConcurrencyLimit.Kind.COUNT
                ? rollout.spec().atOnce().number()
                : Integer.MAX_VALUE;
        List<ActiveUnit> inProgress = new ArrayList<>();
        for (ActiveUnit unit : world.engine.view().open(rollout.name())) {
            boolean begun = unit.parts().stream().anyMatch(part -> world.engine
                    .view()
                    .state(part.group())
                    .event(part.event())
                    .filter(e -> e.phase() == Phase.STARTED)
                    .isPresent());
            if (begun) {
                inProgress.add(unit);
            }
        }
        assertTrue(inProgress.size() <= limit, () -> "more than " + limit + " at once: " + inProgress);
        assertEquals(inProgress.size(), rollout.started(), () -> "counted as started: " + rollout);
    }
}
