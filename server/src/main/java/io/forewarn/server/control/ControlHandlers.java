package io.forewarn.server.control;

import com.fasterxml.jackson.core.JsonGenerator;
import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.NotFound;
import io.forewarn.server.history.History;
import io.forewarn.wire.control.Action;
import io.forewarn.wire.control.ActionRequest;
import io.forewarn.wire.control.ClockBody;
import io.forewarn.wire.control.ClockRepairRequest;
import io.forewarn.wire.control.ClockRequest;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.EtcdMemberBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.ReasonRequest;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.StatusBody;
import io.forewarn.wire.control.Version;
import io.forewarn.wire.openapi.OpenApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Handles most routes of the control API, one method each. */
final class ControlHandlers {
    static final String JSON = "application/json; charset=utf-8";

    private final ControlParts parts;
    private final TlsFiles tls;
    private final CommandGateway gateway;
    private final PolicyHandlers policies;

    ControlHandlers(ControlParts parts, TlsFiles tls) {
        this.parts = parts;
        this.tls = tls;
        this.gateway = parts.gateway();
        this.policies = new PolicyHandlers(parts);
    }

    void metrics(RequestContext call) {
        call.work(() -> parts.metrics().get())
                .onSuccess(text -> call.text(200, "text/plain; version=0.0.4; charset=utf-8", text))
                .onFailure(call::refuse);
    }

    void openApi(RequestContext call) {
        call.work(OpenApi::document)
                .onSuccess(text -> call.text(200, JSON, new String(text, StandardCharsets.UTF_8).stripTrailing()))
                .onFailure(call::refuse);
    }

    void status(RequestContext call) {
        // The store's location is shown only to callers that may see everything.
        boolean all = call.caller().everyTenant();
        CompletionStage<List<EtcdMemberBody>> members =
                all ? parts.peers().etcd() : CompletableFuture.completedFuture(null);
        call.working(members, etcd -> {
            PublishedState published = gateway.view();
            Map<String, Integer> events = new TreeMap<>();
            groupsSeenBy(call, published)
                    .forEach(g ->
                            g.state().events().forEach(e -> events.merge(EnumNames.of(e.phase()), 1, Integer::sum)));
            ServiceInfo facts = parts.facts();
            Optional<Duration> lag = facts.lag();
            return new StatusBody(
                    Version.text(),
                    facts.ready() && facts.fresh() && !gateway.storeIsMissing(),
                    Durations.print(Duration.ofSeconds(facts.uptime().toSeconds())),
                    EnumNames.of(parts.clockControl().kind()),
                    now().toString(),
                    parts.clockControl().trouble().orElse(null),
                    call.caller().everyTenant() ? facts.store() : facts.store().replaceFirst(":.*", ""),
                    gateway.trouble()
                            .map(t -> call.caller().everyTenant() ? t.getMessage() : "it does not accept writes")
                            .orElse(null),
                    gateway.epoch(),
                    gateway.queued(),
                    (int) groupsSeenBy(call, published)
                            .filter(g -> g.group() != null)
                            .count(),
                    groupsSeenBy(call, published)
                            .mapToInt(g -> g.machines().size())
                            .sum(),
                    events,
                    List.of(
                            "metadata " + facts.addresses().get(0),
                            "control " + facts.addresses().get(1)),
                    parts.peers().writer(),
                    parts.peers().nodes(),
                    lag.map(Durations::print).orElse(null),
                    facts.uptime().toSeconds(),
                    lag.map(heard -> heard.toMillis() / 1000.0).orElse(null),
                    parts.peers().forwardingError().orElse(null),
                    etcd);
        });
    }

    void doctor(RequestContext call) {
        call.working(parts.peers().etcd(), etcd -> new Doctor(parts, tls).findings(etcd));
    }

    void group(RequestContext call) {
        PublishedState published = gateway.view();
        GroupView group = lookup(call).group(call.part(0));
        call.json(BodyMapper.group(group, enabled(published, group)));
    }

    void machine(RequestContext call) {
        call.json(BodyMapper.machine(lookup(call).machine(call.part(0)), now()));
    }

    void act(RequestContext call) {
        boolean single = call.route() == Route.MACHINE_ACTION;
        String word = call.part(single ? 1 : 0);
        Action action = Action.of(word).orElseThrow(() -> noAction(word));
        ActionRequest request = call.body(ActionRequest.class, new ActionRequest(null, null, null, null, null));
        List<String> names = request.machines() == null ? List.of() : request.machines();
        if (single && !names.isEmpty()) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "the machine is given by the path; use 'machines' only with /v1/actions/" + word);
        }
        if (!single && names.isEmpty()) {
            throw new RefusedException(Problem.BAD_INPUT, "no machine is given; use {\"machines\":[\"NAME\"]}");
        }
        NameLookup lookup = lookup(call);
        if (single) {
            act(call, action, request, List.of(lookup.maybeMachine(call.part(0))));
        } else if (names.stream().allMatch(name -> new NamePattern(name).isPlain())) {
            act(call, action, request, names.stream().map(lookup::maybeMachine).toList());
        } else {
            call.work(() -> lookup.maybeMachines(names))
                    .onFailure(call::refuse)
                    .onSuccess(machines -> call.attempt(() -> act(call, action, request, machines)));
        }
    }

    private void act(RequestContext call, Action action, ActionRequest request, List<MachineId> machines) {
        Command command = new Command.Schedule(
                action.cause(),
                machines,
                request.notice() == null ? null : duration("notice", request.notice()),
                request.description(),
                request.duration() == null ? null : duration("duration", request.duration()),
                Boolean.TRUE.equals(request.rehearsal()),
                call.caller().actor());
        call.after(gateway.submit(command, call.once()), this::outcome);
    }

    private static RefusedException noAction(String word) {
        String hint = NameRules.nearest(word, Action.words())
                .map(n -> "did you mean '" + n + "'?")
                .orElse("actions are " + String.join(", ", Action.words()));
        return new RefusedException(Problem.NOT_FOUND, "there is no action '" + word + "'; " + hint);
    }

    void event(RequestContext call) {
        EventId id = NameLookup.eventId(call.part(0));
        boolean whole = call.truth("history", true);
        if (whole || open(id).isEmpty()) {
            call.readingLog(() -> event(call, id, whole));
        } else {
            call.working(() -> event(call, id, false));
        }
    }

    private Optional<Event> open(EventId id) {
        return gateway.view()
                .groupOf(id)
                .flatMap(group -> gateway.view().state(group).event(id));
    }

    private Object event(RequestContext call, EventId id, boolean whole) {
        GroupId group = gateway.view().groupOf(id).orElse(null);
        Event open =
                group == null ? null : gateway.view().state(group).event(id).orElse(null);
        // A caller that only waits for the end does not need the log.
        History.Life life = whole || open == null ? parts.history().of(id) : null;
        List<HistoryEntry> history = life == null ? null : life.entries();
        if (open == null && history.isEmpty()) {
            // The extent of the search would reveal to an owner that the event exists.
            throw life.searchedAll() || !call.caller().everyTenant() ? NotFound.event(id) : notFoundSoFar(id);
        }
        GroupId owner = open != null ? group : history.get(0).group();
        if (owner != null && !call.caller().maySee(owner.tenant())) {
            throw theirs(id);
        }
        return open == null
                ? BodyMapper.ended(id, history)
                : BodyMapper.event(
                        group,
                        open,
                        policies.blockers(call.caller(), group, open),
                        policies.values(group, open),
                        history);
    }

    /** Reported like an event that never existed. */
    private static AccessDeniedException theirs(EventId id) {
        RefusedException unknown = NotFound.event(id);
        return new AccessDeniedException(unknown.problem(), unknown.getMessage());
    }

    private static RefusedException notFoundSoFar(EventId id) {
        return new RefusedException(
                Problem.NOT_FOUND,
                "there is no event " + id + " among the last " + History.SEARCHED
                        + " commits, and older ones are not searched for a single event; 'forewarn history --event "
                        + id
                        + "' reads them all");
    }

    void approve(RequestContext call) {
        EventId id = openEvent(call);
        Command command = new Command.Approve(
                null, List.of(id), reason(call), call.caller().actor());
        call.after(gateway.submit(command, call.once()), this::outcome);
    }

    void cancel(RequestContext call) {
        EventId id = openEvent(call);
        PublishedState published = gateway.view();
        published.groupOf(id).flatMap(group -> published.state(group).event(id)).ifPresent(event -> {
            if (event.work().unit() != null) {
                // Others on the same host wait for it, too.
                call.caller().mustOperate("cancelling an event of a rollout, which can be postponed,");
            }
        });
        Command command = new Command.Cancel(id, reason(call), call.caller().actor());
        call.after(gateway.submit(command, call.once()), this::outcome);
    }

    static String reason(RequestContext call) {
        return call.body(ReasonRequest.class, ReasonRequest.NONE).given();
    }

    PolicyHandlers policies() {
        return policies;
    }

    EventId openEvent(RequestContext call) {
        EventId id = NameLookup.eventId(call.part(0));
        gateway.view().groupOf(id).ifPresent(group -> {
            if (!call.caller().maySee(group.tenant())) {
                throw theirs(id);
            }
        });
        return id;
    }

    private CommandResultBody outcome(CommandResult result) {
        return BodyMapper.outcome(gateway.view(), result);
    }

    void clock(RequestContext call) {
        call.json(clockBody(now()));
    }

    void advance(RequestContext call) {
        ClockRequest request = call.body(ClockRequest.class, new ClockRequest(null, null));
        if (request.by() == null || request.to() != null) {
            throw new RefusedException(Problem.BAD_INPUT, "no duration is given; use {\"by\":\"15m\"}");
        }
        Duration by = duration("by", request.by());
        call.afterLong(parts.clockControl().advance(by, call.caller().actor(), call.once()), this::clockBody);
    }

    void set(RequestContext call) {
        ClockRequest request = call.body(ClockRequest.class, new ClockRequest(null, null));
        if (request.to() == null || request.by() != null) {
            throw new RefusedException(Problem.BAD_INPUT, "no time is given; use {\"to\":\"2030-01-01T00:00:00Z\"}");
        }
        Instant to = parts.time("to", request.to());
        call.afterLong(parts.clockControl().set(to, call.caller().actor(), call.once()), this::clockBody);
    }

    void repair(RequestContext call) {
        ClockRepairRequest request = call.body(ClockRepairRequest.class, new ClockRepairRequest(null));
        call.after(parts.clockControl().repair(request.node(), call.caller().actor(), call.once()), this::clockBody);
    }

    private ClockBody clockBody(Instant now) {
        return new ClockBody(EnumNames.of(parts.clockControl().kind()), now.toString());
    }

    interface Items {
        void write(JsonGenerator json) throws Exception;
    }

    static void list(RequestContext call, Items items) {
        call.streaming(JSON, writing(call, items));
    }

    /** The same for entries read from the log. */
    static void listOfLog(RequestContext call, Items items) {
        call.streamingLog(JSON, writing(call, items));
    }

    private static RequestContext.Writing writing(RequestContext call, Items items) {
        String name = call.route().list().orElseThrow();
        return out -> {
            JsonGenerator json = Json.mapper().getFactory().createGenerator(out);
            json.setCodec(Json.mapper());
            json.writeStartObject();
            json.writeArrayFieldStart(name);
            items.write(json);
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw('\n');
            json.flush();
        };
    }

    static void write(JsonGenerator json, Object item) {
        try {
            json.writePOJO(item);
        } catch (IOException lost) {
            throw new UncheckedIOException(lost);
        }
    }

    private Stream<GroupView> groupsSeenBy(RequestContext call, PublishedState published) {
        return published.allGroups().stream().filter(g -> call.caller().maySee(g.id().tenant()));
    }

    private boolean enabled(PublishedState published, GroupView group) {
        return gateway.rules().enabled(published, group.id(), now());
    }

    private NameLookup lookup(RequestContext call) {
        return new NameLookup(gateway.view(), call.caller(), call.query("tenant"));
    }

    static String tenant(RequestContext call) {
        String tenant = call.query("tenant");
        if (tenant != null) {
            call.caller().mustOpen(tenant);
        }
        return tenant;
    }

    private Instant now() {
        return parts.clock().now().wall();
    }

    static Duration duration(String what, String text) {
        return Durations.parse(text)
                .orElseThrow(() -> new RefusedException(
                        Problem.BAD_INPUT, what + " must be " + Durations.RULE + ", not '" + text + "'"));
    }
}
