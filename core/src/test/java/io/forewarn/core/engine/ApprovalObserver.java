package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rules.MachineCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks that events are approved by as many machines as policies require, and seen by all of them if that is required. Shares no code with the rules. */
final class ApprovalObserver {
    private static final Duration SILENCE = Duration.ofHours(24);

    private final EngineHarness world;
    private final Map<EventId, Set<String>> votes = new HashMap<>();
    private final Map<EventId, Set<String>> readers = new HashMap<>();
    private final Map<GroupId, Instant> lastPoll = new HashMap<>();
    private final Set<EventId> approved = new HashSet<>();
    private final Set<EventId> started = new HashSet<>();
    private final Set<MachineId> ran = new HashSet<>();
    private int quorums;
    private int sightings;

    ApprovalObserver(EngineHarness world) {
        this.world = world;
    }

    /** How often an approval was compared with a quorum. */
    int quorums() {
        return quorums;
    }

    /** How often a start was compared with who had seen the event. */
    int sightings() {
        return sightings;
    }

    /** A machine read the document of its group. */
    void polled(GroupId group, String machine) {
        lastPoll.put(group, world.now());
        world.engine.view().find(group).document().events().forEach(event -> readers.computeIfAbsent(
                        event.id(), e -> new HashSet<>())
                .add(machine));
    }

    /** A machine approves an event that it is shown. */
    void voted(EventId event, String machine) {
        votes.computeIfAbsent(event, e -> new HashSet<>()).add(machine);
    }

    /** Looks at everything once. Called after each step of the simulation. */
    void look() {
        for (GroupView group : world.engine.view().allGroups()) {
            for (Event event : world.engine.view().state(group.id()).events()) {
                if (event.isApproved() && approved.add(event.id())) {
                    checkQuorum(group.id(), event);
                }
                if (event.phase() == Phase.SCHEDULED && event.shown() && !event.isApproved()) {
                    checkCounted(group.id(), event);
                }
                if (event.phase() == Phase.STARTED && started.add(event.id())) {
                    checkSeen(group.id(), event);
                }
            }
        }
        ran.clear();
        ran.addAll(world.runningMachines());
    }

    /** What machines approved, enough of them did. */
    private void checkQuorum(GroupId group, Event event) {
        if (event.approval().by().kind() != Actor.Kind.MACHINE) {
            return;
        }
        quorums++;
        // Any machine of the group will do then, also one that the event does not name.
        boolean any = quorum(group).kind() == ApprovalQuorum.Kind.ANY && votes.containsKey(event.id());
        assertTrue(
                any || agreed(group, event),
                () -> "approved by " + votes.get(event.id()) + ", and the policy is " + quorum(group) + ": " + event);
    }

    /** If enough machines have approved, the event is approved. */
    private void checkCounted(GroupId group, Event event) {
        assertTrue(
                !agreed(group, event),
                () -> votes.get(event.id()) + " approved, and the policy is " + quorum(group) + ": " + event);
    }

    private boolean agreed(GroupId group, Event event) {
        Set<String> voters = votes.getOrDefault(event.id(), Set.of());
        ApprovalQuorum quorum = quorum(group);
        List<String> present = event.resources().stream()
                .filter(name -> isThere(group, new MachineId(group.tenant(), name)))
                .toList();
        long voices = present.stream().filter(voters::contains).count();
        int least =
                switch (quorum.kind()) {
                    case ANY -> 1;
                    case ALL -> present.size();
                    case SOME -> quorum.least();
                };
        return voices > 0 && voices >= Math.min(least, present.size());
    }

    /** Whether a machine is in a group and no preemption took it. */
    private boolean isThere(GroupId group, MachineId id) {
        PublishedState view = world.engine.view();
        return view.condition(id).state() != MachineCondition.State.TAKEN
                && view.machine(id)
                        .filter(machine -> machine.group().equals(group))
                        .isPresent();
    }

    /** Where all machines must see an event, nothing starts that one of them has not seen, unless it is down or cannot wait. */
    private void checkSeen(GroupId group, Event event) {
        boolean waits = event.type() != EventType.TERMINATE
                && event.type() != EventType.PREEMPT
                && !event.work().cause().immediate();
        Instant polled = lastPoll.get(group);
        if (!waits
                || !event.shown()
                || polled == null
                || !polled.isAfter(event.attempt().startedAt().minus(SILENCE))
                || policy(group).map(Policy::seenByAll).orElse(false) != Boolean.TRUE) {
            return;
        }
        sightings++;
        Set<String> saw = readers.getOrDefault(event.id(), Set.of());
        for (String name : event.resources()) {
            assertTrue(
                    saw.contains(name) || !ran.contains(new MachineId(group.tenant(), name)),
                    () -> name + " has not seen it, and it started: " + event);
        }
    }

    private ApprovalQuorum quorum(GroupId group) {
        return policy(group).map(Policy::approval).orElse(ApprovalQuorum.ANY);
    }

    private Optional<Policy> policy(GroupId group) {
        return world.engine.view().policy(new Scope(group.tenant(), group.name(), null));
    }
}
