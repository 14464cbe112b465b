package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Approval;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.NoticePeriod;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.StartAttempt;
import io.forewarn.core.event.Transition;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.Command.Approve;
import io.forewarn.core.rules.Command.Delayed;
import io.forewarn.core.rules.Command.Due;
import io.forewarn.core.rules.Command.Ready;
import io.forewarn.core.rules.PolicyResolver.Consent;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** From accepted to started: announcing, approving, waiting one's turn. */
final class StartRules {
    private final DecisionContext context;
    private final RolloutUnitRules unitRules;

    /** Parts of units whose rehearsals real work has ended; their groups settle once that work has started. */
    private final List<Part> endedRehearsals = new ArrayList<>();

    StartRules(DecisionContext context) {
        this.context = context;
        this.unitRules = new RolloutUnitRules(context);
    }

    /**
     * One group's share of a unit of a rollout: scheduled when its notice begins, and only planned before that or if no machine of
     * the group polls. It does not start before all shares are there.
     */
    void plan(GroupId group, Event event, Instant notBefore) {
        // Dates are whole seconds, so the notice may begin a moment later than the unit is opened.
        boolean shown = !notBefore.minus(event.work().notice()).isAfter(wholeSecond(context.now()));
        if (context.enabled(group) && shown) {
            announce(group, Transition.SCHEDULED, null, event, notBefore, Actor.SERVICE);
        } else {
            NoticePeriod unseen =
                    new NoticePeriod(context.now(), notBefore, context.changes().commit());
            context.lifecycle().apply(group, Transition.PLANNED, null, event.planned(unseen), Actor.SERVICE, "");
        }
    }

    /** A new event takes the first step that is open to it. */
    void accept(GroupId group, Event event, Actor actor) {
        boolean free = isFree(group, event);
        if (event.work().cause().immediate() && !context.enabled(group)) {
            start(group, Transition.STARTED_WITHOUT_NOTICE, null, event, false, actor);
        } else if ((event.work().cause().immediate() || free && startsInAdvance(group, event))
                && context.enabled(group)) {
            start(group, Transition.STARTED_AT_ONCE, null, event, true, actor);
        } else if (free && context.enabled(group)) {
            announce(group, Transition.SCHEDULED, null, event, context.now(), actor);
        } else if (free && context.blockers().of(group, event).isEmpty()) {
            start(group, Transition.STARTED_WITHOUT_NOTICE, null, event, false, actor);
        } else {
            context.lifecycle().apply(group, Transition.ACCEPTED, null, event, actor, "");
        }
        settleRehearsals();
    }

    private void settleRehearsals() {
        List<Part> parts = List.copyOf(endedRehearsals);
        endedRehearsals.clear();
        unitRules.settle(parts, Actor.SERVICE);
    }

    /** Approved before it was asked for, and nobody asked for notice all the same. */
    private boolean approvedInAdvance(GroupId group, Work work) {
        return work.notice().isZero()
                && PolicyResolver.approvedInAdvance(context.changes(), context.terms(), group, work.cause());
    }

    /** Where all must have seen it, what is approved in advance is shown first, and starts when they have. */
    private boolean startsInAdvance(GroupId group, Event event) {
        return approvedInAdvance(group, event.work())
                && !PolicyResolver.of(context.changes(), context.terms(), group, event.type())
                        .seenByAll()
                        .value()
                && context.blockers().own(group, event).isEmpty();
    }

    CommandResult approve(Approve approve) {
        ReasonCheck.check(approve.reason());
        List<GroupId> groups = new ArrayList<>();
        for (EventId id : approve.events()) {
            groups.add(groupOf(approve, id));
        }
        for (int i = 0; i < groups.size(); i++) {
            approve(groups.get(i), approve.events().get(i), approve.actor(), approve.reason());
        }
        return CommandResult.of(approve.events());
    }

    CommandResult ready(Ready ready) {
        Approve voice = new Approve(ready.group(), ready.events(), ready.actor());
        for (EventId id : ready.events()) {
            if (!event(groupOf(voice, id), id).lists(ready.machine())) {
                throw new RefusedException(
                        Problem.CONFLICT,
                        "event " + id + " does not touch " + ready.machine()
                                + "; its machines say when they are ready");
            }
        }
        return approve(voice);
    }

    /** All or nothing: contract §3. A machine may name only what its own group is shown. */
    private GroupId groupOf(Approve approve, EventId id) {
        Optional<GroupId> group = context.changes().groupOf(id);
        if (approve.group() != null) {
            return group.filter(g -> g.equals(approve.group()))
                    .filter(g -> event(g, id).shown())
                    .orElseThrow(() -> new RefusedException(
                            Problem.BAD_INPUT,
                            "there is no event " + id
                                    + " to start; it never was, or it is over. Nothing was approved"));
        }
        GroupId known = group.orElseThrow(() -> NotFound.event(id));
        Event event = event(known, id);
        if (event.phase() == Phase.WAITING) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "event " + id + " is not scheduled yet ("
                            + new StartExplanation(context.changes(), context.terms(), context.now())
                                    .of(known, event).stream()
                                            .map(StartBlocker::why)
                                            .findFirst()
                                            .orElse("it is about to be")
                            + "); it can be approved once it is");
        }
        if (event.phase() == Phase.SCHEDULED && !event.shared() && context.enabled(known)) {
            throw new RefusedException(
                    Problem.CONFLICT, "machines are not shown event " + id + " yet; it can be approved once they are");
        }
        return known;
    }

    private void approve(GroupId group, EventId id, Actor actor, String reason) {
        Event event = event(group, id);
        if (event.phase() != Phase.SCHEDULED
                || event.isApproved() && !waives(group, event, actor) && !mayLapse(event)) {
            return;
        }
        ApprovalQuorum quorum = PolicyResolver.of(context.changes(), context.terms(), group, event.type())
                .approval()
                .value();
        if (quorum.kind() == ApprovalQuorum.Kind.ANY || actor.kind() != Actor.Kind.MACHINE) {
            Event approved = event.approved(new Approval(actor, context.now()));
            context.lifecycle().apply(group, Transition.APPROVED, event, approved, actor, "", reason);
        } else {
            countReady(group, event, actor);
        }
        settle(group, actor);
    }

    /** A person may let start what a machine approved and another has not seen. */
    private boolean waives(GroupId group, Event event, Actor actor) {
        return actor.kind() == Actor.Kind.PERSON
                && event.approval().by().kind() != Actor.Kind.PERSON
                && PolicyResolver.of(context.changes(), context.terms(), group, event.type())
                        .seenByAll()
                        .value();
    }

    /** One machine is ready; where one is not enough, only those that are listed count. */
    private void countReady(GroupId group, Event event, Actor actor) {
        String machine = actor.name().substring(actor.name().indexOf('/') + 1);
        if (!event.lists(machine) || event.voices().containsKey(machine)) {
            return;
        }
        context.changes().put(context.changes().state(group).with(event.voiced(machine, context.now())));
        context.changes()
                .note(new HistoryEntry(
                        context.now(),
                        HistoryEntry.What.READY.name(),
                        group,
                        event.id(),
                        event.work().cause(),
                        List.of(machine),
                        actor,
                        null,
                        null,
                        null,
                        "",
                        event.work().rollout()));
    }

    CommandResult due(Due due) {
        for (Event event : context.changes().state(due.group()).events()) {
            if (event.phase() == Phase.SCHEDULED && event.work().unit() != null) {
                if (!due.byTime() || event.isApproved() || isTime(event)) {
                    new UnitReconciler(context).reconcile(event.work().unit());
                }
            } else if (event.phase() == Phase.STARTED && isOverdue(event)) {
                new TurnRules(context).workIsOverdue(due.group(), event);
            }
        }
        if (!due.byTime()) {
            moveOutOfClosedTimes(due.group());
        }
        settle(due.group(), due.actor());
        return CommandResult.NOTHING;
    }

    /** A policy may have changed: a date that is shown must be one at which the work can start. */
    private void moveOutOfClosedTimes(GroupId group) {
        context.changes().state(group).events().stream()
                .filter(e -> e.phase() == Phase.SCHEDULED && e.work().cause().planned() && !isTime(e))
                .sorted(Comparator.comparing(e -> e.noticePeriod().notBefore()))
                .forEach(e -> moveOutOfClosedTime(group, e.id()));
    }

    private void moveOutOfClosedTime(GroupId group, EventId id) {
        Optional<Event> open =
                context.changes().state(group).event(id).filter(e -> e.phase() == Phase.SCHEDULED && !isTime(e));
        Instant date = open.map(e -> e.noticePeriod().notBefore()).orElse(null);
        Instant possible = open.map(e -> possible(group, e, date)).orElse(null);
        if (open.isEmpty() || !possible.isAfter(date)) {
            return;
        }
        if (open.get().work().unit() == null) {
            unitRules.moveTo(group, open.get(), possible, "no window is open at its date any more");
        } else {
            new TurnRules(context).moveIfClosed(open.get().work().unit());
        }
    }

    private boolean isTime(Event event) {
        return !event.noticePeriod().notBefore().isAfter(context.now());
    }

    private boolean isOverdue(Event event) {
        Duration takes = WorkEstimates.takes(context.changes(), context.terms(), event.work());
        return event.work().cause().planned()
                && !event.attempt()
                        .startedAt()
                        .plus(takes)
                        .plus(context.terms().tolerance())
                        .isAfter(context.now());
    }

    /** Notice counts from the moment an event can be read; NotBefore moves later, never earlier. */
    CommandResult delayed(Delayed delayed) {
        for (EventId id : delayed.events()) {
            context.changes()
                    .state(delayed.group())
                    .event(id)
                    .filter(e -> e.phase() == Phase.SCHEDULED && e.shared())
                    .ifPresent(e -> {
                        Instant later = possible(
                                delayed.group(), e, e.noticePeriod().notBefore().plus(delayed.delay()));
                        context.lifecycle()
                                .apply(
                                        delayed.group(),
                                        Transition.MOVED,
                                        e,
                                        e.moved(e.noticePeriod().at().plus(delayed.delay()), later),
                                        delayed.actor(),
                                        "readable " + delayed.delay().toMillis() + " ms late");
                        if (e.work().unit() != null) {
                            new TurnRules(context).follow(e.work().unit(), later);
                        }
                    });
        }
        return CommandResult.NOTHING;
    }

    /**
     * Lets everything in a group go on that may: what waits is announced when its machine is free, what is approved or
     * past its notice starts when nothing holds it.
     */
    void settle(GroupId group, Actor actor) {
        List<Event> scheduled = new ArrayList<>();
        for (Event event : context.changes().state(group).events()) {
            if (event.phase() == Phase.WAITING) {
                // Another that started may have changed it.
                context.changes()
                        .state(group)
                        .event(event.id())
                        .filter(waiting -> waiting.phase() == Phase.WAITING)
                        .ifPresent(waiting -> leaveWaiting(group, waiting, actor));
            } else if (event.phase() == Phase.SCHEDULED) {
                scheduled.add(event);
            }
        }
        // Of those that are approved, the one that was to start first does.
        scheduled.sort(Comparator.comparing(event -> event.noticePeriod().notBefore()));
        showInTurn(group, scheduled);
        for (Event event : scheduled) {
            leaveScheduled(group, event, actor);
        }
    }

    /** A group began to poll: units that keep their turns get their dates first, and the others are placed around these. */
    private void showInTurn(GroupId group, List<Event> scheduled) {
        for (Event event : scheduled) {
            if (event.work().unit() != null && !event.shared() && isScheduled(group, event)) {
                show(new Part(group, event.id()), false);
            }
        }
    }

    private void leaveWaiting(GroupId group, Event event, Actor actor) {
        if (!isFree(group, event)) {
            return;
        }
        if (context.enabled(group)) {
            announce(group, Transition.SCHEDULED_AFTER_WAITING, event, event, context.now(), actor);
        } else if (context.blockers().of(group, event).isEmpty()) {
            start(group, Transition.STARTED_WITHOUT_NOTICE_AFTER_WAITING, event, event, false, actor);
            settleRehearsals();
        }
    }

    /** The events of one unit of work start together, when all of them may. */
    private void leaveScheduled(GroupId group, Event event, Actor actor) {
        if (!isScheduled(group, event)) {
            // An earlier one of the same unit has taken this one along.
            return;
        }
        RolloutUnitId rolloutUnitId = event.work().unit();
        if (rolloutUnitId != null && isEarly(group, event, actor)) {
            return;
        }
        List<Part> parts = unitRules.parts(group, event);
        if (rolloutUnitId != null) {
            parts.forEach(part -> show(part, true));
        }
        parts.forEach(this::lapse);
        parts.forEach(part -> agree(part.group(), unitRules.event(part), RolloutUnitRules.toldTo(part, group, actor)));
        if (rolloutUnitId == null) {
            moveIntoWindow(group, event(group, event.id()));
        }
        if (!allMayStart(parts)) {
            if (rolloutUnitId != null) {
                waitForTurn(rolloutUnitId);
            }
            return;
        }
        if (rolloutUnitId != null) {
            // The machines it affects are determined when it starts.
            if (!new UnitReconciler(context).reconcile(rolloutUnitId)) {
                return;
            }
            parts = context.changes().open(rolloutUnitId).map(ActiveUnit::parts).orElse(List.of());
            if (!allMayStart(parts)) {
                return;
            }
        }
        begin(rolloutUnitId);
        for (Part part : parts) {
            Event each = unitRules.event(part);
            Transition transition = !each.shared()
                    ? Transition.STARTED_UNSEEN
                    : each.isApproved() ? Transition.STARTED_BY_APPROVAL : Transition.STARTED_BY_TIME;
            Actor by = each.isApproved() ? each.approval().by() : RolloutUnitRules.toldTo(part, group, actor);
            start(part.group(), transition, each, each, each.shared(), by);
        }
        settleRehearsals();
    }

    /**
     * Whether a group's share of a unit keeps the unit from starting, so that the others need not be looked at: a group that is
     * shown hundreds of units is looked at often, and each unit may concern as many groups.
     */
    private boolean isEarly(GroupId group, Event event, Actor actor) {
        if (!event.shared() || event.isApproved() || isTime(event)) {
            return false;
        }
        agree(group, event, actor);
        return !event(group, event.id()).isApproved();
    }

    /** Counts a unit that starts. */
    private void begin(RolloutUnitId id) {
        if (id != null) {
            ChangeSet changes = context.changes();
            changes.put(changes.open(id).orElseThrow().startedAt(context.now()));
            changes.put(changes.rollout(id.rollout()).orElseThrow().countedStarted(1));
        }
    }

    /** A unit that could not start at its turn gets another if it is known to be late, or waits for room. */
    private void waitForTurn(RolloutUnitId id) {
        Optional<ActiveUnit> active = context.changes().open(id);
        if (active.isEmpty() || unitRules.starts(active.get()).isAfter(context.now()) && !isApproved(active.get())) {
            return;
        }
        if (!unitRules.starts(active.get()).isAfter(context.now())) {
            new TurnRules(context).moveIfLate(id);
            new TurnRules(context).setAsideIfTooLate(id);
        }
        Optional<Rollout> rollout = context.changes().rollout(id.rollout());
        if (rollout.filter(r -> r.status() == Rollout.Status.RUNNING).isPresent()
                && new TurnBlockers(context.changes(), context.terms(), context.now()).isFull(active.get())) {
            context.changes().put(BlockedUnit.forItsTurn(id, "no more units are worked on at once"));
        }
    }

    private boolean isApproved(ActiveUnit active) {
        return active.parts().stream().map(unitRules::event).anyMatch(Event::isApproved);
    }

    /** Something held it until its window was over: the date that is shown must be one at which it can start. */
    private void moveIntoWindow(GroupId group, Event event) {
        if (event.shared() && !event.noticePeriod().notBefore().isAfter(context.now())) {
            Instant from = wholeSecond(context.now());
            unitRules
                    .opens(group, event, from)
                    .filter(opens -> opens.isAfter(from))
                    .ifPresent(opens -> unitRules.moveTo(group, event, opens, "its window is over"));
        }
    }

    private Turn turn(Event event) {
        return UpcomingUnits.unit(context.changes(), event.work().unit()).turn();
    }

    /**
     * Shows a unit's event to a group when its notice begins. To a group that began to poll later, it is shown at once, with the least
     * notice it must get; if that does not fit before the turn of the unit, the unit gets another.
     *
     * @param mayMove whether the unit may get another turn now
     */
    private void show(Part part, boolean mayMove) {
        Event event = unitRules.event(part);
        Optional<Rollout> rollout = unitRules.rollout(event);
        if (event.shared() || rollout.isEmpty() || !context.enabled(part.group())) {
            return;
        }
        RolloutPacing pacing =
                RolloutPacing.of(context.changes(), context.terms(), rollout.get(), turn(event), context.now());
        Instant turn = event.noticePeriod().notBefore();
        if (turn.minus(pacing.notice(part.group(), event.work().cause())).isAfter(context.now())) {
            return;
        }
        Instant least =
                context.now().plus(pacing.leastNotice(part.group(), event.work().cause()));
        TurnRules turnRules = new TurnRules(context);
        boolean fits = turnRules.maySlip(event, least);
        boolean waitsNoMore = !fits && hasDelayed(part, event);
        if (!fits && !waitsNoMore) {
            // While its rollout stands still all dates stay as they are.
            if (!mayMove || rollout.get().standsStill()) {
                return;
            }
            boolean begins = startsToPoll(part.group(), event);
            turnRules.moveForOwners(
                    event.work().unit(), least, begins ? "a group began to poll" : Turn.NOTICE, part.group());
            event = unitRules.event(part);
            turn = event.noticePeriod().notBefore();
        }
        Instant left = turn.isAfter(context.now()) ? turn : context.now();
        Duration notice = waitsNoMore
                ? Duration.between(context.now(), left)
                : pacing.noticeBefore(part.group(), event.work().cause(), turn);
        Instant noticed = context.now().plus(notice);
        Instant notBefore = possible(part.group(), event, noticed.isAfter(turn) ? noticed : turn);
        NoticePeriod noticePeriod =
                new NoticePeriod(context.now(), notBefore, context.changes().commit());
        context.lifecycle()
                .apply(
                        part.group(),
                        Transition.SCHEDULED_AFTER_PLANNING,
                        event,
                        event.shown(notice, noticePeriod),
                        Actor.SERVICE,
                        "");
    }

    /**
     * Whether a tenant has delayed a unit past its original turn, and another of its groups is shown the work already: a tenant whose
     * groups began to poll one after the other, or changed their notice, could hold the work for as long as it likes.
     */
    private boolean hasDelayed(Part part, Event event) {
        Turn turn = turn(event);
        String tenant = part.group().tenant();
        boolean last = turn.group() != null && turn.group().tenant().equals(tenant);
        return turn.due().isBefore(turn.at())
                && !turn.due().isAfter(context.now())
                && unitRules.parts(part.group(), event).stream()
                        .filter(other -> other.group().tenant().equals(tenant)
                                && !other.group().equals(part.group())
                                && unitRules.event(other).shared())
                        .anyMatch(other -> last || beganToPoll(other.group(), turn.due()));
    }

    private boolean beganToPoll(GroupId group, Instant from) {
        Instant enabled = context.changes().state(group).enabledAt();
        return enabled != null && !enabled.isBefore(from);
    }

    /** Whether a group began to poll after its event was planned. */
    private boolean startsToPoll(GroupId group, Event event) {
        Instant enabled = context.changes().state(group).enabledAt();
        return enabled != null && enabled.isAfter(event.work().acceptedAt());
    }

    /** Approved, if enough machines are ready or none is left that could be. */
    private void agree(GroupId group, Event event, Actor actor) {
        boolean open = event.shared() && event.phase() == Phase.SCHEDULED && (!event.isApproved() || mayLapse(event));
        Optional<Consent> consent = open
                ? PolicyResolver.consent(context.changes(), context.terms(), group, event)
                        // What its machines approve is approved by them, even if the service was first.
                        .filter(by -> !event.isApproved() || by.by().kind() == Actor.Kind.MACHINE)
                : Optional.empty();
        if (consent.isPresent()) {
            Actor machine = consent.get().by();
            // The address of a machine is known only while it asks.
            Actor by = actor.kind() == machine.kind() && actor.name().equals(machine.name()) ? actor : machine;
            Event approved = event.approved(new Approval(by, context.now()));
            context.lifecycle()
                    .apply(
                            group,
                            Transition.APPROVED,
                            event,
                            approved,
                            by,
                            consent.get().why());
        }
    }

    /** Whether nobody approved it, but a policy did because of what was so then. */
    static boolean mayLapse(Event event) {
        return event.isApproved()
                && event.approval().by().kind() == Actor.Kind.SERVICE
                && event.work().cause().planned();
    }

    /** What counted as approved only because none of its machines ran does not any more once one of them does. */
    private void lapse(Part part) {
        Event event = unitRules.event(part);
        if (event.phase() == Phase.SCHEDULED
                && mayLapse(event)
                && PolicyResolver.anyRuns(context.changes(), part.group(), event)
                && PolicyResolver.consent(context.changes(), context.terms(), part.group(), event)
                        .isEmpty()) {
            context.lifecycle()
                    .apply(
                            part.group(),
                            Transition.APPROVAL_LAPSED,
                            event,
                            event.approved(null),
                            Actor.SERVICE,
                            "one of its machines is running again");
        }
    }

    private boolean isScheduled(GroupId group, Event event) {
        return context.changes()
                        .state(group)
                        .event(event.id())
                        .map(Event::phase)
                        .orElse(Phase.ENDED)
                == Phase.SCHEDULED;
    }

    private boolean allMayStart(List<Part> parts) {
        for (Part part : parts) {
            if (!mayStart(part)) {
                return false;
            }
        }
        return true;
    }

    private boolean mayStart(Part part) {
        Event event = unitRules.event(part);
        // Also what no machine is shown starts no earlier: the owners were told the date.
        boolean inTime = (!event.shared() || context.changes().noticeOver(event.id()))
                && !event.noticePeriod().notBefore().isAfter(context.now());
        return event.phase() == Phase.SCHEDULED
                && (event.isApproved() || inTime)
                && context.blockers().own(part.group(), event).isEmpty();
    }

    private boolean isFree(GroupId group, Event event) {
        return context.blockers().machines().isFree(context.changes().state(group), event);
    }

    /** @param earliest when it may start at the earliest, beside its notice */
    private void announce(
            GroupId group, Transition transition, Event before, Event event, Instant earliest, Actor actor) {
        Instant noticed = context.now().plus(event.work().notice());
        Instant notBefore = possible(group, event, noticed.isAfter(earliest) ? noticed : earliest);
        NoticePeriod noticePeriod =
                new NoticePeriod(context.now(), notBefore, context.changes().commit());
        context.lifecycle().apply(group, transition, before, event.scheduled(noticePeriod), actor, "");
        if (event.work().unit() == null) {
            leaveScheduled(group, event(group, event.id()), actor);
        }
    }

    /** The first moment from then on at which a window is open. */
    private Instant possible(GroupId group, Event event, Instant from) {
        List<StartCalendar> calendars = new ArrayList<>(unitRules.windows(event));
        calendars.add(PolicyResolver.calendar(context.changes(), context.terms(), group, event));
        // Rounded before it is looked up: the next whole second may lie past the end of a window.
        Instant whole = wholeSecond(from);
        return wholeSecond(WindowSearch.earliest(whole, calendars).orElse(whole.plus(WindowSearch.HORIZON)));
    }

    private void start(GroupId group, Transition transition, Event before, Event event, boolean shared, Actor actor) {
        endRehearsals(group, event, actor);
        Event started = event.started(
                new StartAttempt(context.now(), 1, context.changes().epoch()), shared);
        context.lifecycle().apply(group, transition, before, started, actor, "");
        if (!started.work().rehearsal()) {
            keepPolls(group, started);
            for (String machine : context.present(group, started)) {
                MachineId id = new MachineId(group.tenant(), machine);
                MachineCondition was = context.changes().condition(id);
                if (!was.staysFailed(started.type())) {
                    MachineCondition now = was.now(during(started), context.now(), "");
                    boolean moves = started.type() == EventType.REDEPLOY;
                    context.changes().put(moves ? now.moving(departure(was, started)) : now);
                }
            }
        }
        if (unitRules.leads(started)) {
            context.changes().start(started.id());
        }
    }

    /** When the work ends, it must be known who polled before it, even if the service crashes meanwhile. */
    private void keepPolls(GroupId group, Event started) {
        if (!started.work().cause().rolledOut()) {
            return;
        }
        for (String machine : context.present(group, started)) {
            MachineId id = new MachineId(group.tenant(), machine);
            if (CompletionRules.mustPollAgain(context.changes().lastPoll(id), context.now())
                    && !CompletionRules.mustPollAgain(context.changes().storedPoll(id), context.now())) {
                context.changes().put(context.changes().lastPolls(group));
                return;
            }
        }
    }

    /** Real work ends the rehearsals that are under way on its machines. */
    private void endRehearsals(GroupId group, Event real, Actor actor) {
        for (Event open : context.changes().state(group).events()) {
            // One that is gone with its unit is not ended twice.
            if (open.phase() == Phase.STARTED
                    && MachineBlockers.endsRehearsal(real, open)
                    && open.resources().stream().anyMatch(real::lists)
                    && context.changes().state(group).event(open.id()).isPresent()) {
                endedRehearsals.addAll(new CompletionRules(context)
                        .endRehearsal(
                                group, open, ScheduleRules.inWords(real.work().cause(), real.id()), actor));
            }
        }
    }

    /** What counts is where it is now: the fleet may name its new host before the move is over. */
    private MachineCondition.Move departure(MachineCondition was, Event started) {
        Optional<Machine> machine = context.changes().machine(was.machine());
        if (machine.filter(was::hasLeft).isPresent() && countsForARollout(was)) {
            // It is not on the host that the fleet lists, and must not be worked on there because it moves once more.
            return was.move();
        }
        String rollout = started.work().rollout();
        return new MachineCondition.Move(
                machine.map(Machine::host).orElse(""),
                machine.map(Machine::placement).orElse(0),
                context.now(),
                null,
                rollout == null ? "" : rollout);
    }

    /** Whether a rollout that is not over moved the machine, or left that to its owner. */
    private boolean countsForARollout(MachineCondition was) {
        return context.changes().rollouts().stream()
                .anyMatch(r -> !r.isOver() && (r.name().equals(was.move().rollout()) || was.wasMovedByOwner(r)));
    }

    private static MachineCondition.State during(Event event) {
        return switch (event.work().cause()) {
            case FREEZE, HOST_FREEZE -> MachineCondition.State.FROZEN;
            case RESTART, HOST_REBOOT -> MachineCondition.State.REBOOTING;
            case REDEPLOY, HOST_REDEPLOY -> MachineCondition.State.REDEPLOYING;
            case PREEMPT -> MachineCondition.State.BEING_TAKEN;
            case TERMINATE -> MachineCondition.State.BEING_DELETED;
            case FAILURE -> MachineCondition.State.BROKEN_DOWN;
        };
    }

    private Event event(GroupId group, EventId id) {
        return context.changes().state(group).event(id).orElseThrow();
    }

    static Instant wholeSecond(Instant instant) {
        Instant floor = instant.truncatedTo(ChronoUnit.SECONDS);
        return floor.equals(instant) ? floor : floor.plusSeconds(1);
    }
}
