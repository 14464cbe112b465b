package io.forewarn.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.util.Arrays;

/**
 * Defines the keys in etcd: {@code PREFIX head} is the head of the store, {@code PREFIX record/KEY} contains the record KEY,
 * {@code PREFIX time} the writer's heartbeat, {@code PREFIX writer} the writer's node, {@code PREFIX node/NAME} the
 * address of each node. All can be read with etcdctl, as docs/cluster.md shows.
 */
final class EtcdKeys {
    private static final String RECORD = "record/";

    private final String prefix;
    private final int skip;

    EtcdKeys(String prefix) {
        this.prefix = prefix;
        this.skip = (prefix + RECORD).getBytes(UTF_8).length;
    }

    String prefix() {
        return prefix;
    }

    ByteSequence head() {
        return of(prefix + "head");
    }

    /** @param before the last known head; null if none is known */
    StoreException headIsMissing(Head before) {
        return new StoreException(
                Kind.UNREADABLE,
                "the key " + prefix
                        + "head is missing from etcd: the last commit is unknown."
                        + (before == null
                                ? " Restore etcd from a backup"
                                : " If it alone was deleted, put it back: etcdctl put " + prefix + "head '"
                                        + StoreHead.print(before).toString(UTF_8)
                                        + "'. Otherwise restore etcd from a backup"));
    }

    /** The writer's heartbeat. */
    ByteSequence time() {
        return of(prefix + "time");
    }

    /** The writer's node. */
    ByteSequence writer() {
        return of(prefix + "writer");
    }

    /** The address of a node. */
    ByteSequence node(String name) {
        return of(prefix + "node/" + name);
    }

    /** The reading of a node's own clock. */
    ByteSequence clock(String name) {
        return of(prefix + "clock/" + name);
    }

    /** Lost commits, until a writer has recorded the loss. */
    ByteSequence lost() {
        return of(prefix + "lost");
    }

    ByteSequence secret() {
        return of(prefix + "secret");
    }

    ByteSequence all() {
        return of(prefix);
    }

    ByteSequence record(String key) {
        return of(prefix + RECORD + key);
    }

    boolean isRecord(ByteSequence key) {
        return key.startsWith(record(""));
    }

    String name(ByteSequence record) {
        byte[] bytes = record.getBytes();
        return new String(bytes, skip, bytes.length - skip, UTF_8);
    }

    static ByteSequence of(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    /** The least key greater than another is that key followed by NUL. */
    static ByteSequence following(ByteSequence key) {
        byte[] bytes = key.getBytes();
        return ByteSequence.from(Arrays.copyOf(bytes, bytes.length + 1));
    }

    /** The least key greater than all keys with the prefix; it exists, because no key begins with the byte 255. */
    static ByteSequence end(ByteSequence prefix) {
        byte[] bytes = prefix.getBytes();
        bytes[bytes.length - 1]++;
        return ByteSequence.from(bytes);
    }

    static boolean isBefore(ByteSequence a, ByteSequence b) {
        return Arrays.compareUnsigned(a.getBytes(), b.getBytes()) < 0;
    }
}
