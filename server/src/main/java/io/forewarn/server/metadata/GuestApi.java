package io.forewarn.server.metadata;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Command;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.PostponeRequest;
import io.forewarn.wire.control.ReasonRequest;
import io.forewarn.wire.guest.GuestEvent;
import io.forewarn.wire.guest.GuestEventMapper;
import io.forewarn.wire.guest.GuestEvents;
import io.forewarn.wire.guest.GuestRoute;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Implements the API for machines under {@code /forewarn/v1}, limited to the events of their own group. */
final class GuestApi {
    /** Listed where polls have an api-version. */
    static final String VERSION = "forewarn/v1";

    private final CommandGateway gateway;

    GuestApi(CommandGateway gateway) {
        this.gateway = gateway;
    }

    PreparedReply events(MachineView machine, Actor actor, Instant now) {
        GroupId group = machine.group().id();
        String name = machine.machine().name();
        List<Event> shown =
                machine.group().state().events().stream().filter(Event::shown).toList();
        Set<EventId> unseen = shown.stream()
                .filter(e -> e.lists(name) && !e.sightings().containsKey(name))
                .map(Event::id)
                .collect(Collectors.toSet());
        if (!unseen.isEmpty()) {
            gateway.sighted(new Command.Sight(group, name, unseen, now, actor));
        }
        return reply(new GuestEvents(
                now.toString(),
                name,
                group.name(),
                shown.stream().map(e -> spelt(e, group, name, now)).toList()));
    }

    private GuestEvent spelt(Event event, GroupId group, String machine, Instant now) {
        PublishedState published = gateway.view();
        return GuestEventMapper.event(
                event,
                machine,
                gateway.rules().blockers(published, group, event, now).stream()
                        .map(blocker -> blocker.toldTo(group::equals))
                        .toList(),
                gateway.rules().policy(published, group, event.type()));
    }

    /** @throws RefusedException if the body is invalid */
    Command command(GuestRoute.Match match, Buffer body, MachineView machine, Actor actor) {
        GroupId group = machine.group().id();
        String name = machine.machine().name();
        return switch (match.route()) {
            case EVENTS -> throw new IllegalStateException("Nothing to decide");
            case READY -> new Command.Ready(group, name, List.of(match.event()), actor);
            case RECOVERED -> new Command.Recovered(group, name, actor);
            case POSTPONE -> postpone(group, match.event(), body.getBytes(), actor);
        };
    }

    private static Command postpone(GroupId group, EventId event, byte[] body, Actor actor) {
        PostponeRequest request = body.length == 0 ? PostponeRequest.EMPTY : Json.request(PostponeRequest.class, body);
        request.checkTime();
        return new Command.Postpone(
                group,
                event,
                time(request.until()),
                duration(request.by()),
                ReasonRequest.given(request.reason()),
                actor);
    }

    private static Instant time(String text) {
        try {
            return text == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException wrong) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "until must be a time such as 2030-01-01T00:00:00Z, not '" + text + "'");
        }
    }

    private static Duration duration(String text) {
        return text == null
                ? null
                : Durations.parse(text)
                        .orElseThrow(() -> new RefusedException(
                                Problem.BAD_INPUT, "by must be " + Durations.RULE + ", not '" + text + "'"));
    }

    /** The response after a command: the event in its new state. */
    PreparedReply done(GuestRoute.Match match, MachineView machine, Instant now) {
        if (match.event() == null) {
            return PreparedReply.json(200, "{}");
        }
        return reply(machine.group()
                .state()
                .event(match.event())
                .map(e -> spelt(e, machine.group().id(), machine.machine().name(), now))
                .orElseGet(() -> GuestEvent.gone(match.event().toString())));
    }

    private static PreparedReply reply(Object body) {
        return new PreparedReply(200, Buffer.buffer(Json.write(body)), PreparedReply.JSON, null, null);
    }
}
