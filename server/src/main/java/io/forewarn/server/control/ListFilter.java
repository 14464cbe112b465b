package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.rules.NotFound;
import io.forewarn.wire.control.EnumNames;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Selects what a list request asks for among what its caller may see, and in which order. */
final class ListFilter {
    private final PublishedState published;
    private final RequestContext call;
    private final String tenant;

    ListFilter(PublishedState published, RequestContext call) {
        this.published = published;
        this.call = call;
        this.tenant = ControlHandlers.tenant(call);
    }

    /** The groups that the query names, in order. */
    Stream<GroupView> groups() {
        String name = call.query("group");
        if (name != null && new NamePattern(name).isPlain()) {
            return Stream.of(lookup().group(name));
        }
        return among(published.allGroups().stream());
    }

    /** Those of some groups that the query names, in order. */
    Stream<GroupView> among(Stream<GroupView> groups) {
        return groups.filter(g -> g.group() != null && isVisible(g.id().tenant()))
                .filter(grouped())
                .sorted(Comparator.comparing(GroupView::id));
    }

    private Predicate<GroupView> grouped() {
        String name = call.query("group");
        if (name == null) {
            return group -> true;
        }
        NamePattern pattern = inTenant(name);
        return group -> pattern.matches(group.id().toString());
    }

    /** The machines that the query names: by name, tag, host, group and tenant. */
    Stream<MachineView> machines() {
        Predicate<Machine> tagged = tagged(call.query("tag"));
        Predicate<MachineView> named = named().and(m -> tagged.test(m.machine()));
        String host = call.query("host");
        if (host == null) {
            return groups().flatMap(g -> g.machines().stream())
                    .map(m -> published.find(m.id()))
                    .filter(Objects::nonNull)
                    .filter(named);
        }
        Predicate<GroupView> grouped = grouped();
        return hosts(host)
                .flatMap(this::machinesOn)
                .filter(m -> grouped.test(m.group()))
                .filter(named);
    }

    private Predicate<MachineView> named() {
        String name = call.query("name");
        if (name == null) {
            return machine -> true;
        }
        NamePattern pattern = inTenant(name);
        return machine -> pattern.matches(machine.machine().id().toString());
    }

    /** @param tag such as env=demo; null for all machines */
    static Predicate<Machine> tagged(String tag) {
        if (tag == null) {
            return machine -> true;
        }
        int equals = tag.indexOf('=');
        if (equals < 1) {
            throw new RefusedException(Problem.BAD_INPUT, "tag must be KEY=VALUE, such as env=demo, not '" + tag + "'");
        }
        String key = tag.substring(0, equals);
        String value = tag.substring(equals + 1);
        return machine -> value.equals(machine.tags().get(key));
    }

    /** The hosts with a name or a pattern that carry a machine which the caller may see, in order. */
    Stream<String> hosts(String name) {
        NamePattern pattern = new NamePattern(name);
        if (pattern.isPlain()) {
            mustCarry(name);
            return Stream.of(name);
        }
        return published.hosts().stream()
                .filter(pattern::matches)
                .filter(host -> machinesOn(host).findAny().isPresent());
    }

    /** A host that carries only machines of other tenants is reported as non-existent. */
    void mustCarry(String host) {
        if (machinesOn(host).findAny().isEmpty()) {
            throw call.caller().everyTenant() && published.machinesOn(host).isEmpty()
                    ? NotFound.host(published, host)
                    : new AccessDeniedException(Problem.NOT_FOUND, "no machine runs on host " + host);
        }
    }

    /** The machines on a host that the caller may see, by name. */
    Stream<MachineView> machinesOn(String host) {
        return published.machinesOn(host).stream()
                .filter(id -> isVisible(id.tenant()))
                .sorted(Comparator.comparing(MachineId::toString))
                .map(published::find)
                .filter(Objects::nonNull);
    }

    private boolean isVisible(String of) {
        return call.caller().maySee(of) && (tenant == null || tenant.equals(of));
    }

    /** Names without a tenant are of the caller's, or of the one in the query. */
    private NamePattern inTenant(String name) {
        String usual = tenant == null ? call.caller().tenant() : tenant;
        return new NamePattern(name.indexOf('/') < 0 ? usual + "/" + name : name);
    }

    private NameLookup lookup() {
        return new NameLookup(published, call.caller(), call.query("tenant"));
    }

    /**
     * In the order that the query asks for.
     *
     * @param known the orders by name; a minus sign before one reverses it
     */
    <T> Stream<T> sorted(Map<String, Comparator<T>> known, Stream<T> items) {
        String word = call.query("sort");
        if (word == null) {
            return items;
        }
        Comparator<T> order = known.get(word.replaceFirst("^-", ""));
        if (order == null) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "sort must be " + EnumNames.either(List.copyOf(known.keySet())) + ", not '" + word + "'");
        }
        return items.sorted(word.startsWith("-") ? order.reversed() : order);
    }
}
