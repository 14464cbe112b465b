package io.forewarn.core.rules;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;

/** Checks the reasons that people give for what they request. */
final class ReasonCheck {
    /** Short enough for the audit log to keep it whole. */
    private static final int LONGEST = 200;

    private ReasonCheck() {}

    /** @throws RefusedException unless it is blank, or one short line */
    static void check(String reason) {
        if (reason.length() > LONGEST) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "a reason (--reason) has at most " + LONGEST + " characters, not " + reason.length());
        }
        if (reason.chars().anyMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "a reason (--reason) is one line of text, without control characters");
        }
    }
}
