package io.forewarn.core.rules;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the writer knows about a group beyond its fleet description. It outlives a removed group, so that an incarnation is
 * never reused with other content.
 *
 * @param incarnation starts at 1 with the first, empty document
 * @param enabledAt when a machine of the group first polled; null until then
 * @param events the open events in the order they were accepted
 * @param lastDown the update domain that platform work took down last, and when it came back; null if none yet
 * @param earlierDown the last different update domain before that; null if there was none. No more are needed: whichever
 *     domain comes next, the latest end of all others is one of these two
 * @param lastRehearsed the update domain whose rehearsed work ended last, or -1 for several at once; only rehearsals keep a
 *     distance from it. Null if none yet
 */
public record GroupState(
        GroupId group,
        long incarnation,
        Instant enabledAt,
        List<Event> events,
        Down lastDown,
        Down earlierDown,
        Down lastRehearsed)
        implements StoredRecord {
    /**
     * An update domain that was down for platform work until {@code endedAt}.
     *
     * @param awaited machines, of this domain or an earlier one, that used to poll and must poll again before another domain goes down,
     *     each with the time when its work ended. They stay here when the wait is over, so that nobody waits for them again
     */
    public record Down(int updateDomain, Instant endedAt, Map<String, Instant> awaited) {
        public Down {
            awaited = Map.copyOf(awaited);
        }

        /** One whose awaited machines are all of this domain. */
        public Down(int updateDomain, Instant endedAt, Set<String> awaited) {
            this(updateDomain, endedAt, awaited.stream().collect(Collectors.toMap(name -> name, name -> endedAt)));
        }

        /** The machine itself reported that it is back. */
        Down without(String machine) {
            Map<String, Instant> left = new HashMap<>(awaited);
            left.remove(machine);
            return new Down(updateDomain, endedAt, left);
        }
    }

    public static final String PREFIX = "state/";

    /** Stands for several update domains, each other than any that is asked about. */
    static final int SEVERAL = -1;

    public GroupState {
        events = List.copyOf(events);
    }

    /** A group of which one update domain at most was down so far. */
    public GroupState(GroupId group, long incarnation, Instant enabledAt, List<Event> events, Down lastDown) {
        this(group, incarnation, enabledAt, events, lastDown, null, null);
    }

    public static GroupState fresh(GroupId group) {
        return new GroupState(group, 1, null, List.of(), null);
    }

    @Override
    public String key() {
        return PREFIX + group;
    }

    public Optional<Event> event(EventId id) {
        int at = indexOf(id);
        return at < 0 ? Optional.empty() : Optional.of(events.get(at));
    }

    public boolean isEnabled() {
        return enabledAt != null;
    }

    GroupState enabled(Instant at) {
        return new GroupState(group, incarnation, at, events, lastDown, earlierDown, lastRehearsed);
    }

    GroupState with(Event event) {
        List<Event> more = new ArrayList<>(events);
        int at = indexOf(event.id());
        if (at < 0) {
            more.add(event);
        } else {
            more.set(at, event);
        }
        return new GroupState(group, incarnation, enabledAt, more, lastDown, earlierDown, lastRehearsed);
    }

    GroupState without(EventId id) {
        List<Event> fewer = new ArrayList<>(events);
        fewer.remove(indexOf(id));
        return new GroupState(group, incarnation, enabledAt, fewer, lastDown, earlierDown, lastRehearsed);
    }

    GroupState counted() {
        return countedBeyond(incarnation);
    }

    /** The same content under a number that was never used for other content. */
    GroupState countedBeyond(long seen) {
        return new GroupState(
                group, Math.max(incarnation, seen) + 1, enabledAt, events, lastDown, earlierDown, lastRehearsed);
    }

    GroupState down(Down down) {
        boolean another = lastDown != null && lastDown.updateDomain() != down.updateDomain();
        Down earlier = another ? new Down(lastDown.updateDomain(), lastDown.endedAt(), Set.of()) : earlierDown;
        return new GroupState(group, incarnation, enabledAt, events, down, earlier, lastRehearsed);
    }

    GroupState rehearsed(int domain, Instant at) {
        // Those of one host end together.
        boolean several = lastRehearsed != null
                && lastRehearsed.updateDomain() != domain
                && lastRehearsed.endedAt().equals(at);
        Down down = new Down(several ? SEVERAL : domain, at, Set.of());
        return new GroupState(group, incarnation, enabledAt, events, lastDown, earlierDown, down);
    }

    /** The update domain other than this one that was the last to come back. Only the next rehearsal waits for recovery after a rehearsal. */
    Optional<Down> otherDown(int domain, boolean rehearsal) {
        return Stream.of(lastDown, earlierDown, rehearsal ? lastRehearsed : null)
                .filter(Objects::nonNull)
                .filter(down -> down.updateDomain() != domain)
                .max(Comparator.comparing(Down::endedAt));
    }

    /** When the update domains that were down last came back. */
    Map<Integer, Instant> cameBack(boolean rehearsal) {
        Map<Integer, Instant> ends = new HashMap<>();
        Stream.of(earlierDown, lastDown, rehearsal ? lastRehearsed : null)
                .filter(Objects::nonNull)
                .forEach(down -> ends.merge(down.updateDomain(), down.endedAt(), (a, b) -> a.isAfter(b) ? a : b));
        return ends;
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
