package io.forewarn.core.policy;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.Duration;

/**
 * Limits how an event may be postponed.
 *
 * @param times maximum number of postponements
 * @param total maximum total of all postponements
 */
public record PostponementLimit(int times, Duration total) {
    private static final int MOST_TIMES = 100;
    private static final Duration LONGEST = Duration.ofDays(90);

    public static final PostponementLimit NONE = new PostponementLimit(0, Duration.ZERO);

    public PostponementLimit {
        boolean none = times == 0 && total.isZero();
        boolean some = times > 0 && times <= MOST_TIMES && !total.isNegative() && !total.isZero();
        if (!none && !some || total.compareTo(LONGEST) > 0) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "an event can be postponed 1 to " + MOST_TIMES + " times, by at most " + LONGEST.toDays()
                            + "d in total: 3x2h allows three postponements that add up to two hours; none allows none");
        }
    }
}
