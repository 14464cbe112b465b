package io.forewarn.records;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamWriteException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.forewarn.core.StoredRecord;
import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads and writes records as compact JSON, each beginning with its format, as {@code "format":1}. Members that are
 * null, blank or empty are left out. Unknown members are skipped, so that a release may add some without a new format
 * number; a change that an older reader would misunderstand requires a new number. Thread-safe.
 */
public final class JsonFormat implements RecordFormat {
    /** The format that is written by default. */
    public static final int NEWEST = 1;

    /** The oldest format that is still read and written: the one before the newest, once there are two. */
    public static final int OLDEST = Math.max(1, NEWEST - 1);

    private final JsonFactory json = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // Member names include names of machines.
            .build();
    private final JsonFactory ascii =
            json.rebuild().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private final ValueInterner valueInterner = new ValueInterner();
    private volatile int written = NEWEST;

    /** Sets the format to write: other nodes may not be able to read a newer one. */
    public void writeAs(int format) {
        if (format < OLDEST || format > NEWEST) {
            throw new IllegalArgumentException("Formats " + OLDEST + " to " + NEWEST + " are written, not " + format);
        }
        written = format;
    }

    @Override
    public byte[] write(StoredRecord record) {
        try {
            try {
                return write(record, json);
            } catch (StreamWriteException halfCharacter) {
                // A lone surrogate from a request has no UTF-8 encoding. It is escaped, because it must not stop the
                // writer.
                return write(record, ascii);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The record " + record.key() + " cannot be spelt as JSON.", e);
        }
    }

    private byte[] write(StoredRecord record, JsonFactory spelling) throws IOException {
        RecordBytes bytes = new RecordBytes();
        try (JsonGenerator generator = spelling.createGenerator(bytes)) {
            JsonWriter out = new JsonWriter(generator);
            out.open();
            out.number("format", written);
            RecordCodec.write(out, record);
            out.close();
        }
        return bytes.all();
    }

    @Override
    public StoredRecord read(String key, byte[] value) throws StoreException {
        try (JsonParser parser = json.createParser(value)) {
            JsonReader in = new JsonReader(parser, valueInterner);
            in.begin();
            checkFormat(key, in);
            StoredRecord record = RecordCodec.read(key, in);
            in.end();
            return record;
        } catch (JsonProcessingException e) {
            throw damaged(key, e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw damaged(key, e.getMessage(), e);
        }
    }

    private static void checkFormat(String key, JsonReader in) throws IOException, StoreException {
        if (!"format".equals(in.member())) {
            throw new DamagedRecordException("it does not begin with its format");
        }
        int found = in.number();
        if (found > NEWEST) {
            throw new StoreException(
                    StoreException.Kind.UNREADABLE,
                    "the record " + key + " has format " + found
                            + ", written by a newer release; this release reads up to format " + NEWEST
                            + ". Run the newer release, or restore a copy of the store made before the upgrade");
        }
        if (found < OLDEST) {
            throw new StoreException(
                    StoreException.Kind.UNREADABLE,
                    "the record " + key + " has format " + found + "; this release reads formats " + OLDEST + " to "
                            + NEWEST + ". Upgrade one release at a time");
        }
    }

    /** Names and ids need no escaping in JSON, so that they can be searched for literally. */
    @Override
    public boolean mayMention(byte[] value, String word) {
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c <= ' ' || c > '~' || c == '"' || c == '\\') {
                return true;
            }
        }
        if (word.isEmpty()) {
            return true;
        }
        byte[] letters = word.getBytes(StandardCharsets.US_ASCII);
        for (int from = 0; from + letters.length <= value.length; from++) {
            if (value[from] == letters[0]
                    && Arrays.equals(value, from, from + letters.length, letters, 0, letters.length)) {
                return true;
            }
        }
        return false;
    }

    private static StoreException damaged(String key, String why, Throwable cause) {
        return new StoreException(
                StoreException.Kind.UNREADABLE,
                "the record " + key + " is damaged: " + why + ". Restore the store from a copy",
                cause);
    }
}
