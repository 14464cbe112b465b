package io.forewarn.core.policy;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Holds the policy of one scope. A null value is not set here: a wider policy or the service terms apply.
 *
 * @param notice minimum notice of freezes, reboots and redeploys; of another type only if the scope names it
 * @param autoApprove restarts and redeploys requested by users start at once
 * @param whenAllDown an event starts early if all of its machines are stopped
 * @param approval how many machines must approve
 * @param windows when platform maintenance may start; empty: at any time
 * @param blackouts when platform maintenance must not start
 * @param ownerPostpones limit for postponements by people
 * @param guestPostpones limit for postponements by machines of the group
 * @param seenByAll no event starts before each listed machine has seen it, unless a person approves it
 * @param userOperations maximum number of open user operations; only for the scope of a tenant
 * @param shownAhead how long before their start machines are shown events of rollouts at most; never less than their notice
 * @param ownersHolds which values that delay platform maintenance were set by an owner rather than an operator: these
 *     do so only for a limited time
 */
public record Policy(
        Scope scope,
        Duration notice,
        Boolean autoApprove,
        Boolean whenAllDown,
        ApprovalQuorum approval,
        List<MaintenanceWindow> windows,
        List<Blackout> blackouts,
        PostponementLimit ownerPostpones,
        PostponementLimit guestPostpones,
        Boolean seenByAll,
        Integer userOperations,
        Duration shownAhead,
        Set<HoldingValue> ownersHolds) {
    /** Keeps a policy a small record. */
    static final int MOST_WINDOWS = 20;

    static final int MOST_BLACKOUTS = 100;
    static final int MOST_USER_OPERATIONS = 1000;

    public Policy {
        ownersHolds = Set.copyOf(ownersHolds);
        windows = windows == null ? null : List.copyOf(windows);
        blackouts = blackouts == null ? null : List.copyOf(blackouts);
        if (windows != null && windows.size() > MOST_WINDOWS) {
            throw new RefusedException(Problem.BAD_INPUT, "a policy has at most " + MOST_WINDOWS + " windows");
        }
        if (blackouts != null && blackouts.size() > MOST_BLACKOUTS) {
            throw new RefusedException(Problem.BAD_INPUT, "a policy has at most " + MOST_BLACKOUTS + " blackouts");
        }
        if (userOperations != null && (scope.group() != null || scope.type() != null)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "user operations are counted per tenant; set their limit without a group and a type");
        }
        if (userOperations != null && (userOperations < 1 || userOperations > MOST_USER_OPERATIONS)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "user operations are limited to 1 up to " + MOST_USER_OPERATIONS + ", not " + userOperations);
        }
    }

    /** A policy set by an operator. */
    public Policy(
            Scope scope,
            Duration notice,
            Boolean autoApprove,
            Boolean whenAllDown,
            ApprovalQuorum approval,
            List<MaintenanceWindow> windows,
            List<Blackout> blackouts,
            PostponementLimit ownerPostpones,
            PostponementLimit guestPostpones,
            Boolean seenByAll,
            Integer userOperations) {
        this(
                scope,
                notice,
                autoApprove,
                whenAllDown,
                approval,
                windows,
                blackouts,
                ownerPostpones,
                guestPostpones,
                seenByAll,
                userOperations,
                null,
                Set.of());
    }

    /** The same policy with a limit on how early machines are shown events of rollouts. */
    public Policy shownAhead(Duration most) {
        return new Policy(
                scope,
                notice,
                autoApprove,
                whenAllDown,
                approval,
                windows,
                blackouts,
                ownerPostpones,
                guestPostpones,
                seenByAll,
                userOperations,
                most,
                ownersHolds);
    }

    /** A policy without values. */
    public static Policy of(Scope scope) {
        return new Policy(scope, null, null, null, null, null, null, null, null, null, null);
    }

    public boolean isEmpty() {
        return equals(of(scope));
    }
}
