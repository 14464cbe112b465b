package io.forewarn.core.engine;

import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.Machine;
import java.util.List;

/**
 * One attempt at one event's work, as a driver is told of it. {@code event.id()}, {@code event.claim().attempt()} and
 * {@code event.claim().epoch()} name it.
 */
public record DriverTask(Event event, List<Machine> machines) {
    public DriverTask {
        machines = List.copyOf(machines);
    }
}
