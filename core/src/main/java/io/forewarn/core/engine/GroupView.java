package io.forewarn.core.engine;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rules.GroupState;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One group as published. Only the engine writes it; readers never wait. */
public final class GroupView {
    private final GroupId id;
    private volatile Group group;
    private volatile List<Machine> machines = List.of();
    private volatile GroupState state;
    private volatile EventsDocument document;

    /** Service time in milliseconds of the group's last request. Plain: a lost write costs a second of precision. */
    private long lastPoll;
    /** Whether a machine has polled since the polls were read to be saved. */
    private boolean unsaved;

    private final Set<Runnable> waiting = new LinkedHashSet<>(2);

    GroupView(GroupState state) {
        this.id = state.group();
        publish(state);
    }

    public GroupId id() {
        return id;
    }

    /** Null once the group is removed; its state stays. */
    public Group group() {
        return group;
    }

    /** In fleet order. */
    public List<Machine> machines() {
        return machines;
    }

    public GroupState state() {
        return state;
    }

    public EventsDocument document() {
        return document;
    }

    /** Which of these events list the machine and are not known to have been received by it. */
    public Set<EventId> unseen(Set<EventId> shown, String machine) {
        return state.events().stream()
                .filter(e -> shown.contains(e.id()) && !e.sightings().containsKey(machine) && e.lists(machine))
                .map(Event::id)
                .collect(Collectors.toSet());
    }

    public long lastPoll() {
        return lastPoll;
    }

    /** Runs {@code then} once, at the next change of the document, on the writer's thread. */
    public void await(Runnable then) {
        synchronized (waiting) {
            waiting.add(then);
        }
    }

    /** Cancels an {@link #await}; harmless if it already ran. */
    public void forget(Runnable then) {
        synchronized (waiting) {
            waiting.remove(then);
        }
    }

    void polled(long serviceMillis) {
        lastPoll = serviceMillis;
        unsaved = true;
    }

    /** A machine polled elsewhere, or before a restart. */
    void recall(long serviceMillis) {
        lastPoll = Math.max(lastPoll, serviceMillis);
    }

    boolean isUnsaved() {
        return unsaved;
    }

    void unsaved(boolean is) {
        unsaved = is;
    }

    void notPolledAfter(long serviceMillis) {
        lastPoll = Math.min(lastPoll, serviceMillis);
    }

    void publish(Group group, List<Machine> machines) {
        this.machines = List.copyOf(machines);
        this.group = group;
    }

    void publish(GroupState next) {
        state = next;
        EventsDocument before = document;
        if (before == null || before.incarnation() != next.incarnation()) {
            document = new EventsDocument(
                    id,
                    next.incarnation(),
                    next.events().stream().filter(Event::shown).toList());
            wake();
        }
    }

    /** Wakes all if a machine left, because it waits for the wrong document. Call it when the fleet change is visible. */
    void wakeIfOneLeft(List<Machine> before) {
        synchronized (waiting) {
            if (waiting.isEmpty()) {
                return;
            }
        }
        if (!names(machines).containsAll(names(before))) {
            wake();
        }
    }

    private static Set<String> names(List<Machine> machines) {
        return machines.stream().map(Machine::name).collect(Collectors.toSet());
    }

    private void wake() {
        List<Runnable> woken;
        synchronized (waiting) {
            if (waiting.isEmpty()) {
                return;
            }
            woken = List.copyOf(waiting);
            waiting.clear();
        }
        woken.forEach(Runnable::run);
    }
}
