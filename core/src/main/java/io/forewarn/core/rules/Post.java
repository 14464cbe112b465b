package io.forewarn.core.rules;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.notice.Cursor;
import io.forewarn.core.notice.Letter;
import io.forewarn.core.notice.Place;
import io.forewarn.core.notice.Recipient;
import io.forewarn.core.notice.RecipientId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a draft changes of recipients, how far they were told, and letters that could not be delivered. */
public final class Post {
    private final Map<RecipientId, Recipient> recipients = new LinkedHashMap<>();
    private final Map<RecipientId, Cursor> cursors = new LinkedHashMap<>();
    private final Set<RecipientId> removed = new LinkedHashSet<>();
    private final Map<String, Letter> letters = new LinkedHashMap<>();
    private final Set<String> settled = new LinkedHashSet<>();

    void absorb(Post upper) {
        upper.removed.forEach(this::remove);
        upper.recipients.values().forEach(this::put);
        upper.cursors.values().forEach(this::put);
        upper.settled.forEach(this::settle);
        upper.letters.values().forEach(this::put);
    }

    void put(Recipient recipient) {
        removed.remove(recipient.id());
        recipients.put(recipient.id(), recipient);
    }

    void put(Cursor cursor) {
        cursors.put(cursor.recipient(), cursor);
    }

    void remove(RecipientId id) {
        recipients.remove(id);
        cursors.remove(id);
        removed.add(id);
    }

    void put(Letter letter) {
        settled.remove(letter.key());
        letters.put(letter.key(), letter);
    }

    void settle(RecipientId recipient, Place place) {
        settle(Letter.key(recipient, place));
    }

    private void settle(String key) {
        letters.remove(key);
        settled.add(key);
    }

    Optional<Recipient> recipient(RecipientId id, Facts under) {
        if (removed.contains(id)) {
            return Optional.empty();
        }
        Recipient recipient = recipients.get(id);
        return recipient == null ? under.recipient(id) : Optional.of(recipient);
    }

    List<Recipient> recipients(Facts under) {
        Map<RecipientId, Recipient> all = new LinkedHashMap<>();
        under.recipients().forEach(r -> all.put(r.id(), r));
        all.putAll(recipients);
        all.keySet().removeAll(removed);
        return List.copyOf(all.values());
    }

    boolean settled(String letter, Facts under) {
        return settled.contains(letter) || !letters.containsKey(letter) && under.settled(letter);
    }

    /** The keys of letters that go. */
    public Iterable<String> settled() {
        return settled;
    }

    /** Letters that are to be written. */
    public Iterable<Letter> letters() {
        return letters.values();
    }

    public Iterable<Recipient> put() {
        return recipients.values();
    }

    public Iterable<Cursor> cursors() {
        return cursors.values();
    }

    public Iterable<RecipientId> removed() {
        return removed;
    }

    /** All that is to be written. */
    public List<StoredRecord> records() {
        List<StoredRecord> records = new ArrayList<>(recipients.values());
        records.addAll(cursors.values());
        records.addAll(letters.values());
        return records;
    }

    /** The keys of all that goes. */
    public List<String> deletes() {
        List<String> keys = new ArrayList<>(settled);
        removed.forEach(id -> {
            keys.add(Recipient.PREFIX + id.path());
            keys.add(Cursor.PREFIX + id.path());
        });
        return keys;
    }
}
