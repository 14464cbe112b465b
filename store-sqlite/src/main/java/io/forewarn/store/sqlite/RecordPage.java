package io.forewarn.store.sqlite;

import java.util.List;

/**
 * Records read at one moment.
 *
 * @param rest what may come after them; null if they were the last
 */
record RecordPage(List<Row> rows, KeyRange rest) {
    record Row(String key, byte[] value) {}
}
