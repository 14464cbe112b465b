package io.forewarn.core.policy;

import io.forewarn.core.event.EventType;
import io.forewarn.core.fleet.GroupId;
import java.util.List;
import java.util.Locale;

/**
 * Identifies what a policy applies to.
 *
 * @param group null for all groups of the tenant
 * @param type null for all types of events
 */
public record Scope(String tenant, String group, EventType type) {
    /** All scopes that contain an event, the most specific first. */
    public static List<Scope> of(GroupId group, EventType type) {
        return List.of(
                new Scope(group.tenant(), group.name(), type),
                new Scope(group.tenant(), group.name(), null),
                new Scope(group.tenant(), null, type),
                new Scope(group.tenant(), null, null));
    }

    public boolean covers(GroupId id) {
        return tenant.equals(id.tenant()) && (group == null || group.equals(id.name()));
    }

    /** {@code tenant/group/type}, with {@code *} for null. */
    @Override
    public String toString() {
        return tenant + "/" + (group == null ? "*" : group) + "/"
                + (type == null ? "*" : type.name().toLowerCase(Locale.ROOT));
    }

    /** Described for people. */
    public String words() {
        return (group == null ? "tenant " + tenant : "group " + tenant + "/" + group)
                + (type == null ? "" : ", type " + type.name().toLowerCase(Locale.ROOT));
    }
}
