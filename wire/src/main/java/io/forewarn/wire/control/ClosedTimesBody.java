package io.forewarn.wire.control;

import java.util.List;

/**
 * When a policy lets no platform work start. Of several policies that apply to an event, the most specific one that sets
 * windows, or blackouts, counts: first the group's for the type, then the group's, then the tenant's for the type, then
 * the tenant's.
 *
 * @param group absent if it applies to all groups of the tenant
 * @param type absent if it applies to all types
 * @param outsideWindows when none of its windows is open; absent if it sets no windows
 * @param blackouts absent if it sets no blackouts
 */
public record ClosedTimesBody(
        String tenant, String group, String type, List<TimeSpan> outsideWindows, List<TimeSpan> blackouts) {
    /**
     * A time.
     *
     * @param from its first instant
     * @param until the first instant after it
     */
    public record TimeSpan(String from, String until) {}
}
