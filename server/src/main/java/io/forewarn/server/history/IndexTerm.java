package io.forewarn.server.history;

import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;

/** Formats the terms of the {@link LogIndex}; terms of different kinds are never equal. */
final class IndexTerm {
    private IndexTerm() {}

    static String event(EventId event) {
        return "e " + event;
    }

    /** The term of a machine, by its name within the tenant. */
    static String machine(String name) {
        return "m " + name;
    }

    static String group(GroupId group) {
        return "g " + group;
    }

    static String tenant(String tenant) {
        return "t " + tenant;
    }

    static String rollout(String rollout) {
        return "r " + rollout;
    }
}
