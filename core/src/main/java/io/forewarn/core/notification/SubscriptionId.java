package io.forewarn.core.notification;

import java.util.Locale;
import java.util.Optional;

/**
 * A recipient's name.
 *
 * @param tenant the only tenant it is told of, or {@link #EVERY_TENANT}
 */
public record SubscriptionId(Channel channel, String tenant, String name) implements Comparable<SubscriptionId> {
    public static final String EVERY_TENANT = "*";

    public boolean isOf(String owner, Channel by) {
        return channel == by && tenant.equals(owner);
    }

    public boolean everyTenant() {
        return tenant.equals(EVERY_TENANT);
    }

    /** As it stands in keys: {@code webhook/shop/ops}. */
    public String path() {
        return channel.name().toLowerCase(Locale.ROOT) + "/" + tenant + "/" + name;
    }

    /** The one that a path names; empty if it names none. */
    public static Optional<SubscriptionId> ofPath(String path) {
        String[] parts = path.split("/", -1);
        for (Channel channel : Channel.values()) {
            if (parts.length == 3 && channel.name().toLowerCase(Locale.ROOT).equals(parts[0])) {
                return Optional.of(new SubscriptionId(channel, parts[1], parts[2]));
            }
        }
        return Optional.empty();
    }

    /** As history names it: {@code webhook shop/ops}. */
    public String described() {
        return channel.name().toLowerCase(Locale.ROOT) + " " + this;
    }

    @Override
    public int compareTo(SubscriptionId other) {
        return path().compareTo(other.path());
    }

    /** As people write it: {@code shop/ops}, or {@code ops} if it is told of all tenants. */
    @Override
    public String toString() {
        return everyTenant() ? name : tenant + "/" + name;
    }
}
