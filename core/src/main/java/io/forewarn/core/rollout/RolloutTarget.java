package io.forewarn.core.rollout;

import java.util.List;

/**
 * What a rollout is over.
 *
 * @param names hosts; groups as {@code tenant/name}; or one tag as {@code key=value}
 */
public record RolloutTarget(Kind kind, List<String> names) {
    /** All hosts there are. */
    public static final String EVERY_HOST = "*";

    public enum Kind {
        /** Whole hosts, whoever runs on them. */
        HOSTS,
        /** The machines of groups, one update domain after the other. */
        GROUPS,
        /** The machines that carry a tag, group by group, one update domain after the other. */
        TAG
    }

    public RolloutTarget {
        names = List.copyOf(names);
    }
}
