package io.forewarn.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.zip.CRC32C;

/** Computes checksums of values: SQLite detects damage to its own structure, but not to values. */
final class Checksum {
    private Checksum() {}

    static long of(String key, byte[] value) {
        CRC32C crc = new CRC32C();
        crc.update(key.getBytes(UTF_8));
        crc.update(0);
        crc.update(value);
        return crc.getValue();
    }
}
