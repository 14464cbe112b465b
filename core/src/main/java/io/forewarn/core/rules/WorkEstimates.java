package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Work;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Estimates how long work takes: what the rollout says, else the driver, else the terms, else five minutes. What a request says counts
 * only if the driver goes by it: an owner who asks for a restart of seven days must not move the work of others by as much.
 */
final class WorkEstimates {
    private static final Duration UNKNOWN = Duration.ofMinutes(5);

    private WorkEstimates() {}

    /** Of a unit of a rollout; an evacuation has a cause of its own. */
    static Duration takes(ServiceTerms terms, RolloutSpec spec, Cause cause) {
        return spec.interruption() != null && cause == spec.cause()
                ? spec.interruption()
                : usual(terms, cause, spec.rehearsal(), null);
    }

    static Duration takes(StateReader facts, ServiceTerms terms, Work work) {
        Optional<RolloutSpec> spec =
                Optional.ofNullable(work.rollout()).flatMap(facts::rollout).map(Rollout::spec);
        return spec.isPresent()
                ? takes(terms, spec.get(), work.cause())
                : usual(terms, work.cause(), work.rehearsal(), given(terms, work));
    }

    /** What was said when the work was requested; the usual time of the service is entered if nothing was. */
    private static Duration given(ServiceTerms terms, Work work) {
        return work.expectedInterruption()
                .filter(given ->
                        !given.equals(terms.interruption().get(work.cause().type())))
                .orElse(null);
    }

    private static Duration usual(ServiceTerms terms, Cause cause, boolean rehearsal, Duration given) {
        return terms.durations().of(cause, rehearsal, given).orElseGet(() -> terms.interruption()
                .getOrDefault(cause.type(), UNKNOWN));
    }

    /**
     * When started work ends. Work that is overdue is expected to take as long again as it is overdue, so that whatever waits
     * for it is moved a few times and not every few minutes.
     */
    static Instant ends(ServiceTerms terms, Instant started, Duration takes, Instant now) {
        Instant expected = started.plus(takes);
        if (!expected.isBefore(now)) {
            return expected;
        }
        Duration overdue = Duration.between(expected, now);
        if (overdue.compareTo(terms.tolerance()) < 0) {
            return now;
        }
        return now.plus(overdue);
    }
}
