package io.forewarn.core.engine;

import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.Machine;
import java.util.List;

/**
 * One attempt at an event's work, as handed to a driver. It is identified by {@code event.id()}, {@code
 * event.claim().attempt()} and {@code event.claim().epoch()}.
 */
public record DriverTask(Event event, List<Machine> machines) {
    public DriverTask {
        machines = List.copyOf(machines);
    }
}
