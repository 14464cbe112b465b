package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Postponement;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.EffectivePolicy;
import io.forewarn.core.policy.HoldingValue;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.policy.SourcedValue;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rollout.UnitPostponement;
import io.forewarn.core.rules.Command.Postpone;
import io.forewarn.core.rules.Command.Recovered;
import io.forewarn.core.rules.Command.RemovePolicy;
import io.forewarn.core.rules.Command.SetPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Rules for policies, and for what they allow machines: to postpone events, and to end the wait after work on them. */
final class PolicyRules {
    private final DecisionContext context;

    PolicyRules(DecisionContext context) {
        this.context = context;
    }

    /** Sets the given values; values that are not given stay. */
    CommandResult set(SetPolicy command) {
        Scope scope = command.policy().scope();
        checkScope(scope);
        checkNotice(command.policy());
        checkBlackouts(command.policy());
        Policy before = context.changes().policy(scope).orElse(Policy.of(scope));
        if (command.actor().limited()) {
            checkOwner(command.policy(), before);
        }
        Policy after = merged(before, command.policy(), command.actor().limited());
        if (after.isEmpty()) {
            throw new RefusedException(Problem.BAD_INPUT, "the policy says nothing; give it at least one value");
        }
        if (after.equals(before)) {
            return CommandResult.NOTHING;
        }
        context.changes().put(after);
        checkCalendars(scope);
        note(HistoryEntry.What.POLICY_SET, scope, command.actor());
        return new CommandResult(List.of(), 1);
    }

    CommandResult remove(RemovePolicy command) {
        if (context.changes().policy(command.scope()).isEmpty()) {
            throw new RefusedException(
                    Problem.NOT_FOUND,
                    "there is no policy of " + command.scope().words() + "; see forewarn policy list");
        }
        context.changes().removePolicy(command.scope());
        checkCalendars(command.scope());
        note(HistoryEntry.What.POLICY_REMOVED, command.scope(), command.actor());
        return new CommandResult(List.of(), 1);
    }

    private void checkScope(Scope scope) {
        if (scope.group() == null) {
            if (context.changes().groups().stream().noneMatch(g -> g.tenant().equals(scope.tenant()))) {
                throw new RefusedException(Problem.NOT_FOUND, "there is no tenant " + scope.tenant() + " with a group");
            }
            return;
        }
        GroupId group = new GroupId(scope.tenant(), scope.group());
        if (context.changes().group(group).isEmpty()) {
            throw NotFound.group(context.changes(), group);
        }
    }

    /** Work on a host waits for the longest notice of all machines there, and for all that may be postponed. */
    private void checkOwner(Policy given, Policy before) {
        Scope scope = given.scope();
        if (context.changes().policy(scope).isEmpty()) {
            context.terms().owners().mustHaveRoom(context.changes(), scope.tenant(), Quota.POLICIES, 1);
        }
        checkLongest("notice", given.notice(), before.notice());
        checkLongest("postponement by owners", total(given.ownerPostpones()), total(before.ownerPostpones()));
        checkLongest("postponement by machines", total(given.guestPostpones()), total(before.guestPostpones()));
    }

    private static Duration total(PostponementLimit limit) {
        return limit == null ? null : limit.total();
    }

    /** An owner may repeat a value that an operator has set. */
    private void checkLongest(String what, Duration given, Duration before) {
        Duration most = context.terms().owners().longestNotice();
        if (given != null && given.compareTo(most) > 0 && !given.equals(before)) {
            throw new RefusedException(
                    Problem.FORBIDDEN,
                    "an owner's policy cannot set a " + what + " of " + ScheduleRules.inWords(given) + ": at most "
                            + ScheduleRules.inWords(most) + "; an operator can set more");
        }
    }

    /** Never below the contract's minimum, unless the settings of the service lower it. */
    private void checkNotice(Policy policy) {
        if (policy.notice() == null) {
            return;
        }
        List<EventType> types = policy.scope().type() == null
                ? List.of(EventType.FREEZE, EventType.REBOOT, EventType.REDEPLOY)
                : List.of(policy.scope().type());
        for (EventType type : types) {
            Duration least = context.terms().minimumNotice(type);
            Duration most = type == EventType.TERMINATE
                    ? context.terms().longestTerminateNotice()
                    : ScheduleRules.LONGEST_NOTICE;
            if (policy.notice().compareTo(least) < 0 || policy.notice().compareTo(most) > 0) {
                throw new RefusedException(
                        Problem.BAD_INPUT,
                        "a policy cannot set the notice of a "
                                + type.name().toLowerCase(Locale.ROOT) + " to " + ScheduleRules.inWords(policy.notice())
                                + ": " + ScheduleRules.range(least, most));
            }
        }
    }

    private static void checkBlackouts(Policy policy) {
        for (Blackout blackout : policy.blackouts() == null ? List.<Blackout>of() : policy.blackouts()) {
            if (blackout.isSkipped()) {
                throw new RefusedException(
                        Problem.BAD_INPUT,
                        "the blackout " + blackout.range() + " is empty: the clocks of " + blackout.zone()
                                + " skip all of it");
            }
        }
    }

    /** What follows from all policies together must leave a moment open, for each group the change concerns. */
    private void checkCalendars(Scope changed) {
        Set<GroupId> groups = new LinkedHashSet<>();
        // No group is named *, so this resolves to the values of a group without a policy of its own.
        groups.add(new GroupId(changed.tenant(), changed.group() == null ? "*" : changed.group()));
        if (changed.group() == null) {
            context.changes().policies().stream()
                    .map(Policy::scope)
                    .filter(s -> s.tenant().equals(changed.tenant()) && s.group() != null)
                    .forEach(s -> groups.add(new GroupId(s.tenant(), s.group())));
        }
        Set<StartCalendar> open = new HashSet<>();
        for (GroupId group : groups) {
            for (EventType type : EventType.values()) {
                EffectivePolicy resolved = PolicyResolver.of(context.changes(), context.terms(), group, type);
                if (open.add(resolved.calendar())
                        && WindowSearch.earliest(context.now(), List.of(resolved.calendar()))
                                .isEmpty()) {
                    throw new RefusedException(
                            Problem.BAD_INPUT,
                            "windows (of " + resolved.windows().origin() + ") and blackouts (of "
                                    + resolved.blackouts().origin()
                                    + ") leave no moment open within a year; shorten a blackout or widen a window");
                }
            }
        }
    }

    private static Policy merged(Policy before, Policy given, boolean owner) {
        return new Policy(
                before.scope(),
                or(given.notice(), before.notice()),
                or(given.autoApprove(), before.autoApprove()),
                or(given.whenAllDown(), before.whenAllDown()),
                or(given.approval(), before.approval()),
                or(given.windows(), before.windows()),
                or(given.blackouts(), before.blackouts()),
                or(given.ownerPostpones(), before.ownerPostpones()),
                or(given.guestPostpones(), before.guestPostpones()),
                or(given.seenByAll(), before.seenByAll()),
                or(given.userOperations(), before.userOperations()),
                or(given.shownAhead(), before.shownAhead()),
                ownersHolds(before, given, owner));
    }

    /** A value that an operator set stays the operator's if an owner sets the same value. */
    private static Set<HoldingValue> ownersHolds(Policy before, Policy given, boolean owner) {
        Set<HoldingValue> owners = EnumSet.noneOf(HoldingValue.class);
        for (HoldingValue holding : HoldingValue.values()) {
            Object now = holding(given, holding);
            boolean same = now == null || owner && now.equals(holding(before, holding));
            if (same ? before.ownersHolds().contains(holding) : owner) {
                owners.add(holding);
            }
        }
        return owners;
    }

    private static Object holding(Policy policy, HoldingValue value) {
        return switch (value) {
            case WINDOWS -> policy.windows();
            case BLACKOUTS -> policy.blackouts();
            case SEEN_BY_ALL -> policy.seenByAll();
        };
    }

    private static <T> T or(T given, T before) {
        return given == null ? before : given;
    }

    CommandResult postpone(Postpone command) {
        ReasonCheck.check(command.reason());
        EventId id = command.event();
        GroupId group = context.changes()
                .groupOf(id)
                .filter(g -> command.group() == null || g.equals(command.group()))
                .filter(g -> command.group() == null || event(g, id).shown())
                .orElseThrow(() -> NotFound.event(id));
        Event event = event(group, id);
        checkPhase(event);
        Instant notBefore = event.noticePeriod().notBefore();
        Instant from = earliestStart(group, event);
        Instant asked = command.until() != null ? command.until() : from.plus(command.by());
        if (!asked.isAfter(from)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "event " + id + " does not start before " + from + " anyway; name a later time than that");
        }
        TurnRules.Later later = (event.work().unit() == null
                        ? new RolloutUnitRules(context)
                                .opens(group, event, StartRules.wholeSecond(asked))
                                .map(StartRules::wholeSecond)
                                .map(at -> new TurnRules.Later(at, Duration.between(from, at)))
                        : new TurnRules(context).freeAfter(event.work().unit(), from, asked))
                .orElseThrow(() -> noTimeAfter(id, asked));
        Instant until = later.at();
        Actor.Kind kind = command.actor().kind();
        Event postponed = event.postponed(new Postponement(kind, context.now(), from, until));
        checkAllowance(group, event, kind, asked, later);
        Transition transition = event.shared() ? Transition.POSTPONED : Transition.POSTPONED_UNSEEN;
        context.lifecycle()
                .apply(group, transition, event, postponed, command.actor(), "from " + notBefore, command.reason());
        new RolloutUnitRules(context).moveTo(group, event, until, "the host's work was postponed");
        if (event.work().unit() != null) {
            new TurnRules(context)
                    .postponed(
                            event.work().unit(),
                            until,
                            "group " + group + " postponed it",
                            group,
                            new UnitPostponement(group.tenant(), kind, later.delay()));
        }
        return CommandResult.of(List.of(id));
    }

    private static RefusedException noTimeAfter(EventId id, Instant asked) {
        return new RefusedException(
                Problem.CONFLICT,
                "event " + id + " cannot be postponed: there is no time for it after " + asked
                        + ", because no maintenance window opens or its rollout must have started by then");
    }

    /**
     * When it would start without a postponement: only the time by which it really starts later counts against the limit. Something
     * may hold it although its NotBefore has passed, and an event that is not shown has only the date of its unit.
     */
    private Instant earliestStart(GroupId group, Event event) {
        RolloutUnitRules unitRules = new RolloutUnitRules(context);
        Instant earliest = context.now();
        for (Part part : unitRules.parts(group, event)) {
            Event each = unitRules.event(part);
            Instant notBefore = each.noticePeriod().notBefore();
            if (!each.isApproved() && notBefore.isAfter(earliest)) {
                earliest = notBefore;
            }
        }
        return unitRules.opens(group, event, earliest).orElse(earliest);
    }

    private void checkPhase(Event event) {
        if (event.phase() == Phase.WAITING) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "event " + event.id() + " is not scheduled yet; it can be postponed once it has a time");
        }
        if (event.phase() == Phase.STARTED) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "event " + event.id() + " started at " + event.attempt().startedAt()
                            + "; only what has not started can be postponed");
        }
        if (event.isApproved()) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "event " + event.id() + " was approved at "
                            + event.approval().at() + "; what is approved is not postponed any more");
        }
        if (!PolicyResolver.patient(event)) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "a " + event.type().name().toLowerCase(Locale.ROOT) + " cannot be postponed; freezes, reboots and"
                            + " redeploys can");
        }
    }

    private void checkAllowance(GroupId group, Event event, Actor.Kind kind, Instant asked, TurnRules.Later later) {
        EffectivePolicy policy = PolicyResolver.of(context.changes(), context.terms(), group, event.type());
        boolean guest = kind == Actor.Kind.MACHINE;
        SourcedValue<PostponementLimit> limit = guest ? policy.guestPostpones() : policy.ownerPostpones();
        PostponementLimit allowed = limit.value();
        String who = guest ? "machines of " + group : "owners";
        if (allowed.times() == 0) {
            throw new RefusedException(
                    Problem.FORBIDDEN,
                    who + " may not postpone event " + event.id() + ", by " + limit.origin()
                            + "; forewarn policy set --postpone 3x2h would let them");
        }
        List<Duration> used = delays(group, event, kind);
        if (used.size() >= allowed.times()) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "event " + event.id() + " was already postponed " + used.size() + " times, as often as " + who
                            + " may, by " + limit.origin());
        }
        Duration left = allowed.total();
        for (Duration before : used) {
            left = left.minus(before);
        }
        Duration more = later.delay();
        if (more.compareTo(left) > 0) {
            String why = later.at().isAfter(asked.plusSeconds(1))
                    ? ", the first time from " + asked + " on at which it may start"
                    : "";
            throw new RefusedException(
                    Problem.CONFLICT,
                    "event " + event.id() + " can be postponed by "
                            + (left.isNegative() ? "0s" : ScheduleRules.inWords(left)) + " more, not by "
                            + ScheduleRules.inWords(more) + ", to " + later.at() + why + ": " + who + " may by "
                            + ScheduleRules.inWords(allowed.total()) + " in all, by " + limit.origin());
        }
    }

    /**
     * By how much an event was postponed. All events of a unit wait for each of them, so that their postponements by one tenant count
     * together, also those of events that are gone.
     */
    private List<Duration> delays(GroupId group, Event event, Actor.Kind kind) {
        Turn turn = event.work().unit() == null
                ? null
                : UpcomingUnits.unit(context.changes(), event.work().unit()).turn();
        return turn == null
                ? event.postponements().stream()
                        .filter(p -> p.by() == kind)
                        .map(Postponement::length)
                        .toList()
                : turn.postponements().stream()
                        .filter(p -> p.by() == kind && p.tenant().equals(group.tenant()))
                        .map(UnitPostponement::delay)
                        .toList();
    }

    /** Recorded for people, and for work that waits for the machine. */
    CommandResult recovered(Recovered command) {
        MachineId id = new MachineId(command.group().tenant(), command.machine());
        if (context.changes()
                .machine(id)
                .filter(m -> m.group().equals(command.group()))
                .isEmpty()) {
            throw NotFound.machine(context.changes(), id);
        }
        context.changes()
                .note(new HistoryEntry(
                        context.now(),
                        HistoryEntry.What.RECOVERED.name(),
                        command.group(),
                        null,
                        null,
                        List.of(command.machine()),
                        command.actor(),
                        null,
                        null,
                        null,
                        ""));
        GroupState state = context.changes().state(command.group());
        if (state.lastDown() != null && state.lastDown().awaited().containsKey(command.machine())) {
            context.changes().put(state.down(state.lastDown().without(command.machine())));
            new StartRules(context).settle(command.group(), command.actor());
        }
        return CommandResult.NOTHING;
    }

    private Event event(GroupId group, EventId id) {
        return context.changes().state(group).event(id).orElseThrow();
    }

    private void note(HistoryEntry.What what, Scope scope, Actor actor) {
        GroupId group = scope.group() == null ? null : new GroupId(scope.tenant(), scope.group());
        context.changes()
                .note(new HistoryEntry(
                        context.now(),
                        what.name(),
                        group,
                        null,
                        null,
                        List.of(),
                        actor,
                        null,
                        null,
                        null,
                        scope.words()));
    }
}
