package io.forewarn.records;

import java.io.OutputStream;
import java.util.Arrays;

/** Collects the bytes of a record. The generator writes most records in one piece, which is then copied only once. */
final class RecordBytes extends OutputStream {
    private byte[] bytes = {};
    private int size;

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] piece, int offset, int length) {
        if (bytes.length - size < length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + length, 2 * size));
        }
        System.arraycopy(piece, offset, bytes, size, length);
        size += length;
    }

    byte[] all() {
        return bytes.length == size ? bytes : Arrays.copyOf(bytes, size);
    }
}
