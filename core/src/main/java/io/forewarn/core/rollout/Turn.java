package io.forewarn.core.rollout;

import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.List;

/**
 * Says when a unit of a rollout is to start. It is set when the rollout starts and moves later only if it must.
 *
 * @param at when the unit starts, unless it is approved earlier
 * @param first when it was to start by the first plan
 * @param due when it would start but for what owners asked for or added since: what they ask for later comes after it
 * @param evacuations when machines are moved off its host before that, in order; empty if none are
 * @param why what determined the time, for operators; blank if nothing but the start of the rollout did
 * @param group the group that {@code why} speaks of: other tenants must not read it; null if all may
 */
public record Turn(Instant at, Instant first, Instant due, List<Instant> evacuations, String why, GroupId group) {
    /** Stands for groups of several tenants, of which the reason speaks. */
    public static final GroupId SEVERAL = new GroupId("*", "*");

    private static final String OF_SEVERAL = "other update domains of groups on its host are planned before it";

    /** What a tenant may read of the reason. */
    public static final String ANOTHER_TENANT = "another tenant on the same host";

    public Turn {
        evacuations = List.copyOf(evacuations);
    }

    /** A turn of a first plan. */
    public static Turn planned(Instant at, List<Instant> evacuations, String why, GroupId group) {
        return new Turn(at, at, at, evacuations, why, group);
    }

    /** The same unit at another time. */
    public Turn moved(Instant to, String reason, GroupId whose) {
        return new Turn(to, first, to, evacuations, reason, whose);
    }

    /** The same unit at a later time, because of what owners asked for or added. */
    public Turn heldByOwners(Instant to, String reason, GroupId whose) {
        return new Turn(to, first, due, evacuations, reason, whose);
    }

    /** The same unit with its host evacuated at other times. */
    public Turn evacuatedAt(List<Instant> times) {
        return new Turn(at, first, due, times, why, group);
    }

    /** When something of it starts next. */
    public Instant next() {
        return evacuations.isEmpty() ? at : evacuations.get(0);
    }

    public boolean hasMoved() {
        return !at.equals(first);
    }

    /** The reason as the owner of a tenant may read it; null for who may read everything. */
    public String why(String reader) {
        if (reader == null || group == null || group.tenant().equals(reader)) {
            return why;
        }
        return group.equals(SEVERAL) ? OF_SEVERAL : ANOTHER_TENANT;
    }
}
