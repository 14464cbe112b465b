package io.forewarn.records;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamWriteException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.forewarn.core.StoredRecord;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.audit.AuditAnchor;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.TimeMark;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.LastPolls;
import io.forewarn.core.rules.LogPage;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ManualClockRecord;
import io.forewarn.core.rules.StoredPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Records as compact JSON a person can read, each beginning with its format, as {@code "format":1}. Members that are null, blank or empty
 * are left out. Members that are not known are skipped, so a release may add some without a new format number; a change that
 * an older reader would misunderstand takes a new number. Safe for any number of threads.
 */
public final class JsonFormat implements RecordFormat {
    /** The format that is written, unless an older one is asked for. */
    public static final int NEWEST = 1;

    /** The oldest that is still read and written: always the one before the newest, once there are two. */
    public static final int OLDEST = Math.max(1, NEWEST - 1);

    private static final int TYPICAL_BYTES = 512;

    private final JsonFactory json = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // Machines' names are member names too.
            .build();
    private final JsonFactory ascii =
            json.rebuild().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private final ValueInterner valueInterner = new ValueInterner();
    private volatile int written = NEWEST;

    /** From now on records are written in this format: others may not read a newer one. */
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
                // Half a surrogate pair, sent by some caller, has no UTF-8. It must not stop the writer, so it is
                // escaped.
                return write(record, ascii);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The record " + record.key() + " cannot be spelt as JSON.", e);
        }
    }

    private byte[] write(StoredRecord record, JsonFactory spelling) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_BYTES);
        try (JsonGenerator generator = spelling.createGenerator(bytes)) {
            JsonWriter out = new JsonWriter(generator);
            out.open();
            out.number("format", written);
            body(out, record);
            out.close();
        }
        return bytes.toByteArray();
    }

    private static void body(JsonWriter out, StoredRecord record) throws IOException {
        if (record instanceof FleetChunk chunk) {
            FleetChunkJson.write(out, chunk);
        } else if (record instanceof Rollout rollout) {
            RolloutJson.write(out, rollout);
        } else if (record instanceof RolloutUnitChunk chunk) {
            RolloutUnitsJson.write(out, chunk);
        } else if (record instanceof ActiveUnit unit) {
            RolloutUnitsJson.write(out, unit);
        } else if (record instanceof GroupState state) {
            GroupStateJson.write(out, state);
        } else if (record instanceof MachineCondition condition) {
            MachineConditionJson.write(out, condition);
        } else if (record instanceof LastPolls polls) {
            LastPollsJson.write(out, polls);
        } else if (record instanceof LogPage page) {
            LogPageJson.write(out, page);
        } else if (record instanceof Tenant tenant) {
            TenantJson.write(out, tenant);
        } else if (record instanceof ApiToken token) {
            ApiTokenJson.write(out, token);
        } else if (record instanceof StoredPolicy policy) {
            PolicyJson.write(out, policy);
        } else if (record instanceof AuditPage page) {
            AuditJson.write(out, page);
        } else if (record instanceof AuditAnchor anchor) {
            AuditJson.write(out, anchor);
        } else if (record instanceof DeliveryCursor cursor) {
            DeliveryJson.write(out, cursor);
        } else if (record instanceof DeadLetter letter) {
            DeliveryJson.write(out, letter);
        } else if (record instanceof Subscription subscription) {
            SubscriptionJson.write(out, subscription);
        } else if (record instanceof ManualClockRecord mark) {
            ManualClockJson.write(out, mark);
        } else if (record instanceof TimeMark mark) {
            TimeJson.write(out, mark);
        } else {
            throw new IllegalStateException(
                    "No spelling for " + record.getClass().getName());
        }
    }

    @Override
    public StoredRecord read(String key, byte[] value) throws StoreException {
        try (JsonParser parser = json.createParser(value)) {
            JsonReader in = new JsonReader(parser, valueInterner);
            in.begin();
            checkFormat(key, in);
            StoredRecord record = body(key, in);
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

    private static StoredRecord body(String key, JsonReader in) throws IOException {
        String kind = key.substring(0, key.indexOf('/') + 1);
        return switch (kind.isEmpty() ? key : kind) {
            case FleetChunk.PREFIX -> FleetChunkJson.read(in);
            case GroupState.PREFIX -> GroupStateJson.read(in);
            case MachineCondition.PREFIX -> MachineConditionJson.read(in);
            case LastPolls.PREFIX -> LastPollsJson.read(in);
            case LogPage.PREFIX -> LogPageJson.read(in);
            case Tenant.PREFIX -> TenantJson.read(in);
            case ApiToken.PREFIX -> ApiTokenJson.read(in);
            case StoredPolicy.PREFIX -> PolicyJson.read(in);
            case Rollout.PREFIX -> RolloutJson.read(in);
            case RolloutUnitChunk.PREFIX -> RolloutUnitsJson.readChunk(in);
            case ActiveUnit.PREFIX -> RolloutUnitsJson.readOpen(in);
            case AuditPage.PREFIX -> AuditJson.readPage(in);
            case AuditAnchor.KEY -> AuditJson.readAnchor(in);
            case Subscription.PREFIX -> SubscriptionJson.read(in);
            case DeliveryCursor.PREFIX -> DeliveryJson.readCursor(in);
            case DeadLetter.PREFIX -> DeliveryJson.readLetter(in);
            case ManualClockRecord.KEY -> ManualClockJson.read(in);
            case TimeMark.KEY -> TimeJson.read(in);
            default -> throw new DamagedRecordException("no kind of record has such a key");
        };
    }

    /** Names and ids need no escape in JSON, so they stand there letter by letter. */
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
