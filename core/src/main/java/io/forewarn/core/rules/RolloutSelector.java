package io.forewarn.core.rules;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.rollout.ExcludedTarget;
import io.forewarn.core.rollout.RolloutTarget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Selects the hosts or groups of a rollout, and explains which of them its filters leave out. */
final class RolloutSelector {
    /** Each is compared with every name. */
    private static final int MOST_PATTERNS = 100;

    private final StateReader facts;
    private final RolloutTarget target;
    private final List<NamePattern> exclude;
    private final List<NamePattern> tenants;
    private final List<NamePattern> exceptTenants;

    RolloutSelector(StateReader facts, RolloutTarget target) {
        this.facts = facts;
        this.target = target;
        this.exclude = patterns(target.exclude());
        this.tenants = patterns(target.tenants());
        this.exceptTenants = patterns(target.exceptTenants());
    }

    private static List<NamePattern> patterns(List<String> texts) {
        return texts.stream().map(NamePattern::new).toList();
    }

    /**
     * The hosts of a target of hosts, in the order they were named.
     *
     * @throws RefusedException if a name or a filter matches nothing, or the filters leave nothing
     */
    List<String> hosts() {
        checkFilters();
        return remaining(namedHosts().stream().toList(), this::whyNot);
    }

    /** The groups of a target of groups or of a tag; the same is refused. */
    List<GroupId> groups() {
        checkFilters();
        List<GroupId> named = target.kind() == RolloutTarget.Kind.TAG ? tagged() : namedGroups();
        if (named.isEmpty() && target.kind() == RolloutTarget.Kind.TAG) {
            throw NotFound.tag(facts, target.names().get(0));
        }
        return remaining(named, this::whyNot);
    }

    /** The groups of the target as the fleet is now, if any are left. */
    List<GroupId> presentGroups() {
        Collection<GroupId> named = target.kind() == RolloutTarget.Kind.TAG
                ? facts.groups()
                : target.names().stream()
                        .flatMap(this::presentGroups)
                        .distinct()
                        .toList();
        return named.stream().filter(group -> whyNot(group).isEmpty()).toList();
    }

    private Stream<GroupId> presentGroups(String name) {
        NamePattern pattern = new NamePattern(name);
        return pattern.isPlain()
                ? Stream.of(groupId(name)).filter(id -> facts.group(id).isPresent())
                : matching(pattern).stream();
    }

    /** What the names cover and the filters leave out. */
    List<ExcludedTarget> excluded() {
        if (!target.isFiltered()) {
            return List.of();
        }
        return switch (target.kind()) {
            case HOSTS -> excluded(namedHosts(), this::whyNot);
            case GROUPS -> excluded(namedGroups(), this::whyNot);
            case TAG -> excluded(tagged(), this::whyNot);
        };
    }

    private interface Filter<T> {
        Optional<String> whyNot(T named);
    }

    private static <T> List<ExcludedTarget> excluded(Collection<T> named, Filter<T> filter) {
        List<ExcludedTarget> excluded = new ArrayList<>();
        for (T one : named) {
            filter.whyNot(one).ifPresent(why -> excluded.add(new ExcludedTarget(one.toString(), why)));
        }
        return excluded;
    }

    private static <T> List<T> remaining(List<T> named, Filter<T> filter) {
        List<T> remaining =
                named.stream().filter(one -> filter.whyNot(one).isEmpty()).toList();
        if (remaining.isEmpty() && !named.isEmpty()) {
            T first = named.get(0);
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "the filters leave nothing to do: " + first + " "
                            + filter.whyNot(first).orElseThrow()
                            + (named.size() == 1 ? "" : ", and so on"));
        }
        return remaining;
    }

    private Set<String> namedHosts() {
        Collection<String> known = facts.hosts();
        Set<String> named = new LinkedHashSet<>();
        for (NamePattern pattern : patterns(target.names())) {
            if (!pattern.isPlain()) {
                List<String> matching = known.stream().filter(pattern::matches).toList();
                if (matching.isEmpty()) {
                    throw NotFound.pattern("host", pattern, known);
                }
                named.addAll(matching);
            } else if (known.contains(pattern.text())) {
                named.add(pattern.text());
            } else {
                throw NotFound.host(facts, pattern.text());
            }
        }
        return named;
    }

    private List<GroupId> namedGroups() {
        Set<GroupId> named = new LinkedHashSet<>();
        for (NamePattern pattern : patterns(target.names())) {
            if (pattern.isPlain()) {
                GroupId id = groupId(pattern.text());
                if (facts.group(id).isEmpty()) {
                    throw NotFound.group(facts, id);
                }
                named.add(id);
            } else {
                List<GroupId> matching = matching(pattern);
                if (matching.isEmpty()) {
                    throw NotFound.pattern("group", pattern, names(facts.groups()));
                }
                named.addAll(matching);
            }
        }
        return List.copyOf(named);
    }

    private List<GroupId> matching(NamePattern pattern) {
        return facts.groups().stream()
                .filter(group -> pattern.matches(group.toString()))
                .sorted()
                .toList();
    }

    private List<GroupId> tagged() {
        Predicate<Machine> tagged = tag(target);
        return facts.groups().stream()
                .filter(group -> facts.machines(group).stream().anyMatch(tagged))
                .toList();
    }

    /** Which machines have the tag of a target. */
    static Predicate<Machine> tag(RolloutTarget target) {
        String tag = target.names().get(0);
        int equals = tag.indexOf('=');
        if (equals < 1) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "'" + tag + "' is no tag; key=value would be right, as in env=demo");
        }
        String key = tag.substring(0, equals);
        String value = tag.substring(equals + 1);
        return machine -> value.equals(machine.tags().get(key));
    }

    private Optional<String> whyNot(String host) {
        Optional<String> excluded = excludes(host);
        if (excluded.isPresent() || tenants.isEmpty() && exceptTenants.isEmpty()) {
            return excluded;
        }
        Set<String> there = new TreeSet<>();
        facts.machinesOn(host).stream().map(MachineId::tenant).forEach(there::add);
        if (!tenants.isEmpty() && there.stream().noneMatch(tenant -> matches(tenants, tenant))) {
            return Optional.of("carries no machine of tenant " + String.join(" or ", target.tenants()));
        }
        return there.stream()
                .filter(tenant -> matches(exceptTenants, tenant))
                .findFirst()
                .map(tenant -> "carries a machine of tenant " + tenant);
    }

    private Optional<String> whyNot(GroupId group) {
        Optional<String> excluded = excludes(group.toString());
        if (excluded.isPresent()) {
            return excluded;
        }
        boolean wanted =
                (tenants.isEmpty() || matches(tenants, group.tenant())) && !matches(exceptTenants, group.tenant());
        return wanted ? Optional.empty() : Optional.of("belongs to tenant " + group.tenant());
    }

    private Optional<String> excludes(String name) {
        return exclude.stream()
                .filter(pattern -> pattern.matches(name))
                .findFirst()
                .map(pattern -> pattern.isPlain() ? "is excluded" : "is excluded by '" + pattern + "'");
    }

    private static boolean matches(List<NamePattern> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(name));
    }

    /** A filter that matches nothing is misspelt, and what it was to leave out would be taken down. */
    private void checkFilters() {
        long wild = Stream.of(patterns(target.names()), exclude, tenants, exceptTenants)
                .flatMap(List::stream)
                .filter(pattern -> !pattern.isPlain())
                .count();
        if (wild > MOST_PATTERNS) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "at most " + MOST_PATTERNS + " names may have * or ? in them, not " + wild);
        }
        boolean hosts = target.kind() == RolloutTarget.Kind.HOSTS;
        if (!exclude.isEmpty()) {
            mustMatch(hosts ? "host" : "group", exclude, hosts ? facts.hosts() : names(facts.groups()));
        }
        if (!tenants.isEmpty() || !exceptTenants.isEmpty()) {
            Set<String> known = new TreeSet<>();
            facts.groups().forEach(group -> known.add(group.tenant()));
            mustMatch("tenant", tenants, known);
            mustMatch("tenant", exceptTenants, known);
        }
    }

    private static void mustMatch(String what, List<NamePattern> patterns, Collection<String> known) {
        for (NamePattern pattern : patterns) {
            if (pattern.isPlain()
                    ? !known.contains(pattern.text())
                    : known.stream().noneMatch(pattern::matches)) {
                throw NotFound.pattern(what, pattern, known);
            }
        }
    }

    private static Collection<String> names(Collection<GroupId> groups) {
        Set<String> names = new TreeSet<>();
        groups.forEach(group -> names.add(group.toString()));
        return names;
    }

    private static GroupId groupId(String name) {
        int slash = name.indexOf('/');
        return new GroupId(name.substring(0, Math.max(slash, 0)), name.substring(slash + 1));
    }
}
