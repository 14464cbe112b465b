package io.forewarn.core.policy;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What is decided for one scope. A value that is null is not said here: a wider policy may, or the terms of the service do.
 *
 * @param notice the least notice of freezes, reboots and redeploys; of another type only if the scope names it
 * @param autoApprove restarts and redeploys that users ask for start at once
 * @param whenAllDown an event of which no machine runs needs no other approval
 * @param approval how many machines must be ready
 * @param windows in which platform work may start; empty: at any time
 * @param blackouts in which platform work does not start
 * @param ownerPostpones how far a person may postpone an event
 * @param guestPostpones how far the machines of the group may
 * @param seenByAll nothing starts before each listed machine has been handed it, unless a person says so
 * @param userOperations how many a tenant may have open; only where the scope is a tenant
 * @param ownersHolds which of the values that hold platform work an owner set, and not an operator: these do so for a limited time
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
        Set<HoldingValue> ownersHolds) {
    /** So that a policy is a small record. */
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

    /** As an operator sets it. */
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
                Set.of());
    }

    /** One that says nothing yet. */
    public static Policy of(Scope scope) {
        return new Policy(scope, null, null, null, null, null, null, null, null, null, null);
    }

    public boolean isEmpty() {
        return equals(of(scope));
    }
}
