package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.EffectivePolicy;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.UpcomingUnits.Upcoming;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds a time for a unit of a rollout: the first at which all its groups are free and have recovered, their windows are
 * open, and the limits of the rollout leave room. Everything else that is planned stays where it is. The same search plans a
 * rollout, unit by unit, and later finds another time for a unit that is late, postponed, retried or added.
 */
final class TurnPlanner {
    private static final String NOTHING_IN_COMMON =
            "the windows of its groups have no time in common, and owners may hold work only until then";

    /**
     * A time for a unit.
     *
     * @param takes how long it is expected to take
     * @param why what keeps it from being earlier; blank if nothing does
     * @param group the group that {@code why} speaks of; null if it speaks of none
     * @param owners whether what owners asked for is among what keeps it from being earlier
     */
    record Place(Instant at, Duration takes, String why, GroupId group, boolean owners) {
        Instant ends() {
            return at.plus(takes);
        }

        private Place later(Instant to, String reason, GroupId whose) {
            return new Place(StartRules.wholeSecond(to), takes, reason, whose, owners);
        }

        private Place afterOwners(Instant to, String reason, GroupId whose) {
            return new Place(StartRules.wholeSecond(to), takes, reason, whose, true);
        }
    }

    private final StateReader facts;
    private final ServiceTerms terms;
    private final RolloutSpec spec;
    private final Instant now;
    private final RolloutPacing pacing;
    private final Duration recovery;

    /** The unit for which a time is sought: it is not in its own way; null if the rollout is new. */
    private final RolloutUnitId self;

    /** Units with later turns than this are not considered. */
    private final Instant cutoff;

    private final Instant ownersUntil;
    private final UpcomingUnits units;
    private final Map<GroupId, GroupTimetable> timetables = new HashMap<>();

    /** When platform work on single machines is expected to start. */
    private final Map<EventId, Instant> planned = new HashMap<>();

    private final Map<GroupId, Boolean> crowded = new HashMap<>();
    private final Map<GroupId, ConcurrencyProfile> rooms = new HashMap<>();

    /** Null if the rollout cannot reach its limit. */
    private final ConcurrencyProfile profile;

    /** Whether the profile knows the units of a rollout that has begun. */
    private boolean loaded;

    /** Whether units with later turns than the cutoff take up room nevertheless, if only so many may be worked on at once. */
    private boolean limited;

    private Predicate<RolloutUnitId> ignored = unit -> false;
    private Predicate<RolloutUnitId> uncounted = unit -> false;
    private boolean withoutOwners;
    private boolean nothingIsMended;

    /** For a new rollout of so many units. */
    TurnPlanner(StateReader facts, ServiceTerms terms, RolloutSpec spec, Instant now, int units) {
        this(facts, terms, spec, now, now, null, units, Instant.MAX);
    }

    /** For another time for a unit of a rollout. */
    TurnPlanner(StateReader facts, ServiceTerms terms, Rollout rollout, RolloutUnitId self, Instant now) {
        this(facts, terms, rollout.spec(), now, rollout.createdAt(), self, rollout.units(), Instant.MAX);
    }

    /** For when a unit of a rollout can start, as far as that depends on what comes before its turn. */
    TurnPlanner(StateReader facts, ServiceTerms terms, Rollout rollout, RolloutUnitId self, Instant now, Instant turn) {
        this(facts, terms, rollout.spec(), now, rollout.createdAt(), self, rollout.units(), turn);
    }

    /**
     * For a unit that goes before the others of its groups, which wait for its machines.
     *
     * @param makesWay the units of the rollout that get other turns if they are in its way
     */
    static TurnPlanner beforeOthers(
            StateReader facts,
            ServiceTerms terms,
            Rollout rollout,
            RolloutUnitId self,
            Instant now,
            Predicate<RolloutUnitId> makesWay) {
        TurnPlanner planner = new TurnPlanner(facts, terms, rollout, self, now, Instant.MIN);
        planner.limited = true;
        planner.uncounted = makesWay;
        return planner;
    }

    private TurnPlanner(
            StateReader facts,
            ServiceTerms terms,
            RolloutSpec spec,
            Instant now,
            Instant createdAt,
            RolloutUnitId self,
            int size,
            Instant cutoff) {
        this.facts = facts;
        this.terms = terms;
        this.spec = spec;
        this.now = now;
        this.pacing = new RolloutPacing(facts, terms, spec, now);
        this.recovery = pacing.recovery();
        this.self = self;
        this.cutoff = cutoff;
        this.ownersUntil = RolloutPacing.ownersUntil(spec, createdAt, terms);
        this.units = new UpcomingUnits(facts, terms);
        this.profile =
                ConcurrencyProfile.binds(spec.atOnce(), size) ? new ConcurrencyProfile(spec.atOnce(), size, now) : null;
    }

    /** No machine of the rollout has failed, so that no more is looked at for that. */
    void nothingIsMended() {
        nothingIsMended = true;
    }

    /**
     * From now on these units are in nobody's way.
     *
     * @param units is asked about units of the same groups
     * @param ofRollout is asked about all units of the rollout if only so many may be worked on at once
     */
    TurnPlanner without(Predicate<RolloutUnitId> units, Predicate<RolloutUnitId> ofRollout) {
        ignored = units;
        uncounted = ofRollout;
        return this;
    }

    /** From now on what owners asked for is in nobody's way. */
    TurnPlanner withoutOwners() {
        withoutOwners = true;
        return this;
    }

    /** The units of the rollout that are in progress or still to come. */
    private void load(Rollout rollout) {
        loaded = true;
        RolloutPartitioner partitioner = new RolloutPartitioner(facts, spec);
        Duration takes = WorkEstimates.takes(terms, spec, spec.cause());
        Duration moving = WorkEstimates.takes(terms, spec, Cause.HOST_REDEPLOY);
        boolean byFaultDomain = spec.atOnce().kind() == ConcurrencyLimit.Kind.FAULT_DOMAIN;
        UpcomingUnits.ahead(facts, rollout).forEach(ahead -> {
            RolloutUnit unit = ahead.unit();
            RolloutUnitId id = ahead.id(rollout);
            if (id.equals(self) || uncounted.test(id)) {
                return;
            }
            boolean open = unit.state() == RolloutUnit.State.OPEN;
            Instant started = (open ? facts.open(id) : Optional.<ActiveUnit>empty())
                    .filter(active -> active.hasStarted() && !active.moves())
                    .map(ActiveUnit::started)
                    .orElse(null);
            Instant from = started == null ? unit.turn().at() : started;
            if (from.isAfter(cutoff) && !limited) {
                return;
            }
            List<AffectedMachines> left =
                    new ArrayList<>(byFaultDomain ? partitioner.of(unit.name(), rollout) : List.of());
            List<Instant> evacuations = unit.turn().evacuations();
            List<List<AffectedMachines>> leaving = byFaultDomain && !evacuations.isEmpty()
                    ? new EvacuationOrder(facts, rollout).remaining(id, left)
                    : List.of();
            for (int i = 0; i < evacuations.size(); i++) {
                List<AffectedMachines> gone = i < leaving.size() ? leaving.get(i) : List.of();
                profile.add(evacuations.get(i), evacuations.get(i).plus(moving), faultDomain(gone));
                left.removeAll(gone);
            }
            Instant to = started == null ? from.plus(takes) : WorkEstimates.ends(terms, started, takes, now);
            if (to.isAfter(from)) {
                profile.add(from, to, faultDomain(left));
            }
        });
    }

    /** The first time from then on; empty if there is none within a year. */
    Optional<Place> find(List<AffectedMachines> touched, Cause cause, Instant from) {
        Duration takes = WorkEstimates.takes(terms, spec, cause);
        List<StartCalendar> calendars = pacing.calendarsUntil(touched, cause, ownersUntil);
        Instant horizon = from.plus(WindowSearch.HORIZON);
        Place place = new Place(StartRules.wholeSecond(from), takes, "", null, false);
        while (!place.at.isAfter(horizon)) {
            Place later = afterOthers(touched, place);
            later = withinLimit(touched, later);
            later = withRoom(touched, cause, later);
            Optional<Place> open = whenOpen(touched, cause, calendars, later);
            if (open.isEmpty() || open.get().at.equals(place.at)) {
                return open;
            }
            place = open.get();
        }
        return Optional.empty();
    }

    /** Keeps a place for a unit of the rollout that is being planned. */
    void take(List<AffectedMachines> touched, Cause cause, Place place) {
        for (AffectedMachines affected : touched) {
            if (mayBeCrowded(affected.group())) {
                room(affected.group()).add(shown(place.at, pacing.notice(touched, cause)), place.ends(), 0);
            }
            Instant from = isMended(affected) ? now : place.at;
            timetable(affected.group()).add(from, place.ends(), affected.updateDomain(), recovery);
        }
        if (profile != null && !place.takes.isZero()) {
            profile.add(place.at, place.ends(), faultDomain(touched));
        }
    }

    /** Whether a machine is down until the work of the rollout mends it. */
    boolean isMended(AffectedMachines affected) {
        return !nothingIsMended
                && mends(spec)
                && RolloutPacing.hasFailed(facts, affected)
                && affected.machines().stream().anyMatch(m -> hasFailed(m) && !isMendedByOwner(m));
    }

    /** Whether a machine that has failed runs again, or is gone, after what its owner asked for: nobody waits for its unit then. */
    private boolean isMendedByOwner(Machine machine) {
        return facts.state(machine.group()).events().stream()
                .anyMatch(e -> e.lists(machine.name())
                        && !e.work().rehearsal()
                        && !e.work().cause().planned()
                        && starts(e) != null);
    }

    /** A rehearsal does nothing, and a pause mends nothing. */
    private static boolean mends(RolloutSpec spec) {
        return !spec.rehearsal() && spec.cause().type() != EventType.FREEZE;
    }

    /** Whether the unit itself mends a machine of a group: such units follow each other, and none waits until all others are over. */
    private boolean mendsHere(GroupId group) {
        if (self == null || !mends(spec)) {
            return false;
        }
        Rollout rollout = facts.rollout(self.rollout()).orElseThrow();
        return new RolloutPartitioner(facts, spec)
                .of(UpcomingUnits.unit(facts, self).name(), rollout).stream()
                        .anyMatch(affected -> affected.group().equals(group) && isMended(affected));
    }

    private boolean hasFailed(Machine machine) {
        return facts.condition(machine.id()).state() == MachineCondition.State.FAILED;
    }

    private Place afterOthers(List<AffectedMachines> touched, Place from) {
        Instant latest = from.at;
        Set<GroupId> groups = new LinkedHashSet<>();
        int before = -1;
        for (AffectedMachines affected : touched) {
            GroupTimetable timetable = timetable(affected.group());
            Instant free = timetable.free(from.at, from.takes, affected.updateDomain(), recovery);
            if (free.isAfter(latest)) {
                groups.clear();
                latest = free;
                before = timetable.before();
            }
            if (free.equals(latest) && free.isAfter(from.at)) {
                groups.add(affected.group());
            }
        }
        Place place = latest.isAfter(from.at) ? from.later(latest, planned(groups, before), about(groups)) : from;
        for (AffectedMachines affected : touched) {
            place = afterOwnWork(affected, place, null);
        }
        return place;
    }

    private static String planned(Set<GroupId> groups, int before) {
        GroupId first = groups.iterator().next();
        int more = groups.size() - 1;
        if (more == 0 && before == GroupState.SEVERAL) {
            return "several update domains of group " + first + " and their recovery were planned before it";
        }
        return more == 0
                ? "update domain " + before + " of group " + first + " and its recovery were planned before it"
                : "other update domains of group " + first + " and " + more
                        + " more, and their recovery, were planned before it";
    }

    /** The group that a reason is about, or all groups if they are of several tenants. */
    static GroupId about(Collection<GroupId> groups) {
        return groups.stream().map(GroupId::tenant).distinct().count() == 1
                ? groups.iterator().next()
                : Turn.SEVERAL;
    }

    /**
     * What an owner asked for, or what is urgent, goes first on its machine, and no domain goes down for a rollout while a machine of
     * another is down; see DomainBlockers.
     *
     * @param freeze the single freeze for which that is asked; null for a unit of a rollout
     */
    private Place afterOwnWork(AffectedMachines affected, Place from, Event freeze) {
        Place place = from;
        for (Event event : facts.state(affected.group()).events()) {
            Work work = event.work();
            boolean ours = affected.machines().stream().anyMatch(m -> event.lists(m.name()));
            boolean holds =
                    ours || freeze == null && !work.cause().planned() && work.updateDomain() != affected.updateDomain();
            if (!holds
                    || work.rehearsal() && !spec.rehearsal()
                    || withoutOwners && work.cause().source() == EventSource.USER
                    || self != null && self.equals(work.unit())
                    || isAskedTooLate(event, ours)) {
                continue;
            }
            Instant starts = starts(event);
            Instant ends = starts == null ? null : ends(event, starts);
            if (ends != null && isTooLong(event, ends)) {
                continue;
            }
            Instant begins = starts == null ? null : holdsFrom(affected.group(), event, ours, starts, place, freeze);
            if (starts != null && !place.at.isBefore(begins) && place.at.isBefore(ends)) {
                place = place.afterOwners(
                        ends,
                        "event " + event.id() + " of " + (ours ? "the same machine" : "its group")
                                + " was planned before it",
                        affected.group());
            }
        }
        return place;
    }

    /**
     * From when on an event keeps work waiting that takes as long as the place: what an owner asked for does so already when it is near,
     * and in another update domain when it would start before the work is over; see DomainBlockers.
     */
    private Instant holdsFrom(GroupId group, Event event, boolean ours, Instant starts, Place place, Event freeze) {
        if (event.work().cause().planned() || event.phase() == Phase.STARTED) {
            return starts;
        }
        if (ours) {
            boolean before =
                    freeze != null && !event.askedAt().isAfter(freeze.work().acceptedAt());
            return starts.minus(before ? place.takes : shortest(event.type()));
        }
        boolean down = event.resources().stream()
                .flatMap(name -> facts.machine(new MachineId(group.tenant(), name)).stream())
                .anyMatch(this::hasFailed);
        if (down) {
            return now; // Its domain is down until then.
        }
        // A start at the very moment at which the work ends holds nothing.
        return place.takes.isZero() ? starts : starts.minus(place.takes).plusNanos(1);
    }

    /** What an owner asks for comes after a unit of a rollout under way that would be too late otherwise; see MachineBlockers. */
    private boolean isTooLong(Event event, Instant ends) {
        return self != null
                && event.phase() != Phase.STARTED
                && event.work().cause().source() == EventSource.USER
                && spec.isTooLate(ends);
    }

    /** What an owner asks for when the unit could have started already comes after it; see MachineBlockers. */
    private boolean isAskedTooLate(Event event, boolean ours) {
        Turn turn = self == null ? null : UpcomingUnits.unit(facts, self).turn();
        return turn != null
                && (event.phase() != Phase.STARTED || !ours && !repairs(event))
                && event.work().cause().source() == EventSource.USER
                && !event.askedAt().isBefore(turn.due());
    }

    /** Whether work on one of the machines of an event failed before, so that it was down already. */
    private boolean repairs(Event event) {
        GroupId group = facts.groupOf(event.id()).orElseThrow();
        return event.resources().stream()
                .anyMatch(name ->
                        facts.condition(new MachineId(group.tenant(), name)).failedAt() != null);
    }

    /** When an event starts, or did; null if that is not known, or the timetables of groups know it. */
    private Instant starts(Event event) {
        Work work = event.work();
        if (event.phase() == Phase.STARTED) {
            return event.attempt().startedAt();
        }
        if (work.unit() != null || work.cause().planned()) {
            return planned.get(event.id());
        }
        if (event.phase() == Phase.WAITING) {
            return startsAfterWaiting(event);
        }
        return event.isApproved() ? now : event.noticePeriod().notBefore();
    }

    /** What an owner asked for follows what is under way on its machine; without notice, or it would be scheduled already. */
    private Instant startsAfterWaiting(Event event) {
        GroupId group = facts.groupOf(event.id()).orElseThrow();
        return facts.state(group).events().stream()
                .filter(other -> other.phase() == Phase.STARTED
                        && other.resources().stream().anyMatch(event::lists))
                .map(other -> ends(other, other.attempt().startedAt()))
                .max(Instant::compareTo)
                .orElse(null);
    }

    private Instant ends(Event event, Instant starts) {
        Duration takes = WorkEstimates.takes(facts, terms, event.work());
        return event.phase() == Phase.STARTED ? WorkEstimates.ends(terms, starts, takes, now) : starts.plus(takes);
    }

    private Duration shortest(EventType type) {
        return type == EventType.TERMINATE ? terms.longestTerminateNotice() : terms.minimumNotice(type);
    }

    private Place withinLimit(List<AffectedMachines> touched, Place place) {
        if (profile == null) {
            return place;
        }
        if (self != null && !loaded) {
            load(facts.rollout(self.rollout()).orElseThrow());
        }
        Instant free = profile.free(place.at, place.takes, faultDomain(touched));
        return free.isAfter(place.at)
                ? place.later(
                        free,
                        spec.atOnce().kind() == ConcurrencyLimit.Kind.FAULT_DOMAIN
                                ? "another fault domain comes first"
                                : "no more units are worked on at once",
                        null)
                : place;
    }

    /** A group is shown so many events at most, and a unit whose events find no room would be shown late. */
    private Place withRoom(List<AffectedMachines> touched, Cause cause, Place from) {
        if (!cutoff.equals(Instant.MAX) || self != null && facts.open(self).isPresent()) {
            return from; // It is shown already, or just being shown.
        }
        Place place = from;
        for (AffectedMachines affected : touched) {
            if (mayBeCrowded(affected.group())) {
                Instant shown = shown(place.at, pacing.notice(touched, cause));
                Instant free = room(affected.group()).free(shown, Duration.between(shown, place.ends()), 0);
                if (free.isAfter(shown)) {
                    place = place.later(
                            place.at.plus(Duration.between(shown, free)),
                            "group " + affected.group() + " has as many open events as it may before that",
                            affected.group());
                }
            }
        }
        return place;
    }

    private Instant shown(Instant at, Duration notice) {
        Instant shown = at.minus(notice);
        return shown.isBefore(now) ? now : shown;
    }

    /** Each machine has at most one event that has not started, of each rollout, and an evacuation before it. */
    private boolean mayBeCrowded(GroupId group) {
        return crowded.computeIfAbsent(
                group,
                g -> 2 * facts.machines(g).size() + facts.state(g).events().size()
                        > ScheduleRules.mostPlanned(spec.rehearsal()));
    }

    private ConcurrencyProfile room(GroupId group) {
        return rooms.computeIfAbsent(group, this::loadRoom);
    }

    /** When how many events of rollouts and freezes are open in a group. */
    private ConcurrencyProfile loadRoom(GroupId group) {
        ConcurrencyProfile room = ConcurrencyProfile.of(ScheduleRules.mostPlanned(spec.rehearsal()), now);
        timetable(group); // It knows when single freezes start.
        for (Event event : facts.state(group).events()) {
            boolean single = event.work().unit() == null || event.phase() == Phase.STARTED;
            if (event.work().cause().planned()
                    && single
                    && !(self != null && self.equals(event.work().unit()))) {
                Instant starts = starts(event);
                room.add(now, after(now, ends(event, starts == null ? now : starts)), 0);
            }
        }
        for (Upcoming upcoming : units.in(group)) {
            if (!upcoming.unit().equals(self)
                    && !ignored.test(upcoming.unit())
                    && upcoming.at().isAfter(now)) {
                Duration notice = longestNotice(upcoming);
                Instant shown = facts.open(upcoming.unit()).isPresent() ? now : shown(upcoming.at(), notice);
                room.add(shown, upcoming.at().plus(upcoming.takes()), 0);
            }
        }
        return room;
    }

    /** A unit opens all its events when the first of its groups is shown its own. */
    private Duration longestNotice(Upcoming upcoming) {
        Rollout rollout = upcoming.rollout();
        RolloutUnit unit = UpcomingUnits.unit(facts, upcoming.unit());
        List<AffectedMachines> all = new RolloutPartitioner(facts, rollout.spec()).of(unit.name(), rollout);
        return RolloutPacing.of(facts, terms, rollout, unit.turn(), now).notice(all, upcoming.cause());
    }

    private static Instant after(Instant least, Instant then) {
        return then.isAfter(least) ? then : least.plusSeconds(1);
    }

    private Optional<Place> whenOpen(
            List<AffectedMachines> touched, Cause cause, List<StartCalendar> calendars, Place place) {
        return WindowSearch.earliest(place.at, calendars)
                .map(open -> open.equals(place.at) ? place : closed(touched, cause, place, open));
    }

    /** Says whose calendar opened last: that determined the time, whatever was closed before. */
    private Place closed(List<AffectedMachines> touched, Cause cause, Place place, Instant open) {
        Instant before = open.minusNanos(1);
        if (open.equals(ownersUntil) && each(touched, cause).allMatch(calendar -> opensBefore(open, calendar, place))) {
            return place.later(open, NOTHING_IN_COMMON, null);
        }
        for (AffectedMachines affected : touched) {
            EffectivePolicy policy = PolicyResolver.of(facts, terms, affected.group(), cause.type());
            StartCalendar calendar = policy.calendar(ownersUntil);
            if (!calendar.isOpen(before)) {
                return place.later(open, closed(policy, calendar, open), affected.group());
            }
        }
        return place.later(
                open,
                spec.calendar().isOpen(before)
                        ? "late units wait for the hours of the rollout"
                        : "no window of the rollout opens before",
                null);
    }

    private Stream<StartCalendar> each(List<AffectedMachines> touched, Cause cause) {
        return touched.stream().map(affected -> PolicyResolver.of(facts, terms, affected.group(), cause.type())
                .calendar(ownersUntil));
    }

    /** Whether a group alone would let the work start earlier, in the hours of the rollout. */
    private boolean opensBefore(Instant open, StartCalendar calendar, Place place) {
        return WindowSearch.earliest(place.at, List.of(calendar, spec.calendar(), spec.lateCalendar()))
                .filter(opens -> opens.isBefore(open))
                .isPresent();
    }

    private String closed(EffectivePolicy policy, StartCalendar calendar, Instant open) {
        if (!calendar.isBlackout(open.minusNanos(1))) {
            return "no maintenance window opens before"
                    + (open.equals(ownersUntil) ? ", for as long as an owner may hold work" : "") + ", by "
                    + policy.windows().origin();
        }
        return (open.equals(ownersUntil)
                        ? "a blackout, for as long as an owner may hold work"
                        : "a blackout until " + open)
                + ", by " + policy.blackouts().origin();
    }

    private static int faultDomain(List<AffectedMachines> touched) {
        Set<Integer> domains = RolloutPacing.faultDomains(touched);
        return domains.size() == 1 ? domains.iterator().next() : ConcurrencyProfile.SEVERAL_FAULT_DOMAINS;
    }

    private GroupTimetable timetable(GroupId group) {
        return timetables.computeIfAbsent(group, this::load);
    }

    private GroupTimetable load(GroupId group) {
        GroupTimetable timetable = new GroupTimetable();
        GroupState state = facts.state(group);
        state.cameBack(spec.rehearsal()).forEach((domain, ended) -> timetable.add(ended, ended, domain, Duration.ZERO));
        for (Event event : state.events()) {
            Work work = event.work();
            if (!work.cause().planned() || work.rehearsal() && !spec.rehearsal()) {
                continue;
            }
            Duration takes = WorkEstimates.takes(facts, terms, work);
            Duration rest = Optional.ofNullable(work.rollout())
                    .flatMap(facts::rollout)
                    .map(r -> RolloutPacing.recovery(r.spec(), terms))
                    .orElse(terms.recovery());
            if (event.phase() == Phase.STARTED) {
                Instant started = event.attempt().startedAt();
                timetable.add(started, WorkEstimates.ends(terms, started, takes, now), work.updateDomain(), rest);
            }
        }
        List<Machine> failed = facts.machines(group).stream()
                .filter(m -> hasFailed(m) && !isMendedByOwner(m))
                .toList();
        boolean mayBeDown = !failed.isEmpty() && !mendsHere(group);
        for (Upcoming upcoming : units.in(group)) {
            RolloutSpec of = upcoming.rollout().spec();
            // The machines that a failed unit left down keep other update domains waiting until it has been retried.
            boolean down = mayBeDown
                    && mends(of)
                    && failed.stream().anyMatch(m -> units.isIn(upcoming, m))
                    && !waitsForSelf(upcoming.unit(), new HashSet<>());
            // One that could not be given another turn waits for something that nobody knows the end of: nobody waits
            // for it.
            boolean stuck = upcoming.at().isBefore(now)
                    && UpcomingUnits.unit(facts, upcoming.unit()).state() == RolloutUnit.State.PENDING;
            if (!upcoming.unit().equals(self)
                    && (down || !stuck && !units.missesItsTurn(upcoming, now) && !movesBehind(group, upcoming))
                    && !ignored.test(upcoming.unit())
                    && (down || !upcoming.at().isAfter(cutoff))
                    && (spec.rehearsal() || !of.rehearsal())) {
                Instant at = possible(group, upcoming);
                timetable.add(
                        down ? now : at,
                        at.plus(upcoming.takes()),
                        upcoming.updateDomain(),
                        RolloutPacing.recovery(of, terms));
            }
        }
        // Whether a unit keeps its turn does not depend on single work that has not started: that waits for the unit.
        state.events().stream()
                .filter(e -> cutoff.equals(Instant.MAX)
                        && e.phase() != Phase.STARTED
                        && e.work().unit() == null
                        && e.work().cause().planned()
                        && (spec.rehearsal() || !e.work().rehearsal()))
                .forEach(e -> add(timetable, group, e));
        return timetable;
    }

    /**
     * Whether a unit waits until the one that is looked at has mended a machine, or for a unit that does. If that one waits for it in
     * turn, neither can start before somebody else mends a machine, and nobody knows when: they keep their turns.
     */
    private boolean waitsForSelf(RolloutUnitId unit, Set<RolloutUnitId> seen) {
        if (self == null) {
            return false;
        }
        Rollout rollout = facts.rollout(unit.rollout()).orElseThrow();
        return new RolloutPartitioner(facts, rollout.spec())
                .of(UpcomingUnits.unit(facts, unit).name(), rollout).stream()
                        .filter(share -> !RolloutPacing.haveAllFailed(facts, share))
                        .flatMap(share -> mendingBefore(share).stream())
                        .anyMatch(other -> self.equals(other) || seen.add(other) && waitsForSelf(other, seen));
    }

    /** The units that mend machines of other update domains, for which a unit's share waits. */
    private Set<RolloutUnitId> mendingBefore(AffectedMachines share) {
        List<Machine> failed = facts.machines(share.group()).stream()
                .filter(m -> m.updateDomain() != share.updateDomain() && hasFailed(m) && !isMendedByOwner(m))
                .toList();
        Set<RolloutUnitId> mending = new LinkedHashSet<>();
        for (Upcoming upcoming : failed.isEmpty() ? List.<Upcoming>of() : units.in(share.group())) {
            if (mends(upcoming.rollout().spec()) && failed.stream().anyMatch(m -> units.isIn(upcoming, m))) {
                mending.add(upcoming.unit());
            }
        }
        return mending;
    }

    /** Whether a unit that comes after the one that is looked at must move anyway, because a group cannot get its notice. */
    private boolean movesBehind(GroupId group, Upcoming upcoming) {
        Turn turn = self == null ? null : UpcomingUnits.unit(facts, self).turn();
        return turn != null
                && upcoming.at().isAfter(turn.next())
                && possible(group, upcoming).isAfter(upcoming.at().plus(terms.tolerance()));
    }

    /** When a unit can start: one that a group is not shown yet still has to give it notice. */
    private Instant possible(GroupId group, Upcoming upcoming) {
        Instant noticed = now.plus(pacing.leastNotice(group, upcoming.cause()));
        return !upcoming.at().isBefore(noticed)
                        || !DecisionContext.enabled(facts, terms, group, now)
                        || isShown(group, upcoming.unit())
                ? upcoming.at()
                : noticed;
    }

    private boolean isShown(GroupId group, RolloutUnitId unit) {
        return facts.state(group).events().stream()
                .anyMatch(e -> unit.equals(e.work().unit()) && e.shared());
    }

    /** Platform work on a single machine starts when its date has come, its window is open, and no other domain is down. */
    private void add(GroupTimetable timetable, GroupId group, Event event) {
        Duration takes = WorkEstimates.takes(facts, terms, event.work());
        int domain = event.work().updateDomain();
        Instant at = event.isApproved() || event.noticePeriod() == null
                ? now
                : event.noticePeriod().notBefore();
        at = at.isBefore(now) ? now : at;
        List<StartCalendar> calendar = List.of(PolicyResolver.calendar(facts, terms, group, event));
        List<Machine> machines = event.resources().stream()
                .map(name -> facts.machine(new MachineId(group.tenant(), name)))
                .flatMap(Optional::stream)
                .toList();
        AffectedMachines own = new AffectedMachines(group, domain, machines);
        for (Instant before = null; !at.equals(before); ) {
            before = at;
            at = timetable.free(at, takes, domain, terms.recovery());
            at = afterOwnWork(own, new Place(at, takes, "", null, false), event).at;
            at = WindowSearch.earliest(at, calendar).orElse(at);
        }
        planned.put(event.id(), at);
        timetable.add(at, at.plus(takes), domain, terms.recovery());
    }
}
