package io.forewarn.records;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.audit.AuditAnchor;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.engine.TimeMark;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.LastPolls;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ManualClockRecord;
import io.forewarn.core.rules.StoredPolicy;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Encodes and decodes one record type as JSON. A new type needs a line here.
 *
 * @param kind the first part of its key, with the slash, or the whole key if there is only one such record
 */
record RecordCodec<T extends StoredRecord>(String kind, Class<T> type, Writing<T> writing, Reading<T> reading) {
    /** Writes the members of a record. */
    interface Writing<T> {
        void write(JsonWriter out, T record) throws IOException;
    }

    /** Reads the members of a record. */
    interface Reading<T> {
        T read(JsonReader in) throws IOException;
    }

    static final List<RecordCodec<?>> ALL = List.of(
            new RecordCodec<>(FleetChunk.PREFIX, FleetChunk.class, FleetChunkJson::write, FleetChunkJson::read),
            new RecordCodec<>(GroupState.PREFIX, GroupState.class, GroupStateJson::write, GroupStateJson::read),
            new RecordCodec<>(
                    MachineCondition.PREFIX,
                    MachineCondition.class,
                    MachineConditionJson::write,
                    MachineConditionJson::read),
            new RecordCodec<>(LastPolls.PREFIX, LastPolls.class, LastPollsJson::write, LastPollsJson::read),
            new RecordCodec<>(LogPage.PREFIX, LogPage.class, LogPageJson::write, LogPageJson::read),
            new RecordCodec<>(Tenant.PREFIX, Tenant.class, TenantJson::write, TenantJson::read),
            new RecordCodec<>(ApiToken.PREFIX, ApiToken.class, ApiTokenJson::write, ApiTokenJson::read),
            new RecordCodec<>(StoredPolicy.PREFIX, StoredPolicy.class, PolicyJson::write, PolicyJson::read),
            new RecordCodec<>(Rollout.PREFIX, Rollout.class, RolloutJson::write, RolloutJson::read),
            new RecordCodec<>(
                    RolloutUnitChunk.PREFIX,
                    RolloutUnitChunk.class,
                    RolloutUnitsJson::write,
                    RolloutUnitsJson::readChunk),
            new RecordCodec<>(ActiveUnit.PREFIX, ActiveUnit.class, RolloutUnitsJson::write, RolloutUnitsJson::readOpen),
            new RecordCodec<>(AuditPage.PREFIX, AuditPage.class, AuditJson::write, AuditJson::readPage),
            new RecordCodec<>(AuditAnchor.KEY, AuditAnchor.class, AuditJson::write, AuditJson::readAnchor),
            new RecordCodec<>(Subscription.PREFIX, Subscription.class, SubscriptionJson::write, SubscriptionJson::read),
            new RecordCodec<>(
                    DeliveryCursor.PREFIX, DeliveryCursor.class, DeliveryJson::write, DeliveryJson::readCursor),
            new RecordCodec<>(DeadLetter.PREFIX, DeadLetter.class, DeliveryJson::write, DeliveryJson::readLetter),
            new RecordCodec<>(
                    ManualClockRecord.KEY, ManualClockRecord.class, ManualClockJson::write, ManualClockJson::read),
            new RecordCodec<>(TimeMark.KEY, TimeMark.class, TimeJson::write, TimeJson::read));

    private static final Map<Class<?>, RecordCodec<?>> BY_TYPE =
            ALL.stream().collect(Collectors.toUnmodifiableMap(RecordCodec::type, Function.identity()));

    private static final Map<String, RecordCodec<?>> BY_KIND =
            ALL.stream().collect(Collectors.toUnmodifiableMap(RecordCodec::kind, Function.identity()));

    static void write(JsonWriter out, StoredRecord record) throws IOException {
        RecordCodec<?> codec = BY_TYPE.get(record.getClass());
        if (codec == null) {
            throw new IllegalStateException("No format for " + record.getClass().getName());
        }
        codec.writeAs(out, record);
    }

    private void writeAs(JsonWriter out, StoredRecord record) throws IOException {
        writing.write(out, type.cast(record));
    }

    static StoredRecord read(String key, JsonReader in) throws IOException {
        String first = key.substring(0, key.indexOf('/') + 1);
        RecordCodec<?> codec = BY_KIND.get(first.isEmpty() ? key : first);
        if (codec == null) {
            throw new DamagedRecordException("no record type has such a key");
        }
        return codec.reading.read(in);
    }
}
