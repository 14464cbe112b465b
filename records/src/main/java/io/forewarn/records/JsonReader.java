package io.forewarn.records;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.forewarn.core.InstantText;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses a record. An object is read as {@code open(); while ((name = member()) != null) switch (name) …}, where each
 * case takes the member's value by one call. A member that is null counts as absent.
 */
final class JsonReader {
    /** Reads one value. */
    interface Value<T> {
        T read(JsonReader in) throws IOException;
    }

    private final JsonParser json;
    private final ValueInterner valueInterner;

    JsonReader(JsonParser json, ValueInterner valueInterner) {
        this.json = json;
        this.valueInterner = valueInterner;
    }

    void begin() throws IOException {
        json.nextToken();
        open();
    }

    void end() throws IOException {
        if (json.nextToken() != null) {
            throw new DamagedRecordException("something follows its end");
        }
    }

    void open() throws IOException {
        expect(JsonToken.START_OBJECT, "an object");
    }

    /** The next member's name, with its value next to read; null at the object's end. */
    String member() throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_NULL) {
                return name;
            }
        }
        expect(JsonToken.END_OBJECT, "the end of an object");
        return null;
    }

    void skip() throws IOException {
        json.skipChildren();
    }

    String text() throws IOException {
        expect(JsonToken.VALUE_STRING, "a string");
        return json.getText();
    }

    /** A string that many records share. */
    String sharedText() throws IOException {
        return valueInterner.one(text());
    }

    int number() throws IOException {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        return json.getIntValue();
    }

    long bigNumber() throws IOException {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        return json.getLongValue();
    }

    boolean flag() throws IOException {
        if (json.currentToken() == JsonToken.VALUE_FALSE) {
            return false;
        }
        expect(JsonToken.VALUE_TRUE, "true or false");
        return true;
    }

    Instant instant() throws IOException {
        String text = text();
        try {
            return InstantText.parse(text);
        } catch (DateTimeParseException e) {
            throw new DamagedRecordException("'" + text + "' is not a time");
        }
    }

    Duration duration() throws IOException {
        String text = text();
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new DamagedRecordException("'" + text + "' is not a duration");
        }
    }

    ZoneId zone() throws IOException {
        String text = sharedText();
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new DamagedRecordException("'" + text + "' is not a time zone");
        }
    }

    <E extends Enum<E>> E constant(Class<E> type) throws IOException {
        String text = text();
        try {
            return Enum.valueOf(type, text);
        } catch (IllegalArgumentException e) {
            throw new DamagedRecordException("'" + text + "' is not a " + type.getSimpleName());
        }
    }

    GroupId groupId() throws IOException {
        String text = text();
        int slash = slash(text);
        return valueInterner.one(new GroupId(valueInterner.one(text.substring(0, slash)), text.substring(slash + 1)));
    }

    MachineId machineId() throws IOException {
        String text = text();
        int slash = slash(text);
        return new MachineId(valueInterner.one(text.substring(0, slash)), text.substring(slash + 1));
    }

    private static int slash(String text) throws DamagedRecordException {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new DamagedRecordException("'" + text + "' is not of the form tenant/name");
        }
        return slash;
    }

    <T> List<T> list(Value<T> value) throws IOException {
        expect(JsonToken.START_ARRAY, "a list");
        if (json.nextToken() == JsonToken.END_ARRAY) {
            return List.of();
        }
        T first = value.read(this);
        if (json.nextToken() == JsonToken.END_ARRAY) {
            return List.of(first);
        }
        List<T> values = new ArrayList<>();
        values.add(first);
        do {
            values.add(value.read(this));
        } while (json.nextToken() != JsonToken.END_ARRAY);
        return List.copyOf(values);
    }

    <T> Map<String, T> map(Value<T> value) throws IOException {
        open();
        Map<String, T> values = new HashMap<>();
        for (String name = member(); name != null; name = member()) {
            values.put(name, value.read(this));
        }
        return Map.copyOf(values);
    }

    /** A map that many records share. */
    Map<String, String> sharedMap() throws IOException {
        return valueInterner.one(map(JsonReader::sharedText));
    }

    private void expect(JsonToken wanted, String description) throws IOException {
        if (json.currentToken() != wanted) {
            String where = json.currentName() == null ? "" : " at '" + json.currentName() + "'";
            throw new DamagedRecordException(description + " was expected" + where);
        }
    }
}
