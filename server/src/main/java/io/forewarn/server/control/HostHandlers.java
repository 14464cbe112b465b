package io.forewarn.server.control;

import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.HostBody;
import io.forewarn.wire.control.HostWorkBody;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Handles requests for hosts: what runs on them, and which work comes next. */
final class HostHandlers {
    private static final int NAMED = 1_000;
    private static final int LISTED = 100;
    private static final Comparator<Instant> UNKNOWN_LAST = Comparator.nullsLast(Comparator.naturalOrder());

    private final CommandGateway gateway;

    HostHandlers(ControlParts parts) {
        this.gateway = parts.gateway();
    }

    void hosts(RequestContext call) {
        ControlHandlers.list(call, json -> {
            ListFilter filter = new ListFilter(gateway.view(), call);
            String after = Objects.requireNonNullElse(call.query("after"), "");
            filter.hosts(Objects.requireNonNullElse(call.query("host"), "*"))
                    .filter(host -> host.compareTo(after) > 0)
                    .limit(call.limit(Long.MAX_VALUE))
                    .forEach(host -> ControlHandlers.write(
                            json,
                            body(gateway.view(), host, filter.machinesOn(host).toList(), false)));
        });
    }

    void host(RequestContext call) {
        String host = call.part(0);
        call.working(() -> {
            ListFilter filter = new ListFilter(gateway.view(), call);
            filter.mustCarry(host);
            return body(gateway.view(), host, filter.machinesOn(host).toList(), true);
        });
    }

    /** The work of one event, and on how many of the machines. */
    private static final class HostWork {
        private final GroupId group;
        private final Event event;
        private int machines;

        HostWork(GroupId group, Event event) {
            this.group = group;
            this.event = event;
        }

        boolean hasStarted() {
            return event.phase() == Phase.STARTED;
        }

        /** Null while it waits: what it waits for says when its notice begins. */
        Instant startsAt() {
            return event.noticePeriod() == null ? null : event.noticePeriod().notBefore();
        }

        HostWorkBody body(int all) {
            return new HostWorkBody(
                    event.id().toString(),
                    EnumNames.of(event.type()),
                    EnumNames.of(event.phase()),
                    event.work().unit() == null ? null : event.work().unit().rollout(),
                    hasStarted() ? null : BodyMapper.time(startsAt()),
                    all);
        }
    }

    private HostBody body(PublishedState published, String host, List<MachineView> machines, boolean whole) {
        List<HostWork> work = work(machines);
        TreeMap<GroupId, TreeSet<Integer>> domains = new TreeMap<>();
        TreeSet<String> tenants = new TreeSet<>();
        for (MachineView view : machines) {
            Machine machine = view.machine();
            tenants.add(machine.id().tenant());
            domains.computeIfAbsent(machine.group(), g -> new TreeSet<>()).add(machine.updateDomain());
        }
        return new HostBody(
                host,
                machines.size(),
                (int) machines.stream().filter(HostHandlers::isRunning).count(),
                List.copyOf(tenants),
                domains.entrySet().stream()
                        .flatMap(e -> e.getValue().stream().map(domain -> e.getKey() + "#" + domain))
                        .limit(LISTED)
                        .toList(),
                domains.values().stream().anyMatch(of -> of.size() > 1) ? true : null,
                next(published, host, domains, machines, work),
                whole
                        ? machines.stream()
                                .map(m -> m.machine().id().toString())
                                .limit(NAMED)
                                .toList()
                        : null,
                whole
                        ? work.stream()
                                .limit(LISTED)
                                .map(w -> BodyMapper.event(w.group, w.event, null))
                                .toList()
                        : null);
    }

    /** What is under way, or else what starts first: an event, or work of a rollout that has no events yet. */
    private HostWorkBody next(
            PublishedState published,
            String host,
            Map<GroupId, ? extends Set<Integer>> domains,
            List<MachineView> machines,
            List<HostWork> work) {
        HostWork first = work.isEmpty() ? null : work.get(0);
        Optional<PlannedHostWork> planned = published.rollouts().stream()
                .filter(rollout -> !rollout.isOver())
                .flatMap(rollout ->
                        PlannedHostWork.of(published, gateway.rules(), rollout, host, domains, machines).stream())
                .min(Comparator.comparing(PlannedHostWork::startsAt, UNKNOWN_LAST));
        boolean plannedFirst = planned.isPresent()
                && (first == null
                        || !first.hasStarted()
                                && UNKNOWN_LAST.compare(planned.get().startsAt(), first.startsAt()) < 0);
        if (plannedFirst) {
            return planned.get().body();
        }
        return first == null ? null : first.body(machines(first, work));
    }

    /** On how many of the machines work is done together with that of an event: a unit of a rollout has several events. */
    private static int machines(HostWork first, List<HostWork> work) {
        RolloutUnitId unit = first.event.work().unit();
        return unit == null
                ? first.machines
                : work.stream()
                        .filter(other -> unit.equals(other.event.work().unit()))
                        .mapToInt(other -> other.machines)
                        .sum();
    }

    private static boolean isRunning(MachineView view) {
        return view.condition() == null || view.condition().state() == MachineCondition.State.RUNNING;
    }

    /** What is under way first, then by NotBefore, and last what has none yet. */
    private static List<HostWork> work(List<MachineView> machines) {
        Map<Object, HostWork> work = new LinkedHashMap<>();
        for (MachineView view : machines) {
            for (Event event : view.group().state().events()) {
                if (event.lists(view.machine().name())) {
                    work.computeIfAbsent(
                                    event.id(), id -> new HostWork(view.group().id(), event))
                            .machines++;
                }
            }
        }
        return work.values().stream()
                .sorted(Comparator.comparing((HostWork w) -> !w.hasStarted())
                        .thenComparing(HostWork::startsAt, UNKNOWN_LAST))
                .toList();
    }
}
