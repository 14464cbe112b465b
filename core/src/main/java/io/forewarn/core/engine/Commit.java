package io.forewarn.core.engine;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Changes that become durable together or not at all.
 *
 * @param seq one more than the last; the guard by which the store recognises a commit it already has
 * @param epoch of the writer; the guard by which the store refuses a writer that was replaced
 * @param puts key to value
 * @param deletes keys; one that does not exist is no error
 */
public record Commit(long seq, long epoch, SortedMap<String, byte[]> puts, Collection<String> deletes) {
    public static Commit of(long seq, long epoch, Map<String, byte[]> puts, Collection<String> deletes) {
        return new Commit(seq, epoch, new TreeMap<>(puts), deletes);
    }
}
