package io.forewarn.core.policy;

import io.forewarn.core.event.EventType;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** What holds for one type of event of one group: each value from the most specific policy that says it, and from which. */
public record Resolved(
        Said<Duration> notice,
        Said<Boolean> autoApprove,
        Said<Boolean> whenAllDown,
        Said<Voting> approval,
        Said<List<Window>> windows,
        Said<List<Blackout>> blackouts,
        Said<Allowance> ownerPostpones,
        Said<Allowance> guestPostpones,
        Said<Boolean> seenByAll,
        Said<Integer> userOperations) {
    /**
     * @param policies those that speak about the event, the most specific first
     * @param notice what the terms give
     * @param userOperations what the terms allow
     */
    public static Resolved of(List<Policy> policies, EventType type, Duration notice, int userOperations) {
        return new Resolved(
                first(policies, p -> speaksOfNotice(p, type) ? p.notice() : null, notice),
                first(policies, Policy::autoApprove, false),
                first(policies, Policy::whenAllDown, false),
                first(policies, Policy::approval, Voting.ANY),
                first(policies, Policy::windows, List.of()),
                first(policies, Policy::blackouts, List.of()),
                first(policies, Policy::ownerPostpones, Allowance.NONE),
                first(policies, Policy::guestPostpones, Allowance.NONE),
                first(policies, Policy::seenByAll, false),
                first(policies, Policy::userOperations, userOperations));
    }

    /** Spot machines are taken, and machines deleted, with the notice of the terms unless the policy names the type. */
    private static boolean speaksOfNotice(Policy policy, EventType type) {
        return policy.scope().type() != null || type != EventType.PREEMPT && type != EventType.TERMINATE;
    }

    private static <T> Said<T> first(List<Policy> policies, Function<Policy, T> value, T otherwise) {
        for (Policy policy : policies) {
            T said = value.apply(policy);
            if (said != null) {
                return new Said<>(said, policy.scope());
            }
        }
        return new Said<>(otherwise, null);
    }

    public Calendar calendar() {
        return new Calendar(windows.value(), blackouts.value());
    }
}
