package io.forewarn.core.notification;

import java.util.Locale;
import java.util.Optional;

/**
 * Identifies a subscription.
 *
 * @param tenant the only tenant it covers, or {@link #EVERY_TENANT}
 */
public record SubscriptionId(Channel channel, String tenant, String name) implements Comparable<SubscriptionId> {
    public static final String EVERY_TENANT = "*";

    public boolean isOf(String owner, Channel by) {
        return channel == by && tenant.equals(owner);
    }

    public boolean everyTenant() {
        return tenant.equals(EVERY_TENANT);
    }

    /** As used in keys: {@code webhook/shop/ops}. */
    public String path() {
        return channel.name().toLowerCase(Locale.ROOT) + "/" + tenant + "/" + name;
    }

    /** Parses a path; empty if it is invalid. */
    public static Optional<SubscriptionId> ofPath(String path) {
        String[] parts = path.split("/", -1);
        for (Channel channel : Channel.values()) {
            if (parts.length == 3 && channel.name().toLowerCase(Locale.ROOT).equals(parts[0])) {
                return Optional.of(new SubscriptionId(channel, parts[1], parts[2]));
            }
        }
        return Optional.empty();
    }

    /** As written in history: {@code webhook shop/ops}. */
    public String described() {
        return channel.name().toLowerCase(Locale.ROOT) + " " + this;
    }

    @Override
    public int compareTo(SubscriptionId other) {
        return path().compareTo(other.path());
    }

    /** As people write it: {@code shop/ops}, or {@code ops} if it covers all tenants. */
    @Override
    public String toString() {
        return everyTenant() ? name : tenant + "/" + name;
    }
}
