package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rules.NotFound;
import io.forewarn.wire.control.EnumNames;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Handles requests for lists of groups, machines and events. */
final class ListHandlers {
    private static final long ALL = Long.MAX_VALUE;
    private static final List<String> POLLING = List.of("never", "polling", "silent");
    private static final List<String> STATES = Stream.of(Phase.WAITING, Phase.SCHEDULED, Phase.STARTED)
            .map(EnumNames::of)
            .toList();

    /** A machine with its last poll, which must not change while it is sorted. */
    private record PolledMachine(MachineView view, long lastPoll) {
        Machine machine() {
            return view.machine();
        }
    }

    /** An open event with its group. */
    private record GroupEvent(GroupId group, Event event) {
        boolean names(Set<String> machines) {
            return event.resources().stream().anyMatch(machines::contains);
        }
    }

    private static final Map<String, Comparator<PolledMachine>> MACHINE_ORDERS = new TreeMap<>(Map.of(
            "name", Comparator.comparing(m -> m.machine().id().toString()),
            "group", Comparator.comparing(m -> m.machine().group()),
            "host", Comparator.comparing(m -> m.machine().host()),
            "last-poll", Comparator.comparing(PolledMachine::lastPoll)));

    private static final Map<String, Comparator<GroupEvent>> EVENT_ORDERS = new TreeMap<>(Map.of(
            "group", Comparator.comparing(GroupEvent::group),
            "not-before", Comparator.comparing(e -> BodyMapper.earliestStart(e.event())),
            "state", Comparator.comparing(e -> e.event().phase()),
            "type", Comparator.comparing(e -> EnumNames.of(e.event().type()))));

    private final ControlParts parts;
    private final CommandGateway gateway;
    private final PolicyHandlers policies;

    ListHandlers(ControlParts parts) {
        this.parts = parts;
        this.gateway = parts.gateway();
        this.policies = new PolicyHandlers(parts);
    }

    void groups(RequestContext call) {
        ControlHandlers.list(call, json -> {
            PublishedState published = gateway.view();
            Instant now = parts.clock().now().wall();
            new ListFilter(published, call)
                    .groups()
                    .limit(call.limit(ALL))
                    .forEach(group -> ControlHandlers.write(
                            json, BodyMapper.group(group, gateway.rules().enabled(published, group.id(), now))));
        });
    }

    void machines(RequestContext call) {
        ControlHandlers.list(call, json -> {
            String polling = oneOf("polling", call.query("polling"), POLLING);
            Instant now = parts.clock().now().wall();
            ListFilter filter = new ListFilter(gateway.view(), call);
            filter.sorted(
                            MACHINE_ORDERS,
                            filter.machines()
                                    .map(m -> new PolledMachine(m, m.lastPoll()))
                                    .filter(m ->
                                            polling == null || polling.equals(BodyMapper.polling(m.lastPoll, now))))
                    .limit(call.limit(ALL))
                    .forEach(m -> ControlHandlers.write(json, BodyMapper.machine(m.view, now)));
        });
    }

    void events(RequestContext call) {
        ControlHandlers.list(call, json -> {
            String type = oneOf("type", call.query("type"), EnumNames.all(EventType.class));
            String state = oneOf("state", call.query("state"), STATES);
            boolean blockers = call.truth("blockers", false);
            ListFilter filter = new ListFilter(gateway.view(), call);
            Map<GroupId, Set<String>> onHost = call.query("host") == null ? null : machines(filter, call.query("host"));
            filter.sorted(
                            EVENT_ORDERS,
                            groups(call, filter, onHost)
                                    .flatMap(g -> g.state().events().stream().map(e -> new GroupEvent(g.id(), e)))
                                    .filter(e -> type == null || type.equals(EnumNames.of(e.event.type())))
                                    .filter(e -> state == null || state.equals(EnumNames.of(e.event.phase())))
                                    .filter(e -> onHost == null || e.names(onHost.get(e.group)))
                                    .filter(ofMachine(call).and(ofRollout(call))))
                    .limit(call.limit(ALL))
                    .forEach(e -> ControlHandlers.write(
                            json,
                            BodyMapper.event(
                                    e.group,
                                    e.event,
                                    blockers ? policies.blockers(call.caller(), e.group, e.event) : null,
                                    null,
                                    null)));
        });
    }

    /** The groups in which such events can be: few, if a rollout or hosts are named. */
    private Stream<GroupView> groups(RequestContext call, ListFilter filter, Map<GroupId, Set<String>> onHost) {
        PublishedState published = gateway.view();
        if (onHost != null) {
            return filter.among(onHost.keySet().stream().map(published::find).filter(Objects::nonNull));
        }
        if (call.query("rollout") != null) {
            return filter.among(published.open(call.query("rollout")).stream()
                    .flatMap(unit -> unit.parts().stream())
                    .map(ActiveUnit.Part::group)
                    .distinct()
                    .map(published::find)
                    .filter(Objects::nonNull));
        }
        return filter.groups();
    }

    private Predicate<GroupEvent> ofMachine(RequestContext call) {
        if (call.query("machine") == null) {
            return event -> true;
        }
        Machine machine = new NameLookup(gateway.view(), call.caller(), call.query("tenant"))
                .machine(call.query("machine"))
                .machine();
        return event -> event.group.tenant().equals(machine.id().tenant()) && event.event.lists(machine.name());
    }

    private Predicate<GroupEvent> ofRollout(RequestContext call) {
        String rollout = call.query("rollout");
        if (rollout == null) {
            return event -> true;
        }
        if (call.caller().everyTenant() && gateway.view().rollout(rollout).isEmpty()) {
            throw NotFound.rollout(gateway.view(), rollout);
        }
        return e ->
                e.event.work().unit() != null && e.event.work().unit().rollout().equals(rollout);
    }

    private static Map<GroupId, Set<String>> machines(ListFilter filter, String host) {
        Map<GroupId, Set<String>> machines = new HashMap<>();
        filter.hosts(host).flatMap(filter::machinesOn).forEach(m -> machines.computeIfAbsent(
                        m.machine().group(), g -> new HashSet<>())
                .add(m.machine().name()));
        return machines;
    }

    private static String oneOf(String what, String word, List<String> known) {
        if (word != null && !known.contains(word)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, what + " must be " + EnumNames.either(known) + ", not '" + word + "'");
        }
        return word;
    }
}
