package io.forewarn.server.history;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.AuditPageHash;
import io.forewarn.core.engine.AuditVerifier;
import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Reads the audit log page by page, in constant memory. Blocks, so it must not run on an event loop or on the writer. */
public final class AuditLog {
    /** Receives entries; may throw to stop. */
    public interface Sink {
        void take(AuditPage page, AuditEntry entry) throws Exception;
    }

    /**
     * @param actor only entries of this token or machine; null for all
     * @param refused only refused requests, or only others; null for all
     * @param text only entries that contain it, in lower case; null for all
     * @param since only entries from then on
     * @param until only entries before then
     */
    public record Query(
            String actor, Boolean refused, String text, Instant since, Instant until, long limit, boolean oldestFirst) {
        boolean wants(AuditEntry entry) {
            return (actor == null || actor.equals(entry.actor().name()))
                    && (refused == null || refused == (entry.problem() != null))
                    && (text == null
                            || contains(entry.asked())
                            || contains(entry.reason())
                            || contains(entry.actor().name())
                            || contains(entry.actor().from()));
        }

        private boolean contains(String words) {
            return words.toLowerCase(Locale.ROOT).contains(text);
        }
    }

    private record Row(String key, byte[] value) {}

    private static final int PAGES = 256;

    private final Store store;
    private final RecordFormat format;
    private final AuditVerifier check;

    /** @param written the end of the chain, as far as the service knows */
    public AuditLog(Store store, RecordFormat format, Supplier<AuditHead> written) {
        this.store = store;
        this.format = format;
        this.check = new AuditVerifier(store, format, written);
    }

    /** @param noted the hash of a page that was saved earlier, or null */
    public AuditVerifier.Finding verify(String noted) {
        try {
            return check.check(noted);
        } catch (StoreException failed) {
            throw unreadable(failed.getMessage());
        }
    }

    /** Passes the matching entries to the sink, in the requested order. */
    public void read(Query query, Sink sink) throws Exception {
        long left = query.limit();
        String mark = query.oldestFirst() ? "" : AuditPage.PREFIX + "~"; // '~' comes after every digit.
        List<Row> rows;
        do {
            rows = rows(query, mark);
            for (Row row : rows) {
                mark = row.key;
                AuditPage page = page(row);
                if (page.at().isBefore(query.since)) {
                    if (!query.oldestFirst) {
                        return;
                    }
                    continue;
                }
                if (!page.at().isBefore(query.until)) {
                    if (query.oldestFirst) {
                        return;
                    }
                    continue;
                }
                int size = page.deeds().size();
                for (int i = 0; i < size; i++) {
                    AuditEntry entry = page.deeds().get(query.oldestFirst ? i : size - 1 - i);
                    if (query.wants(entry)) {
                        if (left-- <= 0) {
                            return;
                        }
                        sink.take(page, entry);
                    }
                }
            }
        } while (rows.size() == PAGES);
    }

    private List<Row> rows(Query query, String mark) {
        List<Row> rows = new ArrayList<>();
        try {
            if (query.oldestFirst()) {
                store.scan(AuditPage.PREFIX, mark, PAGES, (key, value) -> rows.add(new Row(key, value)));
            } else {
                store.scanDown(AuditPage.PREFIX, mark, PAGES, (key, value) -> rows.add(new Row(key, value)));
            }
            return rows;
        } catch (StoreException failed) {
            throw unreadable(failed.getMessage());
        }
    }

    /** Does not verify the page: 'audit verify' does. */
    private AuditPage page(Row row) {
        try {
            byte[] content = AuditPageHash.open(row.value)
                    .map(AuditPageHash.Sealed::content)
                    .orElse(row.value);
            if (format.read(row.key, content) instanceof AuditPage page) {
                return page;
            }
        } catch (StoreException changed) {
            // Reported below.
        }
        throw unreadable(row.key + " is damaged; 'forewarn audit verify' says more");
    }

    private static RefusedException unreadable(String why) {
        return new RefusedException(Problem.STORE_UNAVAILABLE, "the audit log cannot be read: " + why);
    }
}
