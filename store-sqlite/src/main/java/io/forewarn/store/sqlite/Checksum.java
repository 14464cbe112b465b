package io.forewarn.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.zip.CRC32C;

/** SQLite notices when its own structure is damaged, not when a value is. This notices the latter. */
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
