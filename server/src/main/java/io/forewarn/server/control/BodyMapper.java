package io.forewarn.server.control;

import io.forewarn.core.Actor;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.wire.control.ActorBody;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.GroupBody;
import io.forewarn.wire.control.HistoryEntryBody;
import io.forewarn.wire.control.MachineBody;
import io.forewarn.wire.control.PostponementBody;
import io.forewarn.wire.control.SourcedValueBody;
import io.forewarn.wire.control.StartBlockerBody;
import io.forewarn.wire.control.TokenBody;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Maps core objects to bodies of the control API. */
final class BodyMapper {
    /** After how long without a poll a machine counts as silent. Handlers poll about once a second. */
    static final Duration SILENT = Duration.ofMinutes(5);

    private BodyMapper() {}

    /** The result with the current state of its events; one that has already ended has only its id. */
    static CommandResultBody outcome(PublishedState published, CommandResult result) {
        List<EventBody> events =
                result.events().stream().map(id -> present(published, id)).toList();
        return new CommandResultBody(events, result.changes());
    }

    private static EventBody present(PublishedState published, EventId id) {
        return published
                .groupOf(id)
                .flatMap(g -> published.state(g).event(id).map(e -> event(g, e, null)))
                .orElseGet(() -> EventBody.gone(id.toString()));
    }

    static EventBody event(GroupId group, Event event, List<HistoryEntry> history) {
        return event(group, event, null, null, history);
    }

    static EventBody event(
            GroupId group,
            Event event,
            List<StartBlockerBody> blockers,
            List<SourcedValueBody> policy,
            List<HistoryEntry> history) {
        Cause cause = event.work().cause();
        return new EventBody(
                event.id().toString(),
                group.tenant(),
                group.name(),
                EnumNames.of(event.phase()),
                EnumNames.of(cause.type()),
                EnumNames.of(cause),
                EnumNames.of(cause.source()),
                event.resources(),
                event.work().updateDomain(),
                event.work().description(),
                event.work().unit() == null ? null : event.work().unit().rollout(),
                event.work().rehearsal() ? true : null,
                time(event.work().acceptedAt()),
                event.noticePeriod() == null ? null : time(event.noticePeriod().notBefore()),
                Durations.print(event.work().notice()),
                event.work().expectedInterruption().map(Durations::print).orElse(null),
                event.shown(),
                event.approval() == null ? null : actor(event.approval().by()),
                event.approval() == null ? null : time(event.approval().at()),
                event.attempt() == null ? null : time(event.attempt().startedAt()),
                event.attempt() == null ? null : event.attempt().attempt(),
                sightings(event.sightings()),
                event.joined().isEmpty() ? null : joined(event),
                sightings(event.voices()),
                postponements(event),
                blockers,
                policy,
                null,
                history == null ? null : history.stream().map(BodyMapper::entry).toList());
    }

    /** When an event may start without approval, or was accepted if that is not decided yet. */
    static Instant earliestStart(Event event) {
        return event.noticePeriod() == null
                ? event.work().acceptedAt()
                : event.noticePeriod().notBefore();
    }

    private static String joined(Event event) {
        return event.joined().values().stream()
                .map(EnumNames::of)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** An event that has ended, from its history, oldest first. */
    static EventBody ended(EventId id, List<HistoryEntry> history) {
        HistoryEntry first = history.get(0);
        HistoryEntry last = history.get(history.size() - 1);
        Cause cause = first.cause();
        return new EventBody(
                id.toString(),
                first.group() == null ? null : first.group().tenant(),
                first.group() == null ? null : first.group().name(),
                "ended",
                cause == null ? null : EnumNames.of(cause.type()),
                cause == null ? null : EnumNames.of(cause),
                cause == null ? null : EnumNames.of(cause.source()),
                first.machines(),
                null,
                null,
                rollout(history),
                first.saysRehearsal() ? true : null,
                time(first.at()),
                history.stream()
                        .map(HistoryEntry::notBefore)
                        .filter(t -> t != null)
                        .reduce((a, b) -> b)
                        .map(BodyMapper::time)
                        .orElse(null),
                history.stream()
                        .map(HistoryEntry::promised)
                        .filter(d -> d != null)
                        .findFirst()
                        .map(Durations::print)
                        .orElse(null),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                EnumNames.of(last.what()),
                history.stream().map(BodyMapper::entry).toList());
    }

    /** The rollout of an event; null if there is none. */
    static String rollout(List<HistoryEntry> history) {
        return history.stream()
                .map(HistoryEntry::rollout)
                .filter(r -> r != null)
                .findFirst()
                .orElse(null);
    }

    private static List<PostponementBody> postponements(Event event) {
        List<PostponementBody> all = event.postponements().stream()
                .map(p -> new PostponementBody(EnumNames.of(p.by()), time(p.from()), time(p.until())))
                .toList();
        return all.isEmpty() ? null : all;
    }

    static HistoryEntryBody entry(HistoryEntry entry) {
        return HistoryEntryBody.of(entry);
    }

    static ActorBody actor(Actor actor) {
        return actor == null
                ? null
                : new ActorBody(EnumNames.of(actor.kind()), blankless(actor.name()), blankless(actor.from()));
    }

    static GroupBody group(GroupView view, boolean enabled) {
        Group group = view.group();
        return new GroupBody(
                view.id().tenant(),
                view.id().name(),
                EnumNames.of(group.kind()),
                group.updateDomains(),
                group.faultDomains(),
                view.machines().size(),
                enabled,
                time(view.state().enabledAt()),
                view.state().incarnation(),
                poll(view.lastPoll()),
                view.state().events().size());
    }

    static MachineBody machine(MachineView view, Instant now) {
        Machine machine = view.machine();
        MachineCondition known = view.condition();
        MachineCondition condition = known == null ? MachineCondition.fresh(machine.id()) : known;
        Event event = view.group().state().events().stream()
                .filter(e -> e.lists(machine.name()))
                // Besides its own event a machine may have some of rollouts: started ones come first.
                .max(Comparator.comparing(Event::phase))
                .orElse(null);
        return new MachineBody(
                machine.id().tenant(),
                machine.name(),
                machine.group().name(),
                machine.updateDomain(),
                machine.faultDomain(),
                blankless(machine.host()),
                machine.addresses(),
                blankless(machine.listen()),
                machine.spot(),
                machine.tags().isEmpty() ? null : new TreeMap<>(machine.tags()),
                EnumNames.of(condition.state()),
                condition.boots(),
                time(condition.since()),
                blankless(condition.detail()),
                event == null ? null : event.id().toString(),
                event == null ? null : EnumNames.of(event.phase()),
                polling(view.lastPoll(), now),
                poll(view.lastPoll()),
                blankless(view.apiVersion()));
    }

    static String polling(long lastPoll, Instant now) {
        if (lastPoll == 0) {
            return "never";
        }
        return now.toEpochMilli() - lastPoll > SILENT.toMillis() ? "silent" : "polling";
    }

    static TokenBody token(ApiToken token, String secret) {
        return new TokenBody(
                token.givenName(),
                EnumNames.of(token.role()),
                token.tenant(),
                time(token.createdAt()),
                time(token.expiresAt()),
                token.group(),
                token.rollout(),
                secret);
    }

    static String time(Instant time) {
        return time == null ? null : time.toString();
    }

    private static Map<String, String> sightings(Map<String, Instant> sightings) {
        Map<String, String> times = new TreeMap<>();
        sightings.forEach((machine, at) -> times.put(machine, at.toString()));
        return times.isEmpty() ? null : times;
    }

    private static String poll(long millis) {
        return millis == 0 ? null : Instant.ofEpochMilli(millis).toString();
    }

    static String blankless(String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
