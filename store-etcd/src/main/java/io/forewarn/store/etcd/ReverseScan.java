package io.forewarn.store.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.forewarn.core.engine.StoreException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Reads the last keys of a range. etcd can sort in descending order, but reads the whole range including values to do
 * so, which for a log of months means gigabytes. It counts keys from memory, though. So the range is bisected, with
 * keys taken as numbers, until its upper part contains as many keys as wanted and not many more; then that part is read
 * in ascending order.
 *
 * <p>From a known key the search begins near it: a shortened key comes before the key and before all keys with that prefix,
 * so that each byte cut off widens the range about tenfold where keys are numbered.
 */
final class ReverseScan {
    private static final int FEW = 64;
    private static final int MOST = 512;

    private final RangeReader rangeReader;
    private final ByteSequence low;
    private ByteSequence high;

    ReverseScan(RangeReader rangeReader, ByteSequence low, ByteSequence high) {
        this.rangeReader = rangeReader;
        this.low = low;
        this.high = high;
    }

    /** The next records in descending order: at least one if there is any, at most {@code limit}. */
    List<KeyValue> read(int limit) throws StoreException {
        int wanted = Math.min(limit, MOST);
        if (wanted <= 0 || !EtcdKeys.isBefore(low, high)) {
            return List.of();
        }
        List<KeyValue> found = rangeReader.all(begin(wanted), high);
        List<KeyValue> last = found.subList(Math.max(0, found.size() - wanted), found.size());
        if (!last.isEmpty()) {
            high = last.get(0).getKey();
        }
        Collections.reverse(last);
        return last;
    }

    /** A key from which on there are as many keys as wanted, if there are, and few more. */
    private ByteSequence begin(int wanted) throws StoreException {
        ByteSequence enough = low;
        ByteSequence tooFew = high;
        for (ByteSequence near = shorter(high); EtcdKeys.isBefore(low, near); near = shorter(near)) {
            long count = rangeReader.count(near, high);
            if (count >= wanted) {
                enough = near;
                break;
            }
            tooFew = near;
        }
        long count = rangeReader.count(enough, high);
        while (count > 2L * wanted + FEW) {
            ByteSequence middle = between(enough, tooFew);
            long above = rangeReader.count(middle, high);
            if (above >= wanted) {
                enough = middle;
                count = above;
            } else {
                tooFew = middle;
            }
        }
        return enough;
    }

    private static ByteSequence shorter(ByteSequence key) {
        byte[] bytes = key.getBytes();
        return ByteSequence.from(Arrays.copyOf(bytes, Math.max(0, bytes.length - 1)));
    }

    /** The middle of two keys, as binary fractions. It equals neither as long as keys lie between them. */
    private static ByteSequence between(ByteSequence a, ByteSequence b) {
        int length = Math.max(a.size(), b.size()) + 1;
        BigInteger sum = fraction(a, length).add(fraction(b, length));
        byte[] half = sum.shiftRight(1).toByteArray();
        byte[] key = new byte[length];
        int from = Math.max(0, half.length - length);
        System.arraycopy(half, from, key, length - (half.length - from), half.length - from);
        return ByteSequence.from(key);
    }

    private static BigInteger fraction(ByteSequence key, int length) {
        return new BigInteger(1, Arrays.copyOf(key.getBytes(), length));
    }
}
