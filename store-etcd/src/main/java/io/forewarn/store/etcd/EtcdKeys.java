package io.forewarn.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.util.Arrays;

/**
 * Which key means what: {@code PREFIX head} is where the store stands, {@code PREFIX record/KEY} holds the record KEY,
 * {@code PREFIX time} the writer's clock, {@code PREFIX writer} its node, {@code PREFIX node/NAME} where each node is. All can be read with etcdctl; docs/cluster.md says how.
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

    /** @param before where the store stood when it was last seen; null if it never was */
    StoreException headIsMissing(Head before) {
        return new StoreException(
                Kind.UNREADABLE,
                "the key " + prefix
                        + "head is gone from etcd: nobody knows on which commit to go on."
                        + (before == null
                                ? " Restore etcd from a backup"
                                : " If it alone was deleted, put it back: etcdctl put " + prefix + "head '"
                                        + StoreHead.print(before).toString(UTF_8)
                                        + "'. Else restore etcd from a backup"));
    }

    /** What time the writer says it is. */
    ByteSequence time() {
        return of(prefix + "time");
    }

    /** Which node writes. */
    ByteSequence writer() {
        return of(prefix + "writer");
    }

    /** Where a node is. */
    ByteSequence node(String name) {
        return of(prefix + "node/" + name);
    }

    /** What a node's own clock says. */
    ByteSequence clock(String name) {
        return of(prefix + "clock/" + name);
    }

    /** What the store lost, until a writer has written that down. */
    ByteSequence lost() {
        return of(prefix + "lost");
    }

    ByteSequence secret() {
        return of(prefix + "secret");
    }

    /** What all of them begin with. */
    ByteSequence all() {
        return of(prefix);
    }

    ByteSequence record(String key) {
        return of(prefix + RECORD + key);
    }

    boolean isRecord(ByteSequence key) {
        return key.startsWith(record(""));
    }

    /** The record's own key. */
    String name(ByteSequence record) {
        byte[] bytes = record.getBytes();
        return new String(bytes, skip, bytes.length - skip, UTF_8);
    }

    static ByteSequence of(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    /** The least key greater than another is that one with a NUL behind it. */
    static ByteSequence following(ByteSequence key) {
        byte[] bytes = key.getBytes();
        return ByteSequence.from(Arrays.copyOf(bytes, bytes.length + 1));
    }

    /** The least key greater than all that begin with this; it has one, as no key begins with a byte 255. */
    static ByteSequence end(ByteSequence prefix) {
        byte[] bytes = prefix.getBytes();
        bytes[bytes.length - 1]++;
        return ByteSequence.from(bytes);
    }

    static boolean isBefore(ByteSequence a, ByteSequence b) {
        return Arrays.compareUnsigned(a.getBytes(), b.getBytes()) < 0;
    }
}
