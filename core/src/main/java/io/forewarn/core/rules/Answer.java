package io.forewarn.core.rules;

import io.forewarn.core.event.EventId;
import java.util.List;

/**
 * What a command that was carried out tells its caller.
 *
 * @param events the events it made or touched, in the order the machines were named
 * @param changes how many things of the fleet it added, changed or removed
 * @param repeated it was carried out before, under the same idempotency key, and is only told again; not stored
 */
public record Answer(List<EventId> events, int changes, boolean repeated) {
    public static final Answer NOTHING = new Answer(List.of(), 0);

    public Answer {
        events = List.copyOf(events);
    }

    public Answer(List<EventId> events, int changes) {
        this(events, changes, false);
    }

    /** The same, told again. */
    public Answer again() {
        return new Answer(events, changes, true);
    }

    public static Answer of(List<EventId> events) {
        return new Answer(events, 0);
    }
}
