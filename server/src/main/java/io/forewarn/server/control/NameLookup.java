package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.rules.NotFound;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Resolves names from requests, with a helpful error for unknown ones. */
final class NameLookup {
    private final PublishedState published;
    private final Caller caller;
    private final String tenant;

    /** @param tenant given besides the name, or null */
    NameLookup(PublishedState published, Caller caller, String tenant) {
        this.published = published;
        this.caller = caller;
        this.tenant = tenant == null ? caller.tenant() : tenant;
    }

    MachineId machineId(String typed) {
        MachineId id = machineIdOf(typed);
        caller.mustOpen(id.tenant());
        return id;
    }

    private MachineId machineIdOf(String typed) {
        int slash = typed.indexOf('/');
        return slash < 0
                ? new MachineId(tenant, typed)
                : new MachineId(typed.substring(0, slash), typed.substring(slash + 1));
    }

    GroupId groupId(String typed) {
        GroupId id = groupIdOf(typed);
        caller.mustOpen(id.tenant());
        return id;
    }

    private GroupId groupIdOf(String typed) {
        int slash = typed.indexOf('/');
        return slash < 0
                ? new GroupId(tenant, typed)
                : new GroupId(typed.substring(0, slash), typed.substring(slash + 1));
    }

    /** Of a machine that may be there, or have been: what is done once more under its key need not find it. */
    MachineId maybeMachine(String typed) {
        MachineId id = machineIdOf(typed);
        mustKnow("machine", id.tenant(), id);
        return id;
    }

    /** The machines that names and patterns stand for, each once; a pattern that matches none stands for itself. */
    List<MachineId> maybeMachines(List<String> typed) {
        Set<MachineId> all = new LinkedHashSet<>();
        for (String name : typed) {
            MachineId id = maybeMachine(name);
            NamePattern pattern = new NamePattern(id.toString());
            List<MachineId> matching = pattern.isPlain()
                    ? List.of(id)
                    : published.allMachines().stream()
                            .map(machine -> machine.machine().id())
                            .filter(other -> caller.maySee(other.tenant()) && pattern.matches(other.toString()))
                            .sorted(Comparator.comparing(MachineId::toString))
                            .toList();
            all.addAll(matching.isEmpty() ? List.of(id) : matching);
        }
        return List.copyOf(all);
    }

    /** The same for a group. */
    GroupId maybeGroup(String typed) {
        GroupId id = groupIdOf(typed);
        mustKnow("group", id.tenant(), id);
        return id;
    }

    MachineView machine(String typed) {
        MachineId id = machineIdOf(typed);
        mustKnow("machine", id.tenant(), id);
        MachineView machine = published.find(id);
        if (machine == null) {
            throw NotFound.machine(published, id);
        }
        return machine;
    }

    GroupView group(String typed) {
        GroupId id = groupIdOf(typed);
        mustKnow("group", id.tenant(), id);
        GroupView group = published.find(id);
        if (group == null || group.group() == null) {
            throw NotFound.group(published, id);
        }
        return group;
    }

    /** What belongs to another tenant is reported as non-existent. */
    private void mustKnow(String what, String tenant, Object id) {
        if (!caller.maySee(tenant)) {
            throw new AccessDeniedException(Problem.NOT_FOUND, "there is no " + what + " " + id);
        }
    }

    static EventId eventId(String typed) {
        return EventId.parse(typed)
                .orElseThrow(() -> new RefusedException(
                        Problem.BAD_INPUT,
                        "'" + typed + "' is not an event id; one looks like 602D9444-D2CD-49C7-8624-8643E7171297"));
    }
}
