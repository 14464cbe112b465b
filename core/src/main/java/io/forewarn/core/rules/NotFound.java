package io.forewarn.core.rules;

import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.rollout.Rollout;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Errors for names that do not exist, with suggestions. */
public final class NotFound {
    private static final int MOST_TAGS = 5;
    private static final int MOST_NAMED = 5;

    private NotFound() {}

    public static RefusedException machine(StateReader state, MachineId id) {
        NamePattern pattern = new NamePattern(id.name());
        if (!pattern.isPlain()) {
            return pattern("machine", pattern, state.machineNames(id.tenant()));
        }
        return new RefusedException(
                Problem.NOT_FOUND,
                "there is no machine " + id + suggestion(id.name(), state.machineNames(id.tenant())));
    }

    public static RefusedException group(StateReader state, GroupId id) {
        Collection<String> names = state.groups().stream()
                .filter(g -> g.tenant().equals(id.tenant()))
                .map(GroupId::name)
                .toList();
        return new RefusedException(Problem.NOT_FOUND, "there is no group " + id + suggestion(id.name(), names));
    }

    public static RefusedException event(EventId id) {
        return new RefusedException(
                Problem.NOT_FOUND, "there is no open event " + id + "; it never was, or it is over: see the history");
    }

    public static RefusedException host(StateReader state, String host) {
        return new RefusedException(
                Problem.NOT_FOUND, "no machine runs on host " + host + suggestion(host, state.hosts()));
    }

    /**
     * A name or pattern that matches nothing.
     *
     * @param what host, group, machine or tenant
     */
    public static RefusedException pattern(String what, NamePattern pattern, Collection<String> known) {
        String hint = suggestion(pattern.text(), known);
        List<String> first = known.stream().sorted().limit(MOST_NAMED).toList();
        if (hint.isEmpty() && !first.isEmpty()) {
            hint = "; there " + (known.size() == 1 ? "is " : "are ") + String.join(", ", first)
                    + (known.size() > first.size() ? " and " + (known.size() - first.size()) + " more" : "");
        }
        return new RefusedException(
                Problem.NOT_FOUND,
                (pattern.isPlain()
                                ? "there is no " + what + " " + pattern
                                : "no " + what + " matches '" + pattern + "'")
                        + hint);
    }

    /** @param tag key=value */
    static RefusedException tag(StateReader state, String tag) {
        String key = tag.substring(0, tag.indexOf('=') + 1);
        Set<String> known = new TreeSet<>();
        for (GroupId group : state.groups()) {
            state.machines(group).forEach(m -> m.tags().forEach((k, v) -> known.add(k + "=" + v)));
        }
        List<String> alike = known.stream().filter(t -> t.startsWith(key)).toList();
        String hint = suggestion(tag, known);
        if (hint.isEmpty() && !alike.isEmpty()) {
            hint = "; there is " + String.join(", ", alike.subList(0, Math.min(MOST_TAGS, alike.size())))
                    + (alike.size() > MOST_TAGS ? " and more" : "");
        }
        return new RefusedException(Problem.BAD_INPUT, "no machine carries the tag " + tag + hint);
    }

    static String suggestion(String typed, Collection<String> names) {
        return NameRules.nearest(typed, names)
                .map(n -> "; did you mean " + n + "?")
                .orElse("");
    }

    public static RefusedException rollout(StateReader state, String name) {
        List<String> known = state.rollouts().stream().map(Rollout::name).toList();
        return new RefusedException(Problem.NOT_FOUND, "there is no rollout " + name + suggestion(name, known));
    }

    /** Suggests only what the same tenant has. */
    public static RefusedException recipient(StateReader state, SubscriptionId id) {
        List<String> known = state.recipients().stream()
                .filter(r -> r.id().channel() == id.channel() && r.id().tenant().equals(id.tenant()))
                .map(r -> r.id().name())
                .toList();
        return new RefusedException(
                Problem.NOT_FOUND,
                "there is no " + SubscriptionRules.kind(id) + " named " + id + suggestion(id.name(), known));
    }
}
