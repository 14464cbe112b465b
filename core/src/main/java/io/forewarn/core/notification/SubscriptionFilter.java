package io.forewarn.core.notification;

import io.forewarn.core.fleet.GroupId;
import java.util.Set;
import java.util.TreeSet;

/**
 * Selects the notifications of a subscription.
 *
 * @param tenant null for all tenants and for entries about the whole service
 * @param groups empty for all
 */
public record SubscriptionFilter(String tenant, Set<GroupId> groups, Set<NotificationType> news) {
    public SubscriptionFilter {
        groups = Set.copyOf(groups);
        news = Set.copyOf(news);
    }

    /** @param group null if it concerns none */
    public boolean include(GroupId group, NotificationType told) {
        return news.contains(told)
                && (tenant == null || group != null && tenant.equals(group.tenant()))
                && (groups.isEmpty() || group != null && hasGroup(group));
    }

    private boolean hasGroup(GroupId group) {
        return group.isWholeTenant()
                ? groups.stream().anyMatch(g -> g.tenant().equals(group.tenant()))
                : groups.contains(group);
    }

    /** Sorted for people. */
    public Set<GroupId> orderedGroups() {
        return new TreeSet<>(groups);
    }

    public Set<NotificationType> orderedNews() {
        return new TreeSet<>(news);
    }
}
