package io.forewarn.core.engine;

import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Creates the task for an event, with all machines of its rollout unit if it belongs to one. */
final class DriverTaskFactory {
    private final PublishedState view;

    DriverTaskFactory(PublishedState view) {
        this.view = view;
    }

    /** Of the events of one rollout unit, only one is handed to the driver. */
    boolean leads(Event event) {
        return unit(event).map(unit -> unit.lead().equals(event.id())).orElse(true);
    }

    DriverTask task(GroupId group, Event event) {
        List<Machine> machines = new ArrayList<>();
        List<Part> parts = unit(event).map(ActiveUnit::parts).orElseGet(() -> List.of(new Part(group, event.id())));
        for (Part part : parts) {
            Optional<Event> share = view.state(part.group()).event(part.event());
            for (String name : share.map(Event::resources).orElse(List.of())) {
                if (view.isThere(part.group(), name)) {
                    view.machine(new MachineId(part.group().tenant(), name)).ifPresent(machines::add);
                }
            }
        }
        return new DriverTask(event, machines);
    }

    private Optional<ActiveUnit> unit(Event event) {
        return Optional.ofNullable(event.work().unit()).flatMap(view::open);
    }
}
