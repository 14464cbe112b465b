package io.forewarn.store.sqlite;

import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads records for scans, on a read-only connection. Not thread-safe. */
final class ReadConnection {
    /** The maximum that is read in one transaction. */
    static final int PAGE_BYTES = 4 << 20;

    // Any blob sorts after every text.
    private static final byte[] NO_END = {0};

    private final StoreFile file;
    private final Connection connection;
    private final PreparedStatement up;
    private final PreparedStatement down;

    private ReadConnection(StoreFile file, Connection connection) throws SQLException {
        this.file = file;
        this.connection = connection;
        String select = "SELECT key, value, crc FROM record WHERE key >= ? AND key < ? ORDER BY key ";
        up = connection.prepareStatement(select + "ASC LIMIT ?");
        down = connection.prepareStatement(select + "DESC LIMIT ?");
    }

    static ReadConnection open(StoreFile file) throws StoreException {
        Connection connection = null;
        try {
            connection = ConnectionSetup.reading(file);
            return new ReadConnection(file, connection);
        } catch (SQLException e) {
            ConnectionSetup.close(connection);
            throw SqliteErrors.of(e, file).whileReading();
        }
    }

    /** The head of the store, as far as its log can be read. */
    static Head head(StoreFile file) throws StoreException {
        Connection connection = null;
        try {
            connection = ConnectionSetup.reading(file);
            file.checkLayout(connection);
            return new Head(
                    ConnectionSetup.number(connection, "SELECT seq FROM head"),
                    ConnectionSetup.number(connection, "SELECT epoch FROM head"));
        } catch (SQLException e) {
            throw SqliteErrors.of(e, file).whileReading();
        } finally {
            ConnectionSetup.close(connection);
        }
    }

    RecordPage read(KeyRange range, int limit) throws StoreException {
        PreparedStatement select = range.up() ? up : down;
        List<RecordPage.Row> rows = new ArrayList<>();
        int bytes = 0;
        try {
            select.setString(1, range.low());
            if (range.high() == null) {
                select.setBytes(2, NO_END);
            } else {
                select.setString(2, range.high());
            }
            select.setInt(3, limit);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    RecordPage.Row row = row(found);
                    rows.add(row);
                    bytes += row.value().length;
                    if (bytes >= PAGE_BYTES) {
                        return new RecordPage(rows, range.beyond(row.key()));
                    }
                }
            }
            return new RecordPage(rows, null);
        } catch (SQLException e) {
            throw SqliteErrors.of(e, file).whileReading();
        }
    }

    private RecordPage.Row row(ResultSet found) throws SQLException, StoreException {
        String key = found.getString(1);
        byte[] bytes = found.getBytes(2);
        byte[] value = bytes == null ? new byte[0] : bytes;
        if (found.getLong(3) != Checksum.of(key, value)) {
            throw new StoreException(
                    Kind.UNREADABLE,
                    "the store " + file + " is damaged: the record " + key + " differs from what was written. "
                            + SqliteErrors.CURE_FOR_DAMAGE);
        }
        return new RecordPage.Row(key, value);
    }

    void close() {
        ConnectionSetup.close(connection);
    }
}
