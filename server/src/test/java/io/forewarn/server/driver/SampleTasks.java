package io.forewarn.server.driver;

import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.StartAttempt;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tasks to try drivers with. */
final class SampleTasks {
    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private SampleTasks() {}

    static DriverTask of(Cause cause, int number) {
        return of(cause, number, 1);
    }

    static DriverTask of(Cause cause, int number, int attempt) {
        return of(cause, number, attempt, false, Map.of());
    }

    static DriverTask of(Cause cause, int number, int attempt, boolean rehearsal, Map<String, String> tags) {
        String name = "web_" + number;
        Work work = new Work(cause, List.of(name), 0, Duration.ZERO, cause.description(), null, START, null, rehearsal);
        Event event = Event.accepted(new EventId(new UUID(7, number)), work)
                .started(new StartAttempt(START, attempt, 3), true);
        Machine machine = new Machine(
                new MachineId("default", name),
                new GroupId("default", "web"),
                0,
                0,
                "host-1",
                List.of("10.0.0." + number),
                "",
                false,
                tags);
        return new DriverTask(event, List.of(machine));
    }
}
