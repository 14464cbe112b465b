package io.forewarn.core.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Changes that become durable together or not at all.
 *
 * @param seq one more than the last; lets the store recognise a commit it already has
 * @param epoch the writer's epoch; lets the store refuse a writer that was replaced
 * @param puts key to value
 * @param deletes keys; a key that does not exist is not an error
 */
public record Commit(long seq, long epoch, SortedMap<String, byte[]> puts, Collection<String> deletes) {
    public static Commit of(long seq, long epoch, Map<String, byte[]> puts, Collection<String> deletes) {
        return new Commit(seq, epoch, new TreeMap<>(puts), deletes);
    }

    /** The same with one record more. */
    Commit with(String key, byte[] value) {
        SortedMap<String, byte[]> more = new TreeMap<>(puts);
        more.put(key, value);
        return new Commit(seq, epoch, more, deletes);
    }

    /** As counted against {@link Store.Limits#operations}. */
    public int operations() {
        return puts.size() + deletes.size();
    }

    /** As counted against {@link Store.Limits#bytes}: all keys in UTF-8, and all values. */
    public long bytes() {
        long bytes = 0;
        for (Map.Entry<String, byte[]> put : puts.entrySet()) {
            bytes += put.getKey().getBytes(UTF_8).length + (long) put.getValue().length;
        }
        for (String key : deletes) {
            bytes += key.getBytes(UTF_8).length;
        }
        return bytes;
    }
}
