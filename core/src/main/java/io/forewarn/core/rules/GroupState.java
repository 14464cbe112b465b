package io.forewarn.core.rules;

import io.forewarn.core.Stored;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the writer knows of one group beyond its fleet description. Outlives a removed group, so that an incarnation never
 * comes back with other content.
 *
 * @param incarnation starts at 1 with the first, empty document
 * @param enabledAt when a machine of the group first asked; null until then
 * @param events the open events in the order they were accepted
 * @param lastDown the update domain platform work last took down, and when it came back; null if none yet
 */
public record GroupState(GroupId group, long incarnation, Instant enabledAt, List<Event> events, Down lastDown)
        implements Stored {
    /**
     * An update domain that was down for platform work until {@code endedAt}.
     *
     * @param awaited machines, of this domain or one before it, that used to ask and must ask again before a domain other than their
     *     own goes down
     */
    public record Down(int updateDomain, Instant endedAt, Set<String> awaited) {
        public Down {
            awaited = Set.copyOf(awaited);
        }

        /** The machine said itself that it is back. */
        Down without(String machine) {
            Set<String> left = new HashSet<>(awaited);
            left.remove(machine);
            return new Down(updateDomain, endedAt, left);
        }
    }

    public static final String PREFIX = "state/";

    public GroupState {
        events = List.copyOf(events);
    }

    public static GroupState fresh(GroupId group) {
        return new GroupState(group, 1, null, List.of(), null);
    }

    @Override
    public String key() {
        return PREFIX + group;
    }

    public Optional<Event> event(EventId id) {
        return events.stream().filter(e -> e.id().equals(id)).findFirst();
    }

    public boolean isEnabled() {
        return enabledAt != null;
    }

    GroupState enabled(Instant at) {
        return new GroupState(group, incarnation, at, events, lastDown);
    }

    GroupState with(Event event) {
        List<Event> more = new ArrayList<>(events);
        int at = indexOf(event.id());
        if (at < 0) {
            more.add(event);
        } else {
            more.set(at, event);
        }
        return new GroupState(group, incarnation, enabledAt, more, lastDown);
    }

    GroupState without(EventId id) {
        List<Event> fewer = new ArrayList<>(events);
        fewer.remove(indexOf(id));
        return new GroupState(group, incarnation, enabledAt, fewer, lastDown);
    }

    GroupState counted() {
        return new GroupState(group, incarnation + 1, enabledAt, events, lastDown);
    }

    GroupState down(Down down) {
        return new GroupState(group, incarnation, enabledAt, events, down);
    }

    private int indexOf(EventId id) {
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }
}
