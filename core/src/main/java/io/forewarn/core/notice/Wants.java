package io.forewarn.core.notice;

import io.forewarn.core.fleet.GroupId;
import java.util.Set;
import java.util.TreeSet;

/**
 * What somebody wants to be told of.
 *
 * @param tenant null for all, and for what concerns the whole service
 * @param groups empty for all
 */
public record Wants(String tenant, Set<GroupId> groups, Set<News> news) {
    public Wants {
        groups = Set.copyOf(groups);
        news = Set.copyOf(news);
    }

    /** @param group null if it concerns none */
    public boolean include(GroupId group, News told) {
        return news.contains(told)
                && (tenant == null || group != null && tenant.equals(group.tenant()))
                && (groups.isEmpty() || group != null && groups.contains(group));
    }

    /** In the order people expect. */
    public Set<GroupId> orderedGroups() {
        return new TreeSet<>(groups);
    }

    public Set<News> orderedNews() {
        return new TreeSet<>(news);
    }
}
