package io.forewarn.core.policy;

import io.forewarn.core.event.EventType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * Holds the policy values for one event type of one group: each from the most specific policy that sets it, with its
 * source.
 */
public record EffectivePolicy(
        SourcedValue<Duration> notice,
        SourcedValue<Boolean> autoApprove,
        SourcedValue<Boolean> whenAllDown,
        SourcedValue<ApprovalQuorum> approval,
        SourcedValue<List<MaintenanceWindow>> windows,
        SourcedValue<List<Blackout>> blackouts,
        SourcedValue<PostponementLimit> ownerPostpones,
        SourcedValue<PostponementLimit> guestPostpones,
        SourcedValue<Boolean> seenByAll,
        SourcedValue<Integer> userOperations,
        SourcedValue<Duration> shownAhead) {
    /**
     * @param policies the policies that apply to the event, the most specific first
     * @param notice the notice of the service terms
     * @param userOperations the limit of the service terms
     */
    public static EffectivePolicy of(List<Policy> policies, EventType type, Duration notice, int userOperations) {
        return new EffectivePolicy(
                first(policies, p -> speaksOfNotice(p, type) ? p.notice() : null, notice),
                first(policies, Policy::autoApprove, false),
                first(policies, Policy::whenAllDown, false),
                first(policies, Policy::approval, ApprovalQuorum.ANY),
                holding(policies, Policy::windows, HoldingValue.WINDOWS, List.of()),
                holding(policies, Policy::blackouts, HoldingValue.BLACKOUTS, List.of()),
                first(policies, Policy::ownerPostpones, PostponementLimit.NONE),
                first(policies, Policy::guestPostpones, PostponementLimit.NONE),
                holding(policies, Policy::seenByAll, HoldingValue.SEEN_BY_ALL, false),
                first(policies, Policy::userOperations, userOperations),
                first(policies, Policy::shownAhead, null));
    }

    /** Evictions and deletions have the notice of the service terms unless a policy names the event type. */
    private static boolean speaksOfNotice(Policy policy, EventType type) {
        return policy.scope().type() != null || type != EventType.PREEMPT && type != EventType.TERMINATE;
    }

    private static <T> SourcedValue<T> first(List<Policy> policies, Function<Policy, T> value, T otherwise) {
        return holding(policies, value, null, otherwise);
    }

    private static <T> SourcedValue<T> holding(
            List<Policy> policies, Function<Policy, T> value, HoldingValue holding, T otherwise) {
        for (Policy policy : policies) {
            T found = value.apply(policy);
            if (found != null) {
                boolean owners = holding != null && policy.ownersHolds().contains(holding);
                return new SourcedValue<>(found, policy.scope(), owners);
            }
        }
        return new SourcedValue<>(otherwise, null);
    }

    /** The calendar without a limit on what owners set. */
    public StartCalendar calendar() {
        return calendar(null);
    }

    /** @param ownersUntil when windows and blackouts set by owners no longer apply; null for never */
    public StartCalendar calendar(Instant ownersUntil) {
        return new StartCalendar(
                windows.value(),
                blackouts.value(),
                windows.owners() ? ownersUntil : null,
                blackouts.owners() ? ownersUntil : null);
    }
}
