package io.forewarn.server.calendar;

import io.forewarn.core.fleet.GroupId;

/**
 * Selects the work in a calendar.
 *
 * @param tenant null for all
 * @param group null for all
 * @param rollout null for all work, also outside of rollouts
 */
public record CalendarScope(String tenant, GroupId group, String rollout) {
    boolean includes(GroupId other, String itsRollout) {
        return (tenant == null || tenant.equals(other.tenant()))
                && (group == null || group.equals(other))
                && (rollout == null || rollout.equals(itsRollout));
    }

    /** The name that a calendar program shows. */
    String title() {
        String whose = group != null ? " " + group : tenant != null ? " " + tenant : "";
        return "Forewarn" + whose + (rollout == null ? "" : " rollout " + rollout);
    }
}
