package io.forewarn.records;

import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeliveryOptions;
import io.forewarn.core.notification.DigestSchedule;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.notification.WebhookFormat;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;

/** Reads and writes subscriptions. */
final class SubscriptionJson {
    private SubscriptionJson() {}

    static void write(JsonWriter out, Subscription subscription) throws IOException {
        id(out, subscription.id());
        out.texts("groups", subscription.wants().orderedGroups());
        out.texts("what", subscription.wants().orderedNews());
        out.blankable("url", subscription.url());
        out.texts("to", subscription.to());
        out.blankable("secret", subscription.secret());
        out.instant("createdAt", subscription.createdAt());
        out.number("since", subscription.since());
        DeliveryOptions options = subscription.options();
        if (options.digest() != DeliveryOptions.DEFAULTS.digest()) {
            out.constant("digest", options.digest());
        }
        out.maybe("zone", options.zone());
        if (options.format() != DeliveryOptions.DEFAULTS.format()) {
            out.constant("body", options.format());
        }
    }

    static Subscription read(JsonReader in) throws IOException {
        Id id = new Id();
        Set<GroupId> groups = Set.of();
        Set<NotificationType> news = Set.of();
        String url = "";
        List<String> to = List.of();
        String secret = "";
        Instant createdAt = null;
        long since = 0;
        DigestSchedule.Frequency digest = DeliveryOptions.DEFAULTS.digest();
        ZoneId zone = null;
        WebhookFormat format = DeliveryOptions.DEFAULTS.format();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "groups" -> groups = Set.copyOf(in.list(JsonReader::groupId));
                case "what" -> news = Set.copyOf(in.list(i -> i.constant(NotificationType.class)));
                case "url" -> url = in.text();
                case "to" -> to = in.list(JsonReader::text);
                case "secret" -> secret = in.text();
                case "createdAt" -> createdAt = in.instant();
                case "since" -> since = in.bigNumber();
                case "digest" -> digest = in.constant(DigestSchedule.Frequency.class);
                case "zone" -> zone = in.zone();
                case "body" -> format = in.constant(WebhookFormat.class);
                default -> id.take(name, in);
            }
        }
        return new Subscription(
                id.whole(),
                groups,
                news,
                url,
                to,
                secret,
                DamagedRecordException.unlessNull(createdAt, "createdAt"),
                since,
                new DeliveryOptions(digest, zone, format));
    }

    static void id(JsonWriter out, SubscriptionId id) throws IOException {
        out.constant("channel", id.channel());
        out.text("tenant", id.tenant());
        out.text("name", id.name());
    }

    /** The three members that identify a subscription. */
    static final class Id {
        private Channel channel;
        private String tenant;
        private String name;

        void take(String member, JsonReader in) throws IOException {
            switch (member) {
                case "channel" -> channel = in.constant(Channel.class);
                case "tenant" -> tenant = in.sharedText();
                case "name" -> name = in.sharedText();
                default -> in.skip();
            }
        }

        SubscriptionId whole() throws IOException {
            return new SubscriptionId(
                    DamagedRecordException.unlessNull(channel, "channel"),
                    DamagedRecordException.unlessNull(tenant, "tenant"),
                    DamagedRecordException.unlessNull(name, "name"));
        }
    }
}
