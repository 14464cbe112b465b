package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.EffectivePolicy;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.policy.SourcedValue;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.WindowSearch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Resolves which policies apply to an event, and what they permit. */
final class PolicyResolver {
    private PolicyResolver() {}

    static EffectivePolicy of(StateReader facts, ServiceTerms terms, GroupId group, EventType type) {
        List<Policy> speaking = new ArrayList<>(4);
        for (Scope scope : Scope.of(group, type)) {
            facts.policy(scope).ifPresent(speaking::add);
        }
        return EffectivePolicy.of(speaking, type, terms.minimumNotice(type), terms.userOperations());
    }

    static int userOperations(StateReader facts, ServiceTerms terms, String tenant) {
        return facts.policy(new Scope(tenant, null, null))
                .map(Policy::userOperations)
                .orElse(terms.userOperations());
    }

    /** Restarts and redeploys requested by users. */
    static boolean approvedInAdvance(StateReader facts, ServiceTerms terms, GroupId group, Cause cause) {
        return (cause == Cause.RESTART || cause == Cause.REDEPLOY)
                && of(facts, terms, group, cause.type()).autoApprove().value();
    }

    /** Windows apply to platform work only, not to requests of users or urgent work. */
    static StartCalendar calendar(StateReader facts, ServiceTerms terms, GroupId group, Event event) {
        return event.work().cause().planned()
                ? of(facts, terms, group, event.type()).calendar(ownersUntil(facts, terms, event))
                : StartCalendar.ALWAYS;
    }

    /** The time from which no setting of an owner holds an event. The work of a rollout is asked for when the rollout starts. */
    static Instant ownersUntil(StateReader facts, ServiceTerms terms, Event event) {
        Instant asked = Optional.ofNullable(event.work().rollout())
                .flatMap(facts::rollout)
                .map(rollout -> RolloutPacing.asked(rollout.spec(), rollout.createdAt()))
                .orElse(event.work().acceptedAt());
        return asked.plus(terms.owners().longestHold());
    }

    /** The first moment the calendar is open; if it never is, a moment to look again. */
    static Instant open(StartCalendar calendar, Instant from) {
        return WindowSearch.earliest(from, List.of(calendar)).orElse(from.plus(WindowSearch.HORIZON));
    }

    /** Windows hold approved events too; a person may waive that all machines must have seen it. */
    static Optional<StartBlocker> hold(StateReader facts, Event event, GroupId group, ServiceTerms terms, Instant now) {
        return windows(facts, event, group, terms, now).or(() -> unseen(facts, event, group, terms, now));
    }

    /** A maintenance window that is not open, or a blackout. */
    static Optional<StartBlocker> windows(
            StateReader facts, Event event, GroupId group, ServiceTerms terms, Instant now) {
        StartCalendar calendar = calendar(facts, terms, group, event);
        if (calendar.isOpen(now)) {
            return Optional.empty();
        }
        EffectivePolicy policy = of(facts, terms, group, event.type());
        SourcedValue<?> holding = calendar.isBlackout(now) ? policy.blackouts() : policy.windows();
        String why = (calendar.isBlackout(now) ? "a blackout, by " : "no maintenance window is open, by ")
                + holding.origin();
        return Optional.of(new StartBlocker(why + bound(holding, terms), open(calendar, now)));
    }

    /** A text for how long an owner's setting can hold work. */
    private static String bound(SourcedValue<?> holding, ServiceTerms terms) {
        return holding.owners()
                ? ", for at most " + ScheduleRules.inWords(terms.owners().longestHold())
                : "";
    }

    /** How far the machines are from approving it, where one of them is not enough. */
    static Optional<String> voting(StateReader facts, Event event, GroupId group, ServiceTerms terms) {
        SourcedValue<ApprovalQuorum> quorum =
                of(facts, terms, group, event.type()).approval();
        int listed = present(facts, group, event).size();
        return quorum.value().kind() == ApprovalQuorum.Kind.ANY
                ? Optional.empty()
                : Optional.of(voices(facts, group, event) + " of "
                        + quorum.value().needed(listed) + " machines are ready, by " + quorum.origin());
    }

    /** Machines that must have seen it and have not. */
    static Optional<StartBlocker> unseen(
            StateReader facts, Event event, GroupId group, ServiceTerms terms, Instant now) {
        SourcedValue<Boolean> seenByAll = of(facts, terms, group, event.type()).seenByAll();
        Instant until = seenByAll.owners() && event.work().cause().planned() ? ownersUntil(facts, terms, event) : null;
        if (!seenByAll.value()
                || until != null && !now.isBefore(until)
                || event.phase() != Phase.SCHEDULED
                || !event.shared()
                || !patient(event)
                || byPerson(event)
                || !DecisionContext.enabled(facts, terms, group, now)) {
            return Optional.empty();
        }
        List<String> missing = event.resources().stream()
                .filter(m -> !event.sightings().containsKey(m) && facts.isThere(group, m))
                // One that is down cannot read anything, and the work may be what mends it.
                .filter(m ->
                        !down(facts.condition(new MachineId(group.tenant(), m)).state()))
                .toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        String why = "not seen yet by " + String.join(", ", missing) + ", by " + seenByAll.origin()
                + (until == null ? "" : bound(seenByAll, terms));
        if (terms.silence() == null) {
            return Optional.of(new StartBlocker(why, until));
        }
        // Nobody waits for a group that has fallen silent.
        Instant silent = DecisionContext.silentFrom(facts, terms, group, now);
        return Optional.of(
                until != null && until.isBefore(silent)
                        ? new StartBlocker(why, until)
                        : StartBlocker.unknownEnd(why, silent));
    }

    private static boolean byPerson(Event event) {
        return event.isApproved() && event.approval().by().kind() == Actor.Kind.PERSON;
    }

    /** Whether the event can wait: preemptions, deletions and immediate causes cannot. */
    static boolean patient(Event event) {
        return switch (event.type()) {
            case FREEZE, REBOOT, REDEPLOY -> !event.work().cause().immediate();
            case PREEMPT, TERMINATE -> false;
        };
    }

    /**
     * An approval that no single request gave.
     *
     * @param by the machine whose approval was the last, or the service if no machine of the event runs
     */
    record Consent(Actor by, String why) {}

    /** Whether an event counts as approved because enough of its machines have approved it, or none of them runs. */
    static Optional<Consent> consent(StateReader facts, ServiceTerms terms, GroupId group, Event event) {
        EffectivePolicy policy = of(facts, terms, group, event.type());
        ApprovalQuorum quorum = policy.approval().value();
        List<String> present = present(facts, group, event);
        List<String> ready =
                present.stream().filter(event.voices()::containsKey).toList();
        if (!ready.isEmpty() && ready.size() >= quorum.needed(present.size())) {
            String last = Collections.max(ready, Comparator.comparing(event.voices()::get));
            return Optional.of(new Consent(
                    Actor.machine(new MachineId(group.tenant(), last).toString(), ""),
                    ready.size() + " of " + present.size() + " machines are ready"));
        }
        if (policy.whenAllDown().value() && patient(event) && allDown(facts, group, event)) {
            return Optional.of(new Consent(
                    Actor.SERVICE,
                    "none of its machines runs, by " + policy.whenAllDown().origin()));
        }
        return Optional.empty();
    }

    static long voices(StateReader facts, GroupId group, Event event) {
        return present(facts, group, event).stream()
                .filter(event.voices()::containsKey)
                .count();
    }

    /** Machines that left the group do not count. */
    private static List<String> present(StateReader facts, GroupId group, Event event) {
        return DecisionContext.present(facts, group, event);
    }

    /** Whether none of its machines runs, nor will before somebody repairs it: one whose failure is being handled is back soon. */
    private static boolean allDown(StateReader facts, GroupId group, Event event) {
        return present(facts, group, event).stream()
                .map(m -> facts.condition(new MachineId(group.tenant(), m)))
                .allMatch(MachineCondition::staysDown);
    }

    /** Whether one of its machines is running, or only paused. */
    static boolean anyRuns(StateReader facts, GroupId group, Event event) {
        return present(facts, group, event).stream()
                .map(m -> facts.condition(new MachineId(group.tenant(), m)).state())
                .anyMatch(state -> state == MachineCondition.State.RUNNING || state == MachineCondition.State.FROZEN);
    }

    private static boolean down(MachineCondition.State state) {
        return switch (state) {
            case FAILED, BROKEN_DOWN, TAKEN -> true;
            case RUNNING, FROZEN, REBOOTING, REDEPLOYING, BEING_TAKEN, BEING_DELETED -> false;
        };
    }
}
