package io.forewarn.wire.driver;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventType;
import io.forewarn.core.fleet.Machine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Renders one attempt at an event's work for the operator's program. {@code docs/driver.md} describes each member. */
public final class TaskJson {
    private static final JsonFactory JSON = new JsonFactory();

    private TaskJson() {}

    /** @param startBefore the program must not begin after this time; null: no limit */
    public static byte[] bytes(DriverTask task, Instant startBefore) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            write(task, startBefore, json);
        } catch (IOException impossibleInMemory) {
            throw new UncheckedIOException(impossibleInMemory);
        }
        return out.toByteArray();
    }

    private static void write(DriverTask task, Instant startBefore, JsonGenerator json) throws IOException {
        Event event = task.event();
        json.writeStartObject();
        json.writeStringField("EventId", event.id().toString());
        json.writeStringField("EventType", spelt(event.type()));
        json.writeStringField("Cause", event.work().cause().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("Attempt", event.attempt().attempt());
        json.writeNumberField("Epoch", event.attempt().epoch());
        json.writeStringField("StartedAt", event.attempt().startedAt().toString());
        if (startBefore != null) {
            json.writeStringField(
                    "StartBefore", startBefore.truncatedTo(ChronoUnit.MILLIS).toString());
        }
        json.writeStringField("Description", event.work().description());
        json.writeArrayFieldStart("Resources");
        for (Machine machine : task.machines()) {
            write(machine, json);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(Machine machine, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("Name", machine.name());
        json.writeStringField("Tenant", machine.id().tenant());
        json.writeStringField("Group", machine.group().name());
        json.writeStringField("Host", machine.host());
        json.writeArrayFieldStart("Addresses");
        for (String address : machine.addresses()) {
            json.writeString(address);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static String spelt(EventType type) {
        return switch (type) {
            case FREEZE -> "Freeze";
            case REBOOT -> "Reboot";
            case REDEPLOY -> "Redeploy";
            case PREEMPT -> "Preempt";
            case TERMINATE -> "Terminate";
        };
    }
}
