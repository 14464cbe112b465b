package io.forewarn.core.engine;

import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.AuditPageHash;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.ManualClockRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Loads everything a writer needs from the store, page by page. */
final class StateLoader {
    private static final int PAGE = 1000;

    private final Store store;
    private final RecordFormat format;
    private final PublishedState published;

    StateLoader(Store store, RecordFormat format, PublishedState published) {
        this.store = store;
        this.format = format;
        this.published = published;
    }

    private record Row(String key, byte[] value) {}

    /** What a visitor does with a record. */
    private interface Taker {
        void take(String key, byte[] value) throws StoreException;
    }

    void fleetAndState() throws StoreException {
        FleetChunkAssembler fleetChunkAssembler = new FleetChunkAssembler(change -> published.publish(List.of(change)));
        each(
                FleetChunk.PREFIX,
                (key, value) -> fleetChunkAssembler.take(RecordType.read(format, key, value, FleetChunk.class)));
        fleetChunkAssembler.end();
        for (RecordType<?> recordType : RecordType.ALL) {
            each(recordType.prefix(), (key, value) -> recordType.publish(published, format, key, value));
        }
    }

    /** Where the audit log continues. The newest page is trusted here; verifying it is the verifier's job. */
    void audit() throws StoreException {
        published.publish(AuditVerifier.anchor(store, format));
        List<Row> newest = new ArrayList<>();
        store.scanDown(AuditPage.PREFIX, AuditPage.PREFIX + "~", 1, (key, value) -> newest.add(new Row(key, value)));
        for (Row row : newest) {
            published.publish(new AuditHead(AuditPage.number(row.key()), AuditPageHash.named(row.value())));
        }
    }

    /** Where the manual clock stood, if there ever was one. */
    static Optional<Instant> clock(Store store, RecordFormat format) throws StoreException {
        List<ManualClockRecord> found = new ArrayList<>();
        new StateLoader(store, format, new PublishedState())
                .each(
                        ManualClockRecord.KEY,
                        (key, value) -> found.add(RecordType.read(format, key, value, ManualClockRecord.class)));
        return found.stream().map(ManualClockRecord::now).findFirst();
    }

    /** When the store was last used, as far as its records show. */
    static StoredTime time(Store store, RecordFormat format) throws StoreException {
        List<TimeMark> found = new ArrayList<>();
        new StateLoader(store, format, new PublishedState())
                .each(TimeMark.KEY, (key, value) -> found.add(RecordType.read(format, key, value, TimeMark.class)));
        List<Row> newest = new ArrayList<>();
        store.scanDown(LogPage.PREFIX, LogPage.PREFIX + "~", 1, (key, value) -> newest.add(new Row(key, value)));
        Instant written = null;
        long page = 0;
        for (Row row : newest) {
            LogPage last = RecordType.read(format, row.key(), row.value(), LogPage.class);
            written = last.at();
            page = last.commit();
        }
        TimeMark mark = found.isEmpty() ? null : found.get(0);
        // Service time may have been set back between a page and a later mark.
        return new StoredTime(mark, mark != null && page <= mark.commit() ? null : written);
    }

    private void each(String prefix, Taker taker) throws StoreException {
        String after = "";
        List<Row> page = new ArrayList<>();
        do {
            page.clear();
            store.scan(prefix, after, PAGE, (key, value) -> page.add(new Row(key, value)));
            for (Row row : page) {
                after = row.key();
                taker.take(after, row.value());
            }
        } while (page.size() == PAGE);
    }
}
