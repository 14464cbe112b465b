package io.forewarn.wire.control;

import io.forewarn.core.Actor;
import io.forewarn.core.history.HistoryEntry;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * One line of history.
 *
 * @param kind the transition of the event, or what else happened
 * @param rollout the rollout it is part of
 * @param type the event type that machines see: freeze, reboot, redeploy, preempt or terminate
 * @param cause what was requested, or what happened
 * @param promised the notice promised
 * @param given the notice actually given
 * @param reason the reason that was given for it
 */
public record HistoryEntryBody(
        String at,
        String kind,
        String tenant,
        String group,
        String rollout,
        String event,
        String type,
        String cause,
        List<String> machines,
        ActorBody by,
        String notBefore,
        String promised,
        String given,
        String detail,
        String reason) {
    /** The names of its cells. */
    public static final List<String> CELLS = List.of(
            "at",
            "kind",
            "tenant",
            "group",
            "rollout",
            "event",
            "type",
            "cause",
            "machines",
            "byKind",
            "byName",
            "byAddress",
            "notBefore",
            "promised",
            "given",
            "detail",
            "reason");

    public List<String> cells() {
        return Arrays.asList(
                at,
                kind,
                tenant,
                group,
                rollout,
                event,
                type,
                cause,
                cell(machines),
                by == null ? null : by.kind(),
                by == null ? null : by.name(),
                by == null ? null : by.address(),
                notBefore,
                promised,
                given,
                detail,
                reason);
    }

    /** Several names in one cell; no name holds a blank. */
    static String cell(List<String> names) {
        return names == null ? null : String.join(" ", names);
    }

    public static HistoryEntryBody of(HistoryEntry entry) {
        return new HistoryEntryBody(
                time(entry.at()),
                EnumNames.of(entry.what()),
                entry.group() == null ? null : entry.group().tenant(),
                entry.group() == null ? null : entry.group().name(),
                entry.rollout(),
                entry.event() == null ? null : entry.event().toString(),
                entry.cause() == null ? null : EnumNames.of(entry.cause().type()),
                entry.cause() == null ? null : EnumNames.of(entry.cause()),
                entry.machines().isEmpty() ? null : entry.machines(),
                actor(entry.actor()),
                time(entry.notBefore()),
                entry.promised() == null ? null : Durations.print(entry.promised()),
                entry.given() == null ? null : Durations.print(entry.given()),
                blankless(entry.detail()),
                blankless(entry.reason()));
    }

    private static ActorBody actor(Actor actor) {
        return actor == null
                ? null
                : new ActorBody(EnumNames.of(actor.kind()), blankless(actor.name()), blankless(actor.from()));
    }

    private static String time(Instant time) {
        return time == null ? null : time.toString();
    }

    private static String blankless(String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
