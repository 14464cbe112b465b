package io.forewarn.records;

import com.fasterxml.jackson.core.JsonGenerator;
import io.forewarn.core.InstantText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Writes the members of records. {@code maybe…} methods leave out null; the others reject it, so that everything written
 * can be read.
 */
final class JsonWriter {
    private final JsonGenerator json;

    // All entries of a page have the time of its commit, so that it is formatted once.
    private Instant lastInstant;
    private String lastInstantText;

    JsonWriter(JsonGenerator json) {
        this.json = json;
    }

    void open() throws IOException {
        json.writeStartObject();
    }

    void open(String name) throws IOException {
        json.writeObjectFieldStart(name);
    }

    void close() throws IOException {
        json.writeEndObject();
    }

    void openList(String name) throws IOException {
        json.writeArrayFieldStart(name);
    }

    void closeList() throws IOException {
        json.writeEndArray();
    }

    void number(String name, long value) throws IOException {
        json.writeNumberField(name, value);
    }

    void flag(String name, boolean value) throws IOException {
        if (value) {
            json.writeBooleanField(name, true);
        }
    }

    /** A flag for which false and absent differ. */
    void maybeFlag(String name, Boolean value) throws IOException {
        if (value != null) {
            json.writeBooleanField(name, value);
        }
    }

    void text(String name, Object value) throws IOException {
        json.writeStringField(name, Objects.requireNonNull(value, name).toString());
    }

    /** Left out if null or blank; read back as blank. */
    void blankable(String name, String value) throws IOException {
        if (value != null && !value.isEmpty()) {
            json.writeStringField(name, value);
        }
    }

    void maybe(String name, Object value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value.toString());
        }
    }

    void constant(String name, Enum<?> value) throws IOException {
        json.writeStringField(name, Objects.requireNonNull(value, name).name());
    }

    void maybeConstant(String name, Enum<?> value) throws IOException {
        if (value != null) {
            constant(name, value);
        }
    }

    // Instants and durations in ISO 8601: exact to the nanosecond, and readable.
    void instant(String name, Instant value) throws IOException {
        if (lastInstant == null || value != lastInstant) {
            lastInstantText = InstantText.of(Objects.requireNonNull(value, name));
            lastInstant = value;
        }
        json.writeStringField(name, lastInstantText);
    }

    void maybeInstant(String name, Instant value) throws IOException {
        if (value != null) {
            json.writeStringField(name, InstantText.of(value));
        }
    }

    void duration(String name, Duration value) throws IOException {
        text(name, value);
    }

    void texts(String name, Collection<?> values) throws IOException {
        if (!values.isEmpty()) {
            json.writeArrayFieldStart(name);
            for (Object value : values) {
                json.writeString(value.toString());
            }
            json.writeEndArray();
        }
    }

    void texts(String name, Map<String, ?> values) throws IOException {
        if (!values.isEmpty()) {
            json.writeObjectFieldStart(name);
            for (Map.Entry<String, ?> entry : ordered(values).entrySet()) {
                json.writeStringField(entry.getKey(), entry.getValue().toString());
            }
            json.writeEndObject();
        }
    }

    /** The map sorted by key, so that equal records have equal bytes. */
    static <T> Map<String, T> ordered(Map<String, T> values) {
        return values.size() > 1 ? new TreeMap<>(values) : values;
    }
}
