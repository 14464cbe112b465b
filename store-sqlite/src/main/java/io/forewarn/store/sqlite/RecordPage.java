package io.forewarn.store.sqlite;

import java.util.List;

/**
 * Holds records that were read in one transaction.
 *
 * @param rest the range after them; null if they were the last
 */
record RecordPage(List<Row> rows, KeyRange rest) {
    record Row(String key, byte[] value) {}
}
