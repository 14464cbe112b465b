package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.ChangeSet;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.GroupState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Has groups looked at again when whatever blocked their events may be gone, each group with its own command. */
final class GroupRechecks {
    private final PublishedState view;
    private final Deadlines deadlines;
    private final CommandQueues queues;

    /** Rechecks because of a policy; whoever changed it waits for them. */
    private final List<CompletableFuture<CommandResult>> ofPolicies = new ArrayList<>();

    GroupRechecks(PublishedState view, Deadlines deadlines, CommandQueues queues) {
        this.view = view;
        this.deadlines = deadlines;
        this.queues = queues;
    }

    void recheck(GroupId group) {
        queues.ask(new Command.Due(group, false));
    }

    /** Policies may have held events. There may be many groups. */
    void policiesChanged(ChangeSet draft, ClockReading at) {
        Set<Scope> changed = new HashSet<>(draft.removedPolicies());
        draft.setPolicies().forEach(p -> changed.add(p.scope()));
        if (changed.isEmpty()) {
            return;
        }
        ofPolicies.removeIf(CompletableFuture::isDone);
        for (GroupView group : view.allGroups()) {
            if (!group.state().events().isEmpty() && changed.stream().anyMatch(s -> s.covers(group.id()))) {
                deadlines.published(group.state(), at);
                ofPolicies.add(queues.ask(new Command.Due(group.id(), false)));
            }
        }
    }

    /** Runs an action once all groups were looked at that a changed policy covers. */
    void afterPolicies(Runnable action) {
        if (ofPolicies.isEmpty()) {
            action.run();
        } else {
            CompletableFuture.allOf(ofPolicies.toArray(CompletableFuture[]::new))
                    .whenComplete((all, failed) -> action.run());
        }
    }

    /** A policy that was changed is durable, so nobody waits for a store that is down. */
    void releasePolicies() {
        ofPolicies.forEach(recheck -> recheck.complete(CommandResult.NOTHING));
        ofPolicies.clear();
    }

    /** Events that a pause held. */
    void rolloutResumed(Rollout rollout, ClockReading at) {
        view.open(rollout.name()).forEach(unit -> {
            unit.parts().forEach(part -> deadlines.published(view.state(part.group()), at));
            // Machines that came meanwhile were not announced.
            recheck(unit.parts().get(0).group());
        });
    }

    /** A machine that held the events of its group may have gone. */
    void fleetChanged(Collection<GroupChange> changed, ClockReading at) {
        if (changed.isEmpty()) {
            return;
        }
        for (GroupChange change : changed) {
            GroupState state = view.state(change.id());
            if (!state.events().isEmpty()) {
                deadlines.published(state, at);
                recheck(change.id());
            }
        }
        Map<String, GroupId> units = scheduledUnits();
        Set<GroupId> hit = new LinkedHashSet<>();
        for (GroupChange change : units.isEmpty() ? List.<GroupChange>of() : changed) {
            change.machines()
                    .forEach(m -> Optional.ofNullable(units.get(m.host())).ifPresent(hit::add));
        }
        hit.forEach(this::recheck);
    }

    /** A machine is free again: the scheduled work on its host or in its group may have waited to announce it. */
    void machinesFreed(List<HistoryEntry> entries) {
        Set<String> hosts = new HashSet<>();
        Set<GroupId> groups = new LinkedHashSet<>();
        for (HistoryEntry entry : entries) {
            if (entry.group() == null || !StatePublisher.FREEING.contains(entry.what())) {
                continue;
            }
            if (entry.rollout() == null && hasScheduledUnit(entry.group())) {
                groups.add(entry.group());
            }
            // Work of a rollout frees machines for other work of it only if they changed hosts meanwhile.
            entry.machines().stream()
                    .map(name -> view.machine(new MachineId(entry.group().tenant(), name)))
                    .flatMap(Optional::stream)
                    .filter(m -> entry.rollout() == null || m.placement() > 0)
                    .forEach(m -> hosts.add(m.host()));
        }
        if (!hosts.isEmpty()) {
            Map<String, GroupId> units = scheduledUnits();
            units.keySet().retainAll(hosts);
            groups.addAll(units.values());
        }
        groups.forEach(this::recheck);
    }

    private boolean hasScheduledUnit(GroupId group) {
        return view.state(group).events().stream()
                .anyMatch(e -> e.phase() == Phase.SCHEDULED && e.work().unit() != null);
    }

    /** The hosts on which work is scheduled, each with a group by which its unit is found. */
    private Map<String, GroupId> scheduledUnits() {
        Map<String, GroupId> units = new HashMap<>();
        for (Rollout rollout : view.rollouts()) {
            if (rollout.open() == 0 || rollout.spec().target().kind() != RolloutTarget.Kind.HOSTS) {
                continue;
            }
            for (ActiveUnit active : view.open(rollout.name())) {
                int number = active.tie().unit();
                String host = view.units(rollout.name(), number / RolloutUnitChunk.SIZE)
                        .unit(number)
                        .name();
                units.put(host, active.parts().get(0).group());
            }
        }
        return units;
    }
}
