package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.RolloutSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** How fast a rollout may proceed, both for carrying it out and for planning it. */
final class RolloutPacing {
    private final StateReader facts;
    private final ServiceTerms terms;
    private final RolloutSpec spec;
    private final Instant now;
    private final boolean windows;

    RolloutPacing(StateReader facts, ServiceTerms terms, RolloutSpec spec, Instant now) {
        this.facts = facts;
        this.terms = terms;
        this.spec = spec;
        this.now = now;
        this.windows = !spec.windows().isEmpty()
                || facts.policies().stream().anyMatch(p -> p.windows() != null || p.blackouts() != null);
    }

    /** What the rollout says, but never less than the group's policy; nothing for a group that asks for none. */
    Duration notice(GroupId group, Cause cause) {
        if (!DecisionContext.enabled(facts, terms, group, now)) {
            return Duration.ZERO;
        }
        Duration least =
                PolicyResolver.of(facts, terms, group, cause.type()).notice().value();
        return spec.notice() == null || spec.notice().compareTo(least) < 0 ? least : spec.notice();
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

    /** When all other update domains of the groups have recovered: announced meanwhile, work starts then. */
    Instant rested(List<AffectedMachines> touched) {
        Instant earliest = now;
        for (AffectedMachines affected : touched) {
            Instant rested = facts.state(affected.group())
                    .otherDown(affected.updateDomain(), spec.rehearsal())
                    .map(down -> down.endedAt().plus(recovery()))
                    .orElse(earliest);
            earliest = rested.isAfter(earliest) ? rested : earliest;
        }
        return earliest;
    }

    /** Between two update domains of a group. */
    Duration recovery() {
        return recovery(spec, terms);
    }

    static Duration recovery(RolloutSpec spec, ServiceTerms terms) {
        return spec.recovery() == null ? terms.recovery() : spec.recovery();
    }

    /**
     * When the rollout and the groups let such work start; none if nobody minds.
     *
     * @param asked when the work is asked for, which is what limits how long owners hold it
     */
    List<StartCalendar> calendars(List<AffectedMachines> shares, Cause cause, Instant asked) {
        return calendarsUntil(shares, cause, asked.plus(terms.owners().longestHold()));
    }

    List<StartCalendar> calendarsUntil(List<AffectedMachines> shares, Cause cause, Instant ownersUntil) {
        return !windows
                ? List.of()
                : Stream.concat(Stream.of(spec.calendar()), shares.stream().map(s -> PolicyResolver.of(
                                        facts, terms, s.group(), cause.type())
                                .calendar(ownersUntil)))
                        .distinct()
                        .toList();
    }

    /** Whether any window restricts when work starts. */
    boolean hasWindows() {
        return windows;
    }

    /** Of each group that has two update domains here, the last: it must be moved away first. A rehearsal moves nothing. */
    List<AffectedMachines> toMove(List<AffectedMachines> shares) {
        List<AffectedMachines> moving = new ArrayList<>();
        for (int i = 1; i < shares.size() && !spec.rehearsal(); i++) {
            boolean second = shares.get(i).group().equals(shares.get(i - 1).group());
            boolean last = i + 1 == shares.size()
                    || !shares.get(i + 1).group().equals(shares.get(i).group());
            if (second && last) {
                moving.add(shares.get(i));
            }
        }
        return moving;
    }

    static Set<Integer> faultDomains(List<AffectedMachines> shares) {
        Set<Integer> domains = new HashSet<>();
        shares.forEach(s -> s.machines().forEach(m -> domains.add(m.faultDomain())));
        return domains;
    }
}
