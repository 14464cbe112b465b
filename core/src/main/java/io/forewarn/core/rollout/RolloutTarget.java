package io.forewarn.core.rollout;

import java.util.List;

/**
 * Selects the machines of a rollout.
 *
 * @param names hosts; groups as {@code tenant/name}; or one tag as {@code key=value}
 */
public record RolloutTarget(Kind kind, List<String> names) {
    /** All hosts. */
    public static final String EVERY_HOST = "*";

    public enum Kind {
        /** Whole hosts with all their machines. */
        HOSTS,
        /** The machines of groups, one update domain after the other. */
        GROUPS,
        /** The machines with a tag, group by group, one update domain after the other. */
        TAG
    }

    public RolloutTarget {
        names = List.copyOf(names);
    }
}
