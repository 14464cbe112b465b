package io.forewarn.wire.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.StartAttempt;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskJsonTest {
    private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void aProgramReadsEverythingItNeedsToFindTheMachines() {
        assertEquals(
                "{\"EventId\":\"602D9444-D2CD-49C7-8624-8643E7171297\",\"EventType\":\"Reboot\",\"Cause\":\"failure\","
                        + "\"Attempt\":2,\"Epoch\":7,\"StartedAt\":\"2026-03-01T12:00:00Z\","
                        + "\"Description\":\"Fan \\\"A\\\" \\nbroke\",\"Resources\":[{\"Name\":\"web_0\",\"Tenant\":\"acme\","
                        + "\"Group\":\"web\",\"Host\":\"host-1\",\"Addresses\":[\"10.0.0.1\",\"fd00::1\"]}]}",
                new String(TaskJson.bytes(task(Cause.FAILURE), null), StandardCharsets.UTF_8));
    }

    private static DriverTask task(Cause cause) {
        Work work = new Work(cause, List.of("web_0"), 0, Duration.ZERO, "Fan \"A\" \nbroke", null, AT);
        EventId id = EventId.parse("602d9444-d2cd-49c7-8624-8643e7171297").orElseThrow();
        Machine machine = new Machine(
                new MachineId("acme", "web_0"),
                new GroupId("acme", "web"),
                0,
                0,
                "host-1",
                List.of("10.0.0.1", "fd00::1"),
                "",
                false,
                Map.of());
        return new DriverTask(Event.accepted(id, work).started(new StartAttempt(AT, 2, 7), true), List.of(machine));
    }
}
