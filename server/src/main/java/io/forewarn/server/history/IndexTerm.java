package io.forewarn.server.history;

import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;

/** Spells what can be looked up in the {@link LogIndex}; no two kinds of thing share a spelling. */
final class IndexTerm {
    private IndexTerm() {}

    static String event(EventId event) {
        return "e " + event;
    }

    /** By its name within the tenant. */
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
