package io.forewarn.core.engine;

import io.forewarn.core.audit.AuditAnchor;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.AuditPageHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads the whole audit log and reports whether it was tampered with. Slow but in constant memory, while the writer keeps
 * running: pages that are dropped or added meanwhile do not count as changes. Not for the writer's thread.
 */
public final class AuditVerifier {
    private static final int PAGES = 256;
    private static final int TRIES = 100;
    private static final int LOSSES = 20;

    /**
     * @param pages how many are there and in order, up to the fault if there is one
     * @param first number of the oldest page; 0 if there is none
     * @param last number of the newest
     * @param head hash of the newest
     * @param place the key of the first record that was changed; null if none was
     * @param fault what is wrong there; null if nothing is
     * @param losses where the log continues after a store that lost commits, oldest first, at most {@value #LOSSES}
     * @param dropped what was dropped because of its age before the first
     */
    public record Finding(
            long pages,
            long deeds,
            long first,
            long last,
            Instant since,
            Instant until,
            String head,
            String place,
            String fault,
            List<Loss> losses,
            AuditAnchor dropped) {
        public boolean intact() {
            return fault == null;
        }
    }

    /** A loss of commits, and the page that records it. */
    public record Loss(long page, Instant at, AuditEntry deed) {}

    private final Store store;
    private final RecordFormat format;
    private final Supplier<AuditHead> written;

    /** @param written where the chain ends as far as the service knows */
    public AuditVerifier(Store store, RecordFormat format, Supplier<AuditHead> written) {
        this.store = store;
        this.format = format;
        this.written = written;
    }

    /**
     * @param noted the hash of a page from an earlier verification, which must still exist; null if there is none
     * @throws StoreException if the store cannot be read at all
     */
    public Finding check(String noted) throws StoreException {
        for (int tries = 1; ; tries++) {
            AuditAnchor from = dropped(store, format);
            Finding found = new Walk(from, written.get(), noted).walk();
            // Old pages may have been dropped while they were read.
            if (found.intact() || tries == TRIES || dropped(store, format).equals(from)) {
                return found;
            }
        }
    }

    /** The page after which the chain begins. */
    static AuditHead anchor(Store store, RecordFormat format) throws StoreException {
        return dropped(store, format).dropped();
    }

    private static AuditAnchor dropped(Store store, RecordFormat format) throws StoreException {
        List<AuditAnchor> anchors = new ArrayList<>();
        List<byte[]> raw = new ArrayList<>();
        store.scan(AuditAnchor.KEY, "", 1, (key, value) -> raw.add(value));
        for (byte[] value : raw) {
            if (format.read(AuditAnchor.KEY, value) instanceof AuditAnchor anchor) {
                anchors.add(anchor);
            }
        }
        return anchors.isEmpty() ? new AuditAnchor(AuditHead.NONE, null, null) : anchors.get(0);
    }

    private record Row(String key, byte[] value) {}

    private final class Walk {
        private final AuditAnchor anchor;
        private final AuditHead from;
        private final AuditHead known;
        private final String noted;
        private AuditHead at;
        private boolean notedSeen;
        private long pages;
        private long deeds;
        private long first;
        private Instant since;
        private Instant until;
        private final List<Loss> losses = new ArrayList<>();

        Walk(AuditAnchor anchor, AuditHead known, String noted) {
            this.anchor = anchor;
            this.from = anchor.dropped();
            this.at = from;
            this.known = known;
            this.noted = noted;
            // Before the first page there is none, and so no hash of one.
            this.notedSeen = noted == null || from.number() > 0 && noted.equals(from.hash());
        }

        Finding walk() throws StoreException {
            boolean forged = known.number() >= 0
                    && (from.number() > known.number()
                            || from.number() == known.number() && !from.hash().equals(known.hash()));
            if (forged) {
                return found(AuditAnchor.KEY, "this says that pages were dropped which the service never wrote");
            }
            String after = "";
            List<Row> rows = new ArrayList<>();
            do {
                rows.clear();
                store.scan(AuditPage.PREFIX, after, PAGES, (key, value) -> rows.add(new Row(key, value)));
                for (Row row : rows) {
                    String fault = step(row);
                    if (fault != null) {
                        return found(row.key, fault);
                    }
                    after = row.key;
                }
            } while (rows.size() == PAGES);
            return ended();
        }

        private Finding ended() {
            if (pages == 0 && known.number() > 0) {
                return found(AuditPage.key(known.number()), "all pages are gone; the newest is never dropped");
            }
            if (at.number() < known.number()) {
                return found(
                        AuditPage.key(at.number() + 1),
                        "the log ends before this page, but the service has written up to page " + known.number());
            }
            return notedSeen
                    ? found(null, null)
                    : found(
                            AuditPage.key(at.number() + 1),
                            "no page up to here has the hash " + noted
                                    + ": pages are missing at the end, the log was replaced"
                                    + (from.number() > 0 ? ", or it is older than store.log-retention" : ""));
        }

        /** Null if the page is what was written. */
        private String step(Row row) {
            long number = AuditPage.number(row.key);
            if (number < 0) {
                return "this is no key of a page";
            }
            if (number <= from.number()) {
                return "this page was dropped long ago, and is here again";
            }
            if (number != at.number() + 1) {
                return "before this page " + (number - at.number() - 1) + " are missing, from page " + (at.number() + 1)
                        + " on";
            }
            AuditPageHash.Sealed sealed = AuditPageHash.open(row.value).orElse(null);
            if (sealed == null) {
                return "page " + number + " was changed: its hash is not where it was";
            }
            if (!sealed.intact()) {
                return "page " + number + " was changed: it does not have the hash written under it";
            }
            return follow(number, sealed, row.key);
        }

        private String follow(long number, AuditPageHash.Sealed sealed, String key) {
            AuditPage page;
            try {
                page = format.read(key, sealed.content()) instanceof AuditPage read ? read : null;
            } catch (StoreException unreadable) {
                page = null;
            }
            if (page == null) {
                return "page " + number + " cannot be read";
            }
            if (page.number() != number) {
                return "page " + page.number() + " stands in the place of page " + number;
            }
            if (!page.before().equals(at.hash())) {
                return "page " + number + " does not follow the page before it: one of the two was written anew";
            }
            if (number == known.number() && !sealed.hash().equals(known.hash())) {
                return "page " + number + " is not the one the service wrote";
            }
            at = new AuditHead(number, sealed.hash());
            notedSeen = notedSeen || sealed.hash().equals(noted);
            first = first == 0 ? number : first;
            since = since == null ? page.at() : since;
            until = page.at();
            pages++;
            deeds += page.deeds().size();
            for (AuditEntry entry : page.deeds()) {
                if (entry.lost() != null && losses.size() < LOSSES) {
                    losses.add(new Loss(number, page.at(), entry));
                }
            }
            return null;
        }

        private Finding found(String place, String fault) {
            return new Finding(pages, deeds, first, at.number(), since, until, at.hash(), place, fault, losses, anchor);
        }
    }
}
