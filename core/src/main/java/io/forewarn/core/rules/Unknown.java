package io.forewarn.core.rules;

import io.forewarn.core.Names;
import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.notice.RecipientId;
import io.forewarn.core.rollout.Rollout;
import java.util.Collection;
import java.util.List;

/** What is said of a name that nothing has. */
public final class Unknown {
    private Unknown() {}

    public static Refusal machine(Facts facts, MachineId id) {
        return new Refusal(
                Problem.UNKNOWN_NAME,
                "there is no machine " + id + suggestion(id.name(), facts.machineNames(id.tenant())));
    }

    public static Refusal group(Facts facts, GroupId id) {
        Collection<String> names = facts.groups().stream()
                .filter(g -> g.tenant().equals(id.tenant()))
                .map(GroupId::name)
                .toList();
        return new Refusal(Problem.UNKNOWN_NAME, "there is no group " + id + suggestion(id.name(), names));
    }

    public static Refusal event(EventId id) {
        return new Refusal(
                Problem.UNKNOWN_NAME,
                "there is no open event " + id + "; it never was, or it is over: see the history");
    }

    static String suggestion(String typed, Collection<String> names) {
        return Names.nearest(typed, names).map(n -> "; did you mean " + n + "?").orElse("");
    }

    public static Refusal rollout(Facts facts, String name) {
        List<String> known = facts.rollouts().stream().map(Rollout::name).toList();
        return new Refusal(Problem.UNKNOWN_NAME, "there is no rollout " + name + suggestion(name, known));
    }

    /** Suggests only what the same tenant has. */
    public static Refusal recipient(Facts facts, RecipientId id) {
        List<String> known = facts.recipients().stream()
                .filter(r -> r.id().channel() == id.channel() && r.id().tenant().equals(id.tenant()))
                .map(r -> r.id().name())
                .toList();
        return new Refusal(
                Problem.UNKNOWN_NAME,
                "there is no " + Posting.kind(id) + " named " + id + suggestion(id.name(), known));
    }
}
