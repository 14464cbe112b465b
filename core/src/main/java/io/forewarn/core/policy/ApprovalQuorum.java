package io.forewarn.core.policy;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;

/**
 * Defines how many machines must approve before an event counts as approved.
 *
 * @param kind any machine of the group, all listed ones, or some of the listed ones
 * @param least the number, for {@code SOME}
 */
public record ApprovalQuorum(Kind kind, int least) {
    /** Which machines must approve. */
    public enum Kind {
        ANY,
        ALL,
        SOME
    }

    /** As Azure does: contract §3. */
    public static final ApprovalQuorum ANY = new ApprovalQuorum(Kind.ANY, 1);

    public static final ApprovalQuorum ALL = new ApprovalQuorum(Kind.ALL, 1);

    public ApprovalQuorum {
        if (least < 1) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "an approval by " + least + " machines is none; any, all, or 1 and more are right");
        }
    }

    public static ApprovalQuorum some(int least) {
        return new ApprovalQuorum(Kind.SOME, least);
    }

    /** How many of {@code listed} machines must approve. */
    public int needed(int listed) {
        return switch (kind) {
            case ANY -> 1;
            case ALL -> listed;
            case SOME -> Math.min(least, listed);
        };
    }

    @Override
    public String toString() {
        return kind == Kind.ANY ? "any" : kind == Kind.ALL ? "all" : String.valueOf(least);
    }
}
