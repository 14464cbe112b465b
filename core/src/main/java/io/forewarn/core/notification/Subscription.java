package io.forewarn.core.notification;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Describes a subscription to notifications.
 *
 * @param groups the only groups it covers; empty for all
 * @param url URL of a webhook; blank for mail
 * @param to mail addresses; empty for a webhook
 * @param secret signing secret of a webhook, in plain text because signing needs it; blank for mail
 * @param since the commit that created it: it receives what came after
 * @param options how it wants to be told
 */
public record Subscription(
        SubscriptionId id,
        Set<GroupId> groups,
        Set<NotificationType> news,
        String url,
        List<String> to,
        String secret,
        Instant createdAt,
        long since,
        DeliveryOptions options)
        implements StoredRecord {
    public static final String PREFIX = "recipient/";

    public Subscription {
        groups = Set.copyOf(groups);
        news = Set.copyOf(news);
        to = List.copyOf(to);
    }

    /** With the usual options. */
    public Subscription(
            SubscriptionId id,
            Set<GroupId> groups,
            Set<NotificationType> news,
            String url,
            List<String> to,
            String secret,
            Instant createdAt,
            long since) {
        this(id, groups, news, url, to, secret, createdAt, since, DeliveryOptions.DEFAULTS);
    }

    public SubscriptionFilter wants() {
        return new SubscriptionFilter(id.everyTenant() ? null : id.tenant(), groups, news);
    }

    public Subscription madeBy(long commit) {
        return new Subscription(id, groups, news, url, to, secret, createdAt, commit, options);
    }

    @Override
    public String key() {
        return PREFIX + id.path();
    }

    @Override
    public String toString() {
        return "Subscription[" + id + ", secret=***]";
    }
}
