package io.forewarn.core.rollout;

import io.forewarn.core.fleet.GroupId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says when a unit of a rollout is to start. It is set when the rollout starts and moves later only if it must.
 *
 * @param at when the unit starts, unless it is approved earlier
 * @param first when it was to start by the first plan
 * @param due when it would start but for what owners asked for or added since: what they ask for later comes after it
 * @param evacuations when machines are moved off its host before that, in order; empty if none are
 * @param why what determined the time, for operators
 * @param group the group that {@code why} speaks of: other tenants must not read it; null if all may
 * @param notice how long before its turn machines are shown it; null for as long as the rollout says
 * @param leaving when which update domains are evacuated, as their owners were told last, by {@code TENANT/GROUP#DOMAIN}
 * @param postponements granted so far, also for events that are gone
 */
public record Turn(
        Instant at,
        Instant first,
        Instant due,
        List<Instant> evacuations,
        String why,
        GroupId group,
        Duration notice,
        Map<String, Instant> leaving,
        List<UnitPostponement> postponements) {
    /** Stands for groups of several tenants, of which the reason speaks. */
    public static final GroupId SEVERAL = new GroupId("*", "*");

    /** The reason for a time that nothing else determined. */
    public static final String NOTICE = "its machines get their notice";

    private static final String OF_SEVERAL = "other update domains of groups on its host were planned before it";

    /** What a tenant may read of the reason. */
    public static final String ANOTHER_TENANT = "another tenant on the same host";

    public Turn {
        evacuations = List.copyOf(evacuations);
        leaving = Map.copyOf(leaving);
        postponements = List.copyOf(postponements);
    }

    /** A turn of a first plan. */
    public static Turn planned(Instant at, List<Instant> evacuations, String why, GroupId group) {
        return new Turn(at, at, at, evacuations, why, group, null, Map.of(), List.of());
    }

    /** The same unit at another time. If owners have delayed it already, it would have been over by then but for them. */
    public Turn moved(Instant to, String reason, GroupId whose) {
        Instant then = due.isBefore(at) ? due : to;
        return new Turn(to, first, then, evacuations, reason, whose, notice, leaving, postponements);
    }

    /** The same unit with its host evacuated at other times. */
    public Turn evacuatedAt(List<Instant> times) {
        return new Turn(at, first, due, times, why, group, notice, leaving, postponements);
    }

    /** The same turn, after owners were told when these update domains are evacuated, and no others. */
    public Turn leaving(Map<String, Instant> domains) {
        return new Turn(at, first, due, evacuations, why, group, notice, domains, postponements);
    }

    /** The same turn, after the owners of these update domains were told that they stay. */
    public Turn notLeaving(List<String> domains) {
        Map<String, Instant> left = new HashMap<>(leaving);
        left.keySet().removeAll(domains);
        return leaving(left);
    }

    /** The same turn, shown to machines so long before it. */
    public Turn shownAhead(Duration longer) {
        return new Turn(at, first, due, evacuations, why, group, longer, leaving, postponements);
    }

    /** The same turn, for a reason that speaks of a group. */
    public Turn because(GroupId whose) {
        return new Turn(at, first, due, evacuations, why, whose, notice, leaving, postponements);
    }

    /** The same turn, with what owners ask for from then on coming after it. */
    public Turn dueAt(Instant then) {
        return new Turn(at, first, then, evacuations, why, group, notice, leaving, postponements);
    }

    /** The same turn, after one more postponement. */
    public Turn postponed(UnitPostponement granted) {
        List<UnitPostponement> more = new ArrayList<>(postponements);
        more.add(granted);
        return new Turn(at, first, due, evacuations, why, group, notice, leaving, more);
    }

    /** When something of it starts next. */
    public Instant next() {
        return evacuations.isEmpty() ? at : evacuations.get(0);
    }

    /** What the owners of an update domain were told: when it is evacuated, or worked on with its host. */
    public Instant told(String domain) {
        return leaving.getOrDefault(domain, at);
    }

    public boolean hasMoved() {
        return !at.equals(first);
    }

    /** The reason as the owner of a tenant may read it; null for who may read everything. */
    public String why(String reader) {
        return why(why, group, reader);
    }

    /** What the owner of a tenant may read of a reason that speaks of a group. */
    public static String why(String why, GroupId group, String reader) {
        if (reader == null || group == null || group.tenant().equals(reader)) {
            return why;
        }
        return group.equals(SEVERAL) ? OF_SEVERAL : ANOTHER_TENANT;
    }
}
