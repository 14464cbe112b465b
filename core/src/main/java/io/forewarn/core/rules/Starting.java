package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.NoticePeriod;
import io.forewarn.core.event.Approval;
import io.forewarn.core.event.StartAttempt;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rules.Command.Approve;
import io.forewarn.core.rules.Command.Delayed;
import io.forewarn.core.rules.Command.Due;
import io.forewarn.core.rules.Command.Ready;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** From accepted to started: announcing, approving, waiting one's turn. */
final class Starting {
    private final Turn turn;
    private final Pieces pieces;

    Starting(Turn turn) {
        this.turn = turn;
        this.pieces = new Pieces(turn);
    }

    /** One group's share of a piece of a rollout: announced, or only planned if the group gets no notice. It does not start before all shares are there. */
    void plan(GroupId group, Event event, Instant notBefore) {
        if (turn.enabled(group)) {
            announce(group, Transition.ANNOUNCED, null, event, notBefore, Actor.SERVICE);
        } else {
            NoticePeriod unseen = new NoticePeriod(
                    turn.now(), wholeSecond(turn.now()), turn.draft().commit());
            turn.life().walk(group, Transition.PLANNED_WITHOUT_NOTICE, null, event.planned(unseen), Actor.SERVICE, "");
        }
    }

    /** A new event takes the first step that is open to it. */
    void accept(GroupId group, Event event, Actor actor) {
        boolean free = isFree(group, event);
        if (event.work().cause().immediate() && !turn.enabled(group)) {
            start(group, Transition.STARTED_WITHOUT_NOTICE, null, event, false, actor);
        } else if ((event.work().cause().immediate() || free && startsInAdvance(group, event)) && turn.enabled(group)) {
            start(group, Transition.STARTED_AT_ONCE, null, event, true, actor);
        } else if (free && turn.enabled(group)) {
            announce(group, Transition.ANNOUNCED, null, event, turn.now(), actor);
        } else if (free && turn.holds().of(group, event).isEmpty()) {
            start(group, Transition.STARTED_WITHOUT_NOTICE, null, event, false, actor);
        } else {
            turn.life().walk(group, Transition.ACCEPTED, null, event, actor, "");
        }
    }

    /** Approved before it was asked for, and nobody asked for notice all the same. */
    private boolean approvedInAdvance(GroupId group, Work work) {
        return work.notice().isZero() && Policies.approvedInAdvance(turn.draft(), turn.terms(), group, work.cause());
    }

    /** Where all must have seen it, what is approved in advance is shown first, and starts when they have. */
    private boolean startsInAdvance(GroupId group, Event event) {
        return approvedInAdvance(group, event.work())
                && !Policies.of(turn.draft(), turn.terms(), group, event.type())
                        .seenByAll()
                        .value()
                && turn.holds().own(group, event).isEmpty();
    }

    Answer approve(Approve approve) {
        List<GroupId> groups = new ArrayList<>();
        for (EventId id : approve.events()) {
            groups.add(groupOf(approve, id));
        }
        for (int i = 0; i < groups.size(); i++) {
            approve(groups.get(i), approve.events().get(i), approve.actor());
        }
        return Answer.of(approve.events());
    }

    Answer ready(Ready ready) {
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
        Optional<GroupId> group = turn.draft().groupOf(id);
        if (approve.group() != null) {
            return group.filter(g -> g.equals(approve.group()))
                    .filter(g -> event(g, id).shown())
                    .orElseThrow(() -> new RefusedException(
                            Problem.BAD_INPUT,
                            "there is no event " + id
                                    + " to start; it never was, or it is over. Nothing was approved"));
        }
        GroupId known = group.orElseThrow(() -> Unknown.event(id));
        if (event(known, id).phase() == Phase.WAITING) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "event " + id + " waits for another event of its machine and is not announced"
                            + " yet; it can be approved once it is");
        }
        return known;
    }

    private void approve(GroupId group, EventId id, Actor actor) {
        Event event = event(group, id);
        if (event.phase() != Phase.SCHEDULED || event.isApproved() && !waives(group, event, actor)) {
            return;
        }
        ApprovalQuorum quorum = Policies.of(turn.draft(), turn.terms(), group, event.type())
                .approval()
                .value();
        if (quorum.kind() == ApprovalQuorum.Kind.ANY || actor.kind() != Actor.Kind.MACHINE) {
            Event approved = event.approved(new Approval(actor, turn.now()));
            turn.life().walk(group, Transition.APPROVED, event, approved, actor, "");
        } else {
            voice(group, event, actor);
        }
        settle(group, actor);
    }

    /** A person may let start what a machine approved and another has not seen. */
    private boolean waives(GroupId group, Event event, Actor actor) {
        return actor.kind() == Actor.Kind.PERSON
                && event.approval().by().kind() != Actor.Kind.PERSON
                && Policies.of(turn.draft(), turn.terms(), group, event.type())
                        .seenByAll()
                        .value();
    }

    /** One machine is ready; where one is not enough, only those that are listed count. */
    private void voice(GroupId group, Event event, Actor actor) {
        String machine = actor.name().substring(actor.name().indexOf('/') + 1);
        if (!event.lists(machine) || event.voices().containsKey(machine)) {
            return;
        }
        turn.draft().put(turn.draft().state(group).with(event.voiced(machine, turn.now())));
        turn.draft()
                .note(new Entry(
                        turn.now(),
                        Entry.What.READY.name(),
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

    Answer due(Due due) {
        for (Event event : turn.draft().state(due.group()).events()) {
            if (event.phase() == Phase.SCHEDULED && event.work().unit() != null) {
                new UnitReconciler(turn).reconcile(event.work().unit());
            }
        }
        settle(due.group(), due.actor());
        return Answer.NOTHING;
    }

    /** Notice counts from the moment an event can be read; NotBefore moves later, never earlier. */
    Answer delayed(Delayed delayed) {
        for (EventId id : delayed.events()) {
            turn.draft()
                    .state(delayed.group())
                    .event(id)
                    .filter(e -> e.phase() == Phase.SCHEDULED && e.shared())
                    .ifPresent(e -> {
                        Instant later = possible(
                                delayed.group(), e, e.noticePeriod().notBefore().plus(delayed.delay()));
                        turn.life()
                                .walk(
                                        delayed.group(),
                                        Transition.MOVED,
                                        e,
                                        e.moved(e.noticePeriod().at().plus(delayed.delay()), later),
                                        delayed.actor(),
                                        "readable " + delayed.delay().toMillis() + " ms late");
                    });
        }
        return Answer.NOTHING;
    }

    /**
     * Lets everything in a group go on that may: what waits is announced when its machine is free, what is approved or
     * past its notice starts when nothing holds it.
     */
    void settle(GroupId group, Actor actor) {
        for (Event event : turn.draft().state(group).events()) {
            if (event.phase() == Phase.WAITING) {
                leaveWaiting(group, event, actor);
            } else if (event.phase() == Phase.SCHEDULED) {
                leaveScheduled(group, event, actor);
            }
        }
    }

    private void leaveWaiting(GroupId group, Event event, Actor actor) {
        if (!isFree(group, event)) {
            return;
        }
        if (turn.enabled(group)) {
            announce(group, Transition.ANNOUNCED_AFTER_WAITING, event, event, turn.now(), actor);
        } else if (turn.holds().of(group, event).isEmpty()) {
            start(group, Transition.STARTED_WITHOUT_NOTICE_AFTER_WAITING, event, event, false, actor);
        }
    }

    /** The events of one piece of work start together, when all of them may. */
    private void leaveScheduled(GroupId group, Event event, Actor actor) {
        if (!isScheduled(group, event)) {
            // An earlier one of the same piece has taken this one along.
            return;
        }
        List<Part> parts = pieces.parts(group, event);
        parts.forEach(this::show);
        parts.forEach(part -> agree(part.group(), pieces.event(part), Pieces.toldTo(part, group, actor)));
        if (!parts.stream().allMatch(this::mayStart)) {
            return;
        }
        RolloutUnitId rolloutUnitId = event.work().unit();
        if (rolloutUnitId != null) {
            // Whom it hits counts when it starts.
            if (!new UnitReconciler(turn).reconcile(rolloutUnitId)) {
                return;
            }
            parts = turn.draft().open(rolloutUnitId).map(ActiveUnit::parts).orElse(List.of());
            if (!parts.stream().allMatch(this::mayStart)) {
                return;
            }
        }
        for (Part part : parts) {
            Event each = pieces.event(part);
            Transition transition = !each.shared()
                    ? Transition.STARTED_UNSEEN
                    : each.isApproved() ? Transition.STARTED_BY_APPROVAL : Transition.STARTED_BY_TIME;
            Actor by = each.isApproved() ? each.approval().by() : Pieces.toldTo(part, group, actor);
            start(part.group(), transition, each, each, each.shared(), by);
        }
    }

    /** Its group began to ask after the work was planned: it is given the notice it would have got, from now on. */
    private void show(Part part) {
        Event event = pieces.event(part);
        Optional<Rollout> rollout = pieces.rollout(event);
        if (event.shared() || rollout.isEmpty() || !turn.enabled(part.group())) {
            return;
        }
        Duration notice = new Pace(turn.draft(), turn.terms(), rollout.get().spec(), turn.now())
                .notice(part.group(), event.work().cause());
        Instant noticed = turn.now().plus(notice);
        // What was postponed before anybody was shown it stays so.
        Instant earliest = Stream.of(
                        noticed, pieces.turn(event), event.noticePeriod().notBefore())
                .max(Instant::compareTo)
                .orElseThrow();
        Instant notBefore = possible(part.group(), event, earliest);
        NoticePeriod noticePeriod =
                new NoticePeriod(turn.now(), notBefore, turn.draft().commit());
        turn.life()
                .walk(
                        part.group(),
                        Transition.ANNOUNCED_AFTER_PLANNING,
                        event,
                        event.shown(notice, noticePeriod),
                        Actor.SERVICE,
                        "");
    }

    /** Approved, if enough machines are ready or none is left that could be. */
    private void agree(GroupId group, Event event, Actor actor) {
        Optional<String> why = event.isApproved() || !event.shared() || event.phase() != Phase.SCHEDULED
                ? Optional.empty()
                : Policies.consent(turn.draft(), turn.terms(), group, event);
        if (why.isPresent()) {
            // A person who does something else has not had the last word on this.
            Actor by = actor.kind() == Actor.Kind.MACHINE ? actor : Actor.SERVICE;
            Event approved = event.approved(new Approval(by, turn.now()));
            turn.life().walk(group, Transition.APPROVED, event, approved, by, why.get());
        }
    }

    private boolean isScheduled(GroupId group, Event event) {
        return turn.draft().state(group).event(event.id()).map(Event::phase).orElse(Phase.GONE) == Phase.SCHEDULED;
    }

    private boolean mayStart(Part part) {
        Event event = pieces.event(part);
        // Nobody was promised notice of what nobody is shown.
        boolean inTime = (turn.draft().noticeOver(event.id()) || !event.shared())
                && !event.noticePeriod().notBefore().isAfter(turn.now());
        return event.phase() == Phase.SCHEDULED
                && (event.isApproved() || inTime)
                && turn.holds().own(part.group(), event).isEmpty();
    }

    private boolean isFree(GroupId group, Event event) {
        return Holds.isFree(turn.draft().state(group), event);
    }

    /** @param earliest when it may start at the earliest, beside its notice */
    private void announce(GroupId group, Transition transition, Event before, Event event, Instant earliest, Actor actor) {
        Instant noticed = turn.now().plus(event.work().notice());
        Instant notBefore = possible(group, event, noticed.isAfter(earliest) ? noticed : earliest);
        NoticePeriod noticePeriod =
                new NoticePeriod(turn.now(), notBefore, turn.draft().commit());
        turn.life().walk(group, transition, before, event.scheduled(noticePeriod), actor, "");
        if (event.work().unit() == null) {
            leaveScheduled(group, event(group, event.id()), actor);
        }
    }

    /** The first moment from then on at which a window is open. */
    private Instant possible(GroupId group, Event event, Instant from) {
        List<StartCalendar> calendars =
                List.of(Policies.calendar(turn.draft(), turn.terms(), group, event), pieces.windows(event));
        // Rounded before it is looked up: the next whole second may lie past the end of a window.
        Instant whole = wholeSecond(from);
        return wholeSecond(WindowSearch.earliest(whole, calendars).orElse(whole.plus(WindowSearch.HORIZON)));
    }

    private void start(GroupId group, Transition transition, Event before, Event event, boolean shared, Actor actor) {
        Event started = event.started(new StartAttempt(turn.now(), 1, turn.draft().epoch()), shared);
        turn.life().walk(group, transition, before, started, actor, "");
        if (!started.work().drill()) {
            for (String machine : turn.present(group, started)) {
                MachineId id = new MachineId(group.tenant(), machine);
                Condition now = turn.draft().condition(id).now(during(started), turn.now(), "");
                turn.draft().put(started.type() == EventType.REDEPLOY ? now.moving(departure(id, started)) : now);
            }
        }
        if (pieces.leads(started)) {
            turn.draft().start(started.id());
        }
    }

    /** What counts is where it is now: the fleet may name its new host before the move is over. */
    private Condition.Move departure(MachineId id, Event started) {
        Optional<Machine> machine = turn.draft().machine(id);
        String rollout = started.work().rollout();
        return new Condition.Move(
                machine.map(Machine::host).orElse(""),
                machine.map(Machine::placement).orElse(0),
                turn.now(),
                null,
                rollout == null ? "" : rollout);
    }

    private static Condition.State during(Event event) {
        return switch (event.work().cause()) {
            case FREEZE, HOST_FREEZE -> Condition.State.FROZEN;
            case RESTART, HOST_REBOOT -> Condition.State.REBOOTING;
            case REDEPLOY, HOST_REDEPLOY -> Condition.State.REDEPLOYING;
            case PREEMPT -> Condition.State.BEING_TAKEN;
            case TERMINATE -> Condition.State.BEING_DELETED;
            case FAILURE -> Condition.State.BROKEN_DOWN;
        };
    }

    private Event event(GroupId group, EventId id) {
        return turn.draft().state(group).event(id).orElseThrow();
    }

    static Instant wholeSecond(Instant instant) {
        Instant floor = instant.truncatedTo(ChronoUnit.SECONDS);
        return floor.equals(instant) ? floor : floor.plusSeconds(1);
    }
}
