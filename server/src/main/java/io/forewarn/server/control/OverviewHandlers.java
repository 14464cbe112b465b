package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.wire.azure.ApiVersion;
import io.forewarn.wire.azure.DocumentJson;
import io.forewarn.wire.control.FleetCellsBody;
import io.forewarn.wire.control.GroupCellsBody;
import io.forewarn.wire.control.MachineDocumentsBody;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Handles requests for pictures of the fleet, for what its machines read, and for the settings of this node. */
final class OverviewHandlers {
    private static final long USUAL_MACHINES = 10_000;
    private static final String OFFSET = "#";

    private final ControlParts parts;

    OverviewHandlers(ControlParts parts) {
        this.parts = parts;
    }

    void cells(RequestContext call) {
        String tenant = ControlHandlers.tenant(call);
        long limit = Math.max(1, call.limit(USUAL_MACHINES));
        String after = call.query("after");
        String[] place = after == null ? new String[] {"", "0"} : after.split(OFFSET, 2);
        if (place.length != 2 || !place[1].matches("\\d{1,9}")) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "after must be the 'next' of an earlier answer, not '" + after + "'");
        }
        GroupView only = call.query("group") == null
                ? null
                : new NameLookup(parts.gateway().view(), call.caller(), tenant).group(call.query("group"));
        Predicate<Machine> tagged = ListFilter.tagged(call.query("tag"));
        call.working(() -> {
            PublishedState published = parts.gateway().view();
            List<GroupView> groups = (only == null ? published.allGroups() : List.of(only))
                    .stream()
                            .filter(g -> g.group() != null && call.caller().maySee(g.id().tenant()))
                            .filter(g -> tenant == null || tenant.equals(g.id().tenant()))
                            .filter(g -> g.id().toString().compareTo(place[0]) >= 0)
                            .sorted(Comparator.comparing(g -> g.id().toString()))
                            .toList();
            return page(published, groups, tagged, place[0], Integer.parseInt(place[1]), limit);
        });
    }

    private FleetCellsBody page(
            PublishedState published,
            List<GroupView> groups,
            Predicate<Machine> wanted,
            String first,
            int done,
            long limit) {
        List<GroupCellsBody> page = new ArrayList<>();
        long left = limit;
        for (GroupView group : groups) {
            List<Machine> machines = group.machines().stream().filter(wanted).toList();
            int from = group.id().toString().equals(first) ? Math.min(done, machines.size()) : 0;
            if (left == 0) {
                return new FleetCellsBody(page, group.id() + OFFSET + from);
            }
            int to = (int) Math.min(machines.size(), from + left);
            if (to > from) {
                page.add(cells(published, group, machines.subList(from, to)));
                left -= to - from;
            }
            if (to < machines.size()) {
                return new FleetCellsBody(page, group.id() + OFFSET + to);
            }
        }
        return new FleetCellsBody(page, null);
    }

    private GroupCellsBody cells(PublishedState published, GroupView view, List<Machine> machines) {
        Instant now = parts.clock().now().wall();
        Map<String, Event> events = new HashMap<>();
        for (Event event : view.state().events()) {
            // A machine may also be listed by events of rollouts: the one that has come furthest counts.
            event.resources()
                    .forEach(name ->
                            events.merge(name, event, (a, b) -> a.phase().compareTo(b.phase()) >= 0 ? a : b));
        }
        StringBuilder states = new StringBuilder(machines.size());
        for (Machine machine : machines) {
            states.append(letter(published.find(machine.id()), events.get(machine.name()), now));
        }
        Group group = view.group();
        return new GroupCellsBody(
                view.id().tenant(),
                view.id().name(),
                group.updateDomains(),
                group.faultDomains(),
                machines.stream().map(Machine::name).toList(),
                machines.stream().map(Machine::updateDomain).toList(),
                machines.stream().map(Machine::faultDomain).toList(),
                machines.stream().map(m -> m.host() == null ? "" : m.host()).toList(),
                states.toString());
    }

    private static char letter(MachineView view, Event event, Instant now) {
        MachineCondition condition = view == null ? null : view.condition();
        if (condition != null && condition.state() == MachineCondition.State.FAILED) {
            return 'f';
        }
        if (event != null) {
            return switch (event.phase()) {
                case STARTED -> 'r';
                case SCHEDULED -> event.approval() == null ? 's' : 'a';
                case WAITING -> 'w';
                case ENDED -> 'p';
            };
        }
        return switch (BodyMapper.polling(view == null ? 0 : view.lastPoll(), now)) {
            case "silent" -> 'q';
            case "never" -> 'n';
            default -> 'p';
        };
    }

    void settings(RequestContext call) {
        ControlHandlers.list(call, json -> parts.settings().forEach(setting -> ControlHandlers.write(json, setting)));
    }

    void documents(RequestContext call) {
        MachineView machine = new NameLookup(parts.gateway().view(), call.caller(), ControlHandlers.tenant(call))
                .machine(call.part(0));
        GroupView group = machine.group();
        GroupKind kind =
                group.group() == null ? GroupKind.SINGLE : group.group().kind();
        Map<String, String> documents = new LinkedHashMap<>();
        for (ApiVersion version : ApiVersion.values()) {
            byte[] bytes = DocumentJson.render(group.document(), version, kind, parts.previewOptions());
            documents.put(version.text(), new String(bytes, StandardCharsets.UTF_8));
        }
        call.json(new MachineDocumentsBody(group.document().incarnation(), documents));
    }
}
