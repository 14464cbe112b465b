package io.forewarn.records;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.SubscriptionId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Reads and writes history entries. */
final class HistoryEntryJson {
    private static final String OF_ROLLOUTS = "ROLLOUT_";

    private HistoryEntryJson() {}

    static void write(JsonWriter out, HistoryEntry entry) throws IOException {
        out.open();
        out.instant("at", entry.at());
        out.text("what", StoredStepNames.stored(entry.what()));
        out.maybe("group", entry.group());
        out.maybe("event", entry.event());
        out.maybeConstant("cause", entry.cause());
        out.texts("machines", entry.machines());
        ActorJson.write(out, "actor", entry.actor());
        out.maybeInstant("notBefore", entry.notBefore());
        out.maybe("promised", entry.promised());
        out.maybe("given", entry.given());
        out.blankable("detail", entry.detail());
        out.maybe("rollout", entry.rollout());
        out.maybe(
                "recipient",
                entry.recipient() == null ? null : entry.recipient().path());
        out.blankable("reason", entry.reason());
        out.close();
    }

    static HistoryEntry read(JsonReader in) throws IOException {
        Instant at = null;
        String what = null;
        GroupId group = null;
        EventId event = null;
        Cause cause = null;
        List<String> machines = List.of();
        Actor actor = null;
        Instant notBefore = null;
        Duration promised = null;
        Duration given = null;
        String detail = "";
        String rollout = null;
        SubscriptionId recipient = null;
        String reason = "";
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "at" -> at = in.instant();
                case "what" -> what = StoredStepNames.name(in.sharedText());
                case "group" -> group = in.groupId();
                case "event" -> event = EventJson.id(in);
                case "cause" -> cause = in.constant(Cause.class);
                case "machines" -> machines = in.list(JsonReader::text);
                case "actor" -> actor = ActorJson.read(in);
                case "notBefore" -> notBefore = in.instant();
                case "promised" -> promised = in.duration();
                case "given" -> given = in.duration();
                case "detail" -> detail = in.text();
                case "rollout" -> rollout = in.sharedText();
                case "recipient" -> recipient = SubscriptionId.ofPath(in.text()).orElse(null);
                case "reason" -> reason = in.text();
                default -> in.skip();
            }
        }
        if (rollout == null && what != null && what.startsWith(OF_ROLLOUTS)) {
            // Older entries have no rollout member: their detail begins with the rollout, whose name contains neither
            // colon nor space.
            rollout = detail.split(": ", 2)[0];
        }
        return new HistoryEntry(
                DamagedRecordException.unlessNull(at, "at"),
                DamagedRecordException.unlessNull(what, "what"),
                group,
                event,
                cause,
                machines,
                DamagedRecordException.unlessNull(actor, "actor"),
                notBefore,
                promised,
                given,
                detail,
                rollout,
                recipient,
                reason);
    }
}
