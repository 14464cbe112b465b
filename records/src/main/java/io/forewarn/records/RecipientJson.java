package io.forewarn.records;

import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.notice.Channel;
import io.forewarn.core.notice.News;
import io.forewarn.core.notice.Recipient;
import io.forewarn.core.notice.RecipientId;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Who is told what. */
final class RecipientJson {
    private RecipientJson() {}

    static void write(JsonOut out, Recipient recipient) throws IOException {
        id(out, recipient.id());
        out.texts("groups", recipient.wants().orderedGroups());
        out.texts("what", recipient.wants().orderedNews());
        out.blankable("url", recipient.url());
        out.texts("to", recipient.to());
        out.blankable("secret", recipient.secret());
        out.instant("createdAt", recipient.createdAt());
        out.number("since", recipient.since());
    }

    static Recipient read(JsonIn in) throws IOException {
        Id id = new Id();
        Set<GroupId> groups = Set.of();
        Set<News> news = Set.of();
        String url = "";
        List<String> to = List.of();
        String secret = "";
        Instant createdAt = null;
        long since = 0;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "groups" -> groups = Set.copyOf(in.list(JsonIn::groupId));
                case "what" -> news = Set.copyOf(in.list(i -> i.constant(News.class)));
                case "url" -> url = in.text();
                case "to" -> to = in.list(JsonIn::text);
                case "secret" -> secret = in.text();
                case "createdAt" -> createdAt = in.instant();
                case "since" -> since = in.bigNumber();
                default -> id.take(name, in);
            }
        }
        return new Recipient(
                id.whole(), groups, news, url, to, secret, Damaged.unlessNull(createdAt, "createdAt"), since);
    }

    static void id(JsonOut out, RecipientId id) throws IOException {
        out.constant("channel", id.channel());
        out.text("tenant", id.tenant());
        out.text("name", id.name());
    }

    /** The three members that name a recipient. */
    static final class Id {
        private Channel channel;
        private String tenant;
        private String name;

        void take(String member, JsonIn in) throws IOException {
            switch (member) {
                case "channel" -> channel = in.constant(Channel.class);
                case "tenant" -> tenant = in.sharedText();
                case "name" -> name = in.sharedText();
                default -> in.skip();
            }
        }

        RecipientId whole() throws IOException {
            return new RecipientId(
                    Damaged.unlessNull(channel, "channel"),
                    Damaged.unlessNull(tenant, "tenant"),
                    Damaged.unlessNull(name, "name"));
        }
    }
}
