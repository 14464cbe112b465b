package io.forewarn.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds the head of the store with its etcd revision, which every write must name.
 *
 * @param revision 0 if there is no head yet
 */
record StoreHead(Head head, long revision) {
    /** The layout of keys and head. Records have their own formats. */
    static final int LAYOUT = 1;

    private static final StoreHead NOWHERE = new StoreHead(new Head(0, 0), 0);
    private static final Pattern TEXT = Pattern.compile("layout=(\\d{1,9}) writer=(\\d{1,18}) commit=(\\d{1,18})");

    /** @param found the result of reading the head key: one entry or none */
    static StoreHead of(List<KeyValue> found) throws StoreException {
        if (found.isEmpty()) {
            return NOWHERE;
        }
        KeyValue head = found.get(0);
        return new StoreHead(parse(head.getKey(), head.getValue()), head.getModRevision());
    }

    static Head parse(ByteSequence key, ByteSequence value) throws StoreException {
        String text = value.toString(UTF_8);
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new StoreException(
                    Kind.UNREADABLE,
                    "the key " + key + " in etcd holds '" + text
                            + "', which no release of Forewarn wrote. Choose another prefix with store.etcd.prefix, or restore etcd from a backup");
        }
        int layout = Integer.parseInt(matcher.group(1));
        if (layout > LAYOUT) {
            throw new StoreException(
                    Kind.UNREADABLE,
                    "the store in etcd has layout " + layout + ", made by a newer release; this release knows layout "
                            + LAYOUT + ". Run the newer release, or restore a backup made before the upgrade");
        }
        return new Head(Long.parseLong(matcher.group(3)), Long.parseLong(matcher.group(2)));
    }

    static ByteSequence print(Head head) {
        return EtcdKeys.of("layout=" + LAYOUT + " writer=" + head.epoch() + " commit=" + head.seq());
    }
}
