package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.policy.EffectivePolicy;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** How fast a rollout may proceed, both for carrying it out and for planning it. */
final class RolloutPacing {
    private final StateReader facts;
    private final ServiceTerms terms;
    private final RolloutSpec spec;
    private final Instant now;
    private final boolean windows;

    /** A group whose notice would end later gets only what is left until then, but at least what the service gives; null for no limit. */
    private final Instant noticeUntil;

    /** The units of a rollout share groups. */
    private final Map<CalendarKey, StartCalendar> calendars = new HashMap<>();

    private record CalendarKey(GroupId group, Cause cause, Instant ownersUntil) {}

    RolloutPacing(StateReader facts, ServiceTerms terms, RolloutSpec spec, Instant now) {
        this(facts, terms, spec, now, null);
    }

    private RolloutPacing(StateReader facts, ServiceTerms terms, RolloutSpec spec, Instant now, Instant noticeUntil) {
        this.noticeUntil = noticeUntil;
        this.facts = facts;
        this.terms = terms;
        this.spec = spec;
        this.now = now;
        this.windows = !spec.windows().isEmpty()
                || spec.late() == RolloutSpec.Late.NEXT_WINDOW
                || facts.policies().stream().anyMatch(p -> p.windows() != null || p.blackouts() != null);
    }

    /**
     * For a unit, which may be shown longer before its turn than the rest of its rollout. If owners have delayed it past its original
     * turn, a notice that they make longer does not delay it again: then they get what is left, but at least what the service gives.
     */
    static RolloutPacing of(StateReader facts, ServiceTerms terms, Rollout rollout, Turn turn, Instant now) {
        RolloutSpec spec = rollout.spec();
        boolean delayed =
                turn != null && turn.due().isBefore(turn.at()) && !turn.due().isAfter(now);
        return new RolloutPacing(
                facts,
                terms,
                turn == null || turn.notice() == null ? spec : spec.withNotice(turn.notice()),
                now,
                delayed ? turn.next() : null);
    }

    /** When a rollout is asked for: from then on it is counted how long owners hold it. */
    static Instant asked(RolloutSpec spec, Instant createdAt) {
        Instant asked = createdAt;
        for (Instant other : Stream.of(spec.at(), spec.selfServiceUntil())
                .filter(Objects::nonNull)
                .toList()) {
            asked = other.isAfter(asked) ? other : asked;
        }
        return asked;
    }

    /** From when on nothing that owners set holds the work of a rollout. */
    static Instant ownersUntil(RolloutSpec spec, Instant createdAt, ServiceTerms terms) {
        return asked(spec, createdAt).plus(terms.owners().longestHold());
    }

    /**
     * How long before its turn a group is shown the work: what the rollout says, but never less than the group's policy, and no
     * more than its owner wants to see ahead; nothing for a group in which no machine polls.
     */
    Duration notice(GroupId group, Cause cause) {
        if (!DecisionContext.enabled(facts, terms, group, now)) {
            return Duration.ZERO;
        }
        EffectivePolicy policy = PolicyResolver.of(facts, terms, group, cause.type());
        Duration least = policy.notice().value();
        Duration wanted = spec.notice() == null || spec.notice().compareTo(least) < 0 ? least : spec.notice();
        Duration most = policy.shownAhead().value();
        if (most == null || most.compareTo(wanted) >= 0) {
            return wanted;
        }
        return most.compareTo(least) < 0 ? least : most;
    }

    /** The least notice that a group must get, whatever the rollout says. */
    Duration leastNotice(GroupId group, Cause cause) {
        if (!DecisionContext.enabled(facts, terms, group, now)) {
            return Duration.ZERO;
        }
        Duration least =
                PolicyResolver.of(facts, terms, group, cause.type()).notice().value();
        if (noticeUntil == null || !now.plus(least).isAfter(noticeUntil)) {
            return least;
        }
        Duration left = Duration.between(now, noticeUntil);
        Duration must = terms.minimumNotice(cause.type());
        return left.compareTo(must) > 0 ? left : must;
    }

    /** The notice that a group gets if it is shown work now that starts then: as much as is left, but not less than it must get. */
    Duration noticeBefore(GroupId group, Cause cause, Instant starts) {
        Duration wanted = notice(group, cause);
        Duration left = Duration.between(now, starts);
        if (wanted.compareTo(left) <= 0) {
            return wanted;
        }
        Duration least = leastNotice(group, cause);
        return left.compareTo(least) > 0 ? left : least;
    }

    /** From when on all machines of a unit can read their events: one that broke down cannot until it is back. */
    Instant readableFrom(List<AffectedMachines> touched) {
        Instant from = now;
        for (AffectedMachines affected : touched) {
            for (Event failure : failures(affected)) {
                Duration takes = WorkEstimates.takes(facts, terms, failure.work());
                Instant back = WorkEstimates.ends(terms, failure.attempt().startedAt(), takes, now);
                from = back.isAfter(from) ? back : from;
            }
        }
        return from;
    }

    /** The failures under way of machines whose group polls. */
    List<Event> failures(AffectedMachines affected) {
        List<Event> events = facts.state(affected.group()).events();
        if (events.isEmpty() || !DecisionContext.enabled(facts, terms, affected.group(), now)) {
            return List.of();
        }
        return events.stream()
                .filter(e -> e.work().cause() == Cause.FAILURE && e.phase() == Phase.STARTED)
                .filter(e -> !e.work().rehearsal())
                .filter(e -> affected.machines().stream().anyMatch(m -> e.lists(m.name())))
                .toList();
    }

    /** The longest notice of all groups of a unit. */
    Duration notice(List<AffectedMachines> touched, Cause cause) {
        return touched.stream()
                .map(affected -> notice(affected.group(), cause))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    Duration leastNotice(List<AffectedMachines> touched, Cause cause) {
        return touched.stream()
                .map(affected -> leastNotice(affected.group(), cause))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** What is done to the machines; a pass that moves some away first has a cause of its own. */
    Cause cause() {
        return spec.cause();
    }

    /** The work of one event. */
    Work work(RolloutUnitId rolloutUnitId, Cause cause, AffectedMachines affected, Duration notice) {
        return new Work(
                cause,
                affected.machines().stream().map(Machine::name).toList(),
                affected.updateDomain(),
                notice,
                spec.description() == null ? cause.description() : spec.description(),
                spec.interruption(cause, terms.interruption()),
                now,
                rolloutUnitId,
                spec.rehearsal());
    }

    /** Between two update domains of a group. */
    Duration recovery() {
        return recovery(spec, terms);
    }

    static Duration recovery(RolloutSpec spec, ServiceTerms terms) {
        return spec.recovery() == null ? terms.recovery() : spec.recovery();
    }

    /**
     * When the rollout and the groups let such work start; empty if nothing restricts it.
     *
     * @param ownersUntil from when on nothing that owners set holds it
     */
    List<StartCalendar> calendarsUntil(List<AffectedMachines> shares, Cause cause, Instant ownersUntil) {
        return !windows
                ? List.of()
                : Stream.concat(
                                Stream.of(spec.calendar(), spec.lateCalendar()),
                                shares.stream().map(s -> calendar(s.group(), cause, ownersUntil)))
                        .distinct()
                        .toList();
    }

    private StartCalendar calendar(GroupId group, Cause cause, Instant ownersUntil) {
        return calendars.computeIfAbsent(
                new CalendarKey(group, cause, ownersUntil),
                key -> PolicyResolver.of(facts, terms, group, cause.type()).calendar(ownersUntil));
    }

    /** Whether any calendar restricts when work may start. */
    boolean isRestricted() {
        return windows;
    }

    /** Whether the rollout and all groups let such work start then. */
    boolean isOpen(Instant createdAt, List<AffectedMachines> shares, Cause cause, Instant at) {
        for (StartCalendar calendar : calendarsUntil(shares, cause, ownersUntil(spec, createdAt, terms))) {
            if (!calendar.isOpen(at)) {
                return false;
            }
        }
        return true;
    }

    /** Whether such work may start at some time within a year from then on. */
    boolean hasWindow(List<AffectedMachines> shares, Cause cause, Instant createdAt, Instant from) {
        return WindowSearch.earliest(from, calendarsUntil(shares, cause, ownersUntil(spec, createdAt, terms)))
                .isPresent();
    }

    static boolean hasFailed(StateReader facts, AffectedMachines affected) {
        for (Machine machine : affected.machines()) {
            if (facts.condition(machine.id()).state() == MachineCondition.State.FAILED) {
                return true;
            }
        }
        return false;
    }

    /** Whether work on these machines takes nothing down, because all of them are. */
    static boolean haveAllFailed(StateReader facts, AffectedMachines affected) {
        return affected.machines().stream()
                .allMatch(m -> facts.condition(m.id()).state() == MachineCondition.State.FAILED);
    }

    static Set<Integer> faultDomains(List<AffectedMachines> shares) {
        Set<Integer> domains = new HashSet<>();
        shares.forEach(s -> s.machines().forEach(m -> domains.add(m.faultDomain())));
        return domains;
    }
}
