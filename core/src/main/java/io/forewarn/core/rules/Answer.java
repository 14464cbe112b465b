package io.forewarn.core.rules;

import io.forewarn.core.event.EventId;
import java.util.List;

/**
 * What a command that was carried out tells its caller.
 *
 * @param events the events it made or touched, in the order the machines were named
 * @param changes how many things of the fleet it added, changed or removed
 */
public record Answer(List<EventId> events, int changes) {
    public static final Answer NOTHING = new Answer(List.of(), 0);

    public Answer {
        events = List.copyOf(events);
    }

    public static Answer of(List<EventId> events) {
        return new Answer(events, 0);
    }
}
