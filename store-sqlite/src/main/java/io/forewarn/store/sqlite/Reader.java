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

/** A connection that only reads. One thread at a time. */
final class Reader {
    /** How much is read in one transaction. */
    static final int PAGE_BYTES = 4 << 20;

    // Any blob sorts behind every text.
    private static final byte[] NO_END = {0};

    private final StoreFile file;
    private final Connection connection;
    private final PreparedStatement up;
    private final PreparedStatement down;

    private Reader(StoreFile file, Connection connection) throws SQLException {
        this.file = file;
        this.connection = connection;
        String select = "SELECT key, value, crc FROM record WHERE key >= ? AND key < ? ORDER BY key ";
        up = connection.prepareStatement(select + "ASC LIMIT ?");
        down = connection.prepareStatement(select + "DESC LIMIT ?");
    }

    static Reader open(StoreFile file) throws StoreException {
        Connection connection = null;
        try {
            connection = Connections.reading(file);
            return new Reader(file, connection);
        } catch (SQLException e) {
            Connections.close(connection);
            throw Failures.of(e, file).whileReading();
        }
    }

    /** Where the store stands as far as its log can be read. */
    static Head head(StoreFile file) throws StoreException {
        Connection connection = null;
        try {
            connection = Connections.reading(file);
            file.checkLayout(connection);
            return new Head(
                    Connections.number(connection, "SELECT seq FROM head"),
                    Connections.number(connection, "SELECT epoch FROM head"));
        } catch (SQLException e) {
            throw Failures.of(e, file).whileReading();
        } finally {
            Connections.close(connection);
        }
    }

    Page read(KeyRange range, int limit) throws StoreException {
        PreparedStatement select = range.up() ? up : down;
        List<Page.Row> rows = new ArrayList<>();
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
                    Page.Row row = row(found);
                    rows.add(row);
                    bytes += row.value().length;
                    if (bytes >= PAGE_BYTES) {
                        return new Page(rows, range.beyond(row.key()));
                    }
                }
            }
            return new Page(rows, null);
        } catch (SQLException e) {
            throw Failures.of(e, file).whileReading();
        }
    }

    private Page.Row row(ResultSet found) throws SQLException, StoreException {
        String key = found.getString(1);
        byte[] bytes = found.getBytes(2);
        byte[] value = bytes == null ? new byte[0] : bytes;
        if (found.getLong(3) != Checksum.of(key, value)) {
            throw new StoreException(
                    Kind.UNREADABLE,
                    "the store " + file + " is damaged: the record " + key + " is not what was written. "
                            + Failures.CURE_FOR_DAMAGE);
        }
        return new Page.Row(key, value);
    }

    void close() {
        Connections.close(connection);
    }
}
