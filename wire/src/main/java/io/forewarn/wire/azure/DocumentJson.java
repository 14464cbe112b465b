package io.forewarn.wire.azure;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.forewarn.core.engine.EventsDocument;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/** The document a machine reads, compact and with its keys in the order of contract §2. */
public final class DocumentJson {
    private static final JsonFactory JSON = new JsonFactory();

    private DocumentJson() {}

    /** @param kind what the group is; decides only about the preview's underscore */
    public static byte[] render(
            EventsDocument document, ApiVersion version, GroupKind kind, PreviewOptions previewOptions) {
        ByteArrayOutputStream bytes =
                new ByteArrayOutputStream(64 + 320 * document.events().size());
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            boolean underscore = version.isPreview() && previewOptions.underscore() && kind != GroupKind.CLOUD_SERVICE;
            json.writeStartObject();
            json.writeNumberField("DocumentIncarnation", document.incarnation());
            json.writeArrayFieldStart("Events");
            for (Event event : document.events()) {
                if (version.shows(event.type())) {
                    write(json, event, version, underscore ? "_" : "", previewOptions);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Writing into memory does not fail.
        }
        return bytes.toByteArray();
    }

    /** The events a version lets a machine see. */
    public static Set<EventId> visible(EventsDocument document, ApiVersion version) {
        Set<EventId> ids = new LinkedHashSet<>();
        for (Event event : document.events()) {
            if (version.shows(event.type())) {
                ids.add(event.id());
            }
        }
        return ids;
    }

    private static void write(
            JsonGenerator json, Event event, ApiVersion version, String prefix, PreviewOptions previewOptions)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("EventId", event.id().toString());
        json.writeStringField("EventStatus", isStarted(event) ? "Started" : "Scheduled");
        json.writeStringField("EventType", spell(event.type()));
        json.writeStringField("ResourceType", "VirtualMachine");
        json.writeArrayFieldStart("Resources");
        for (String machine : event.resources()) {
            json.writeString(prefix + machine);
        }
        json.writeEndArray();
        json.writeStringField("NotBefore", notBefore(event, version, previewOptions));
        if (version.showsDescription()) {
            json.writeStringField("Description", event.work().description());
        }
        if (version.showsSource()) {
            json.writeStringField("EventSource", spell(event.work().cause().source()));
        }
        if (version.showsDuration()) {
            // -1 if unknown: contract §2.
            json.writeNumberField(
                    "DurationInSeconds",
                    event.work()
                            .expectedInterruption()
                            .map(DocumentJson::seconds)
                            .orElse(-1L));
        }
        json.writeEndObject();
    }

    private static String notBefore(Event event, ApiVersion version, PreviewOptions previewOptions) {
        if (isStarted(event)) {
            return ""; // Blank once started, the key kept: contract §2.
        }
        boolean iso = version.isPreview() && !previewOptions.rfc1123Dates();
        return iso
                ? AzureDates.iso8601(event.noticePeriod().notBefore())
                : AzureDates.rfc1123(event.noticePeriod().notBefore());
    }

    private static boolean isStarted(Event event) {
        return event.phase() == Phase.STARTED;
    }

    private static long seconds(Duration interruption) {
        return interruption.plusNanos(999_999_999).toSeconds();
    }

    private static String spell(EventType type) {
        return switch (type) {
            case FREEZE -> "Freeze";
            case REBOOT -> "Reboot";
            case REDEPLOY -> "Redeploy";
            case PREEMPT -> "Preempt";
            case TERMINATE -> "Terminate";
        };
    }

    private static String spell(EventSource source) {
        return switch (source) {
            case PLATFORM -> "Platform";
            case USER -> "User";
        };
    }
}
