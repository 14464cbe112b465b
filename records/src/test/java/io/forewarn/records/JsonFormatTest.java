package io.forewarn.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.LastPolls;
import io.forewarn.core.rules.ManualClockRecord;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonFormatTest {
    private final JsonFormat format = new JsonFormat();

    @Test
    void writtenRecordsAreReadBackEqual() throws StoreException {
        RandomRecords records = new RandomRecords(1);
        for (int i = 0; i < 5_000; i++) {
            StoredRecord record = records.next();
            byte[] bytes = format.write(record);
            assertEquals(record, format.read(record.key(), bytes), () -> new String(bytes, UTF_8));
        }
    }

    @Test
    void equalRecordsAreEqualBytes() throws StoreException {
        RandomRecords records = new RandomRecords(2);
        for (int i = 0; i < 2_000; i++) {
            StoredRecord record = records.next();
            byte[] bytes = format.write(record);
            assertArrayEquals(bytes, format.write(format.read(record.key(), bytes)));
        }
    }

    @Test
    void membersOfANewerWriterAreSkipped() throws StoreException {
        RandomRecords records = new RandomRecords(3);
        for (int i = 0; i < 2_000; i++) {
            StoredRecord record = records.next();
            String json = new String(format.write(record), UTF_8);
            String more =
                    json.substring(0, json.length() - 1) + ",\"news\":{\"a\":[1,{}]},\"more\":[[]],\"none\":null}";
            assertEquals(record, format.read(record.key(), more.getBytes(UTF_8)));
        }
    }

    @Test
    void aNewerFormatIsRefusedByKeyAndNumbers() {
        String sentence = refusal("clock", "{\"format\":2,\"now\":\"tomorrow\"}");
        assertTrue(sentence.contains("clock"), sentence);
        assertTrue(sentence.contains("format 2"), sentence);
        assertTrue(sentence.contains("format 1"), sentence);
    }

    @Test
    void recordsAreWrittenInAFormatThatIsReadAndInNoOther() {
        StoredRecord mark = new ManualClockRecord(Instant.parse("2016-09-19T18:29:47Z"));
        for (int number = JsonFormat.OLDEST; number <= JsonFormat.NEWEST; number++) {
            format.writeAs(number);
            assertTrue(new String(format.write(mark), UTF_8).startsWith("{\"format\":" + number + ","));
        }
        assertThrows(IllegalArgumentException.class, () -> format.writeAs(JsonFormat.NEWEST + 1));
        assertThrows(IllegalArgumentException.class, () -> format.writeAs(JsonFormat.OLDEST - 1));
    }

    @Test
    void aFormatThatNeverWasIsRefused() {
        assertTrue(refusal("clock", "{\"format\":0,\"now\":\"2016-09-19T18:29:47Z\"}")
                .contains("format 0"));
    }

    @Test
    void damageIsNamedByKey() {
        Map<String, String> damages = Map.ofEntries(
                Map.entry("", "clock"),
                Map.entry("null", "clock"),
                Map.entry("{}", "clock"),
                Map.entry("[]", "clock"),
                Map.entry("{\"now\":\"2016-09-19T18:29:47Z\"}", "clock"),
                Map.entry("{\"format\":1}", "clock"),
                Map.entry("{\"format\":1,\"now\":null}", "clock"),
                Map.entry("{\"format\":1,\"now\":5}", "clock"),
                Map.entry("{\"format\":1,\"now\":\"soon\"}", "clock"),
                Map.entry("{\"format\":1,\"now\":\"2016-09-19T18:29:47Z\"} {}", "clock"),
                Map.entry("{\"format\":1,\"group\":\"web\",\"incarnation\":1}", "state/default/web"),
                Map.entry("{\"format\":1,\"group\":\"a/b\",\"incarnation\":99999999999999999999}", "state/a/b"),
                Map.entry("{\"format\":1,\"machine\":\"a/b\",\"state\":\"ASLEEP\",\"boots\":0}", "machine/a/b"),
                Map.entry("{\"format\":1,\"now\":\"2016-09-19T18:29:48Z\"}", "clocks"),
                Map.entry("{\"format\":1,\"now\":\"2016-09-19T18:29:49Z\"}", "clock/"));
        damages.forEach((json, key) -> {
            String sentence = refusal(key, json);
            assertTrue(sentence.startsWith("the record " + key + " is damaged: "), sentence);
        });
    }

    @Test
    void cutBytesAreAlwaysRefused() {
        RandomRecords records = new RandomRecords(4);
        for (int i = 0; i < 300; i++) {
            StoredRecord record = records.next();
            byte[] bytes = format.write(record);
            for (int length = 0; length < bytes.length; length += 1 + length / 20) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertUnreadable(record.key(), cut);
            }
        }
    }

    @Test
    void changedBytesAreReadOrRefusedAndNothingElse() {
        RandomRecords records = new RandomRecords(5);
        Random random = new Random(6);
        for (int i = 0; i < 5_000; i++) {
            StoredRecord record = records.next();
            byte[] bytes = format.write(record);
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                assertInstanceOf(record.getClass(), format.read(record.key(), bytes));
            } catch (StoreException e) {
                assertEquals(StoreException.Kind.UNREADABLE, e.kind());
            }
        }
    }

    @Test
    void aGroupMayBeLarge() throws StoreException {
        Map<String, LastPolls.Poll> polls = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            polls.put("machine-" + i, new LastPolls.Poll(Instant.ofEpochSecond(i), "2020-07-01"));
        }
        LastPolls record = new LastPolls(new GroupId("default", "web"), polls);
        assertEquals(record, format.read(record.key(), format.write(record)));
    }

    @Test
    void machinesShareWhatTheyHaveInCommon() throws StoreException {
        GroupId id = new GroupId("default", "web");
        Machine one = new Machine(
                new MachineId("default", "a"), id, 0, 0, "host-1", List.of(), "", false, Map.of("env", "demo"));
        Machine two = new Machine(
                new MachineId("default", "b"), id, 1, 0, "host-1", List.of(), "", false, Map.of("env", "demo"));
        FleetChunk chunk = new FleetChunk(new Group(id, GroupKind.SCALE_SET, 5, 1), 0, 1, List.of(one, two));
        FleetChunk read = (FleetChunk) format.read(chunk.key(), format.write(chunk));
        Machine first = read.machines().get(0);
        Machine second = read.machines().get(1);
        assertSame(read.group().id(), first.group());
        assertSame(first.group(), second.group());
        assertSame(first.id().tenant(), second.id().tenant());
        assertSame(first.host(), second.host());
        assertSame(first.tags(), second.tags());
        assertSame(first.addresses(), second.addresses());
    }

    @Test
    void aMachineOfAnotherGroupIsNotWritten() {
        Machine stray = new Machine(
                new MachineId("default", "a"), new GroupId("default", "db"), 0, 0, "", List.of(), "", false, Map.of());
        Group web = new Group(new GroupId("default", "web"), GroupKind.SCALE_SET, 5, 1);
        FleetChunk chunk = new FleetChunk(web, 0, 1, List.of(stray));
        assertThrows(IllegalArgumentException.class, () -> format.write(chunk));
    }

    private String refusal(String key, String json) {
        return assertUnreadable(key, json.getBytes(UTF_8));
    }

    private String assertUnreadable(String key, byte[] bytes) {
        StoreException refusal = assertThrows(
                StoreException.class, () -> format.read(key, bytes), () -> key + " " + new String(bytes, UTF_8));
        assertEquals(StoreException.Kind.UNREADABLE, refusal.kind());
        return refusal.getMessage();
    }
}
