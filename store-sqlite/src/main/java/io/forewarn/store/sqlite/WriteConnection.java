package io.forewarn.store.sqlite;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** Writes commits, on the only connection that writes. Not thread-safe. */
final class WriteConnection {
    private final StoreFile file;
    private final Connection connection;
    private Statements statements;
    private boolean spent;

    private interface Body {
        void run() throws SQLException, StoreException;
    }

    /** Prepared once and used until one fails, because the driver closes a failed statement. */
    private static final class Statements {
        private final PreparedStatement begin;
        private final PreparedStatement commit;
        private final PreparedStatement rollback;
        private final PreparedStatement head;
        private final PreparedStatement advance;
        private final PreparedStatement claim;
        private final PreparedStatement skip;
        private final PreparedStatement put;
        private final PreparedStatement delete;

        Statements(Connection connection) throws SQLException {
            begin = connection.prepareStatement("BEGIN IMMEDIATE");
            commit = connection.prepareStatement("COMMIT");
            rollback = connection.prepareStatement("ROLLBACK");
            head = connection.prepareStatement("SELECT seq, epoch FROM head");
            advance = connection.prepareStatement("UPDATE head SET seq = ? WHERE seq = ? AND epoch = ?");
            claim = connection.prepareStatement("UPDATE head SET epoch = epoch + 1");
            skip = connection.prepareStatement("UPDATE head SET seq = ? WHERE seq <= ?");
            // Not REPLACE, which would move the row and rewrite its index entry.
            put = connection.prepareStatement("INSERT INTO record (key, value, crc) VALUES (?, ?, ?)"
                    + " ON CONFLICT (key) DO UPDATE SET value = excluded.value, crc = excluded.crc");
            delete = connection.prepareStatement("DELETE FROM record WHERE key = ?");
        }

        void close() throws SQLException {
            for (PreparedStatement each : List.of(begin, commit, rollback, head, advance, claim, skip, put, delete)) {
                each.close();
            }
        }
    }

    private WriteConnection(StoreFile file, Connection connection) throws SQLException {
        this.file = file;
        this.connection = connection;
        this.statements = new Statements(connection);
    }

    static WriteConnection open(StoreFile file) throws StoreException {
        Connection connection = null;
        try {
            connection = ConnectionSetup.writing(file);
            file.checkLayout(connection);
            return new WriteConnection(file, connection);
        } catch (SQLException e) {
            ConnectionSetup.close(connection);
            throw SqliteErrors.of(e, file).whileReading();
        } catch (StoreException e) {
            ConnectionSetup.close(connection);
            throw e;
        }
    }

    /** Whether this connection met an error after which it must not write. */
    boolean isSpent() {
        return spent;
    }

    /** Checkpoints the log into the file and syncs it. If an outside reader prevents that, the log stays, synced as well. */
    void emptyLog() throws StoreException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        } catch (SQLException e) {
            SqliteErrors failure = SqliteErrors.of(e, file);
            // On a full disk the log stays unchanged: it was synced before it was read.
            if (failure.whileWriting().kind() != Kind.REJECTED) {
                throw failure.whileReading();
            }
        }
    }

    /** Checks the whole file: otherwise a record that can no longer be found would seem never to have existed. */
    void checkWhole() throws StoreException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("PRAGMA integrity_check(1)")) {
            String finding = found.next() ? found.getString(1) : "no answer";
            if (!"ok".equals(finding)) {
                throw new StoreException(
                        Kind.UNREADABLE,
                        "the store " + file + " is damaged (" + finding.strip().replace('\n', ' ') + "). "
                                + SqliteErrors.CURE_FOR_DAMAGE);
            }
        } catch (SQLException e) {
            throw SqliteErrors.of(e, file).whileReading();
        }
    }

    Head head() throws StoreException {
        try {
            return readHead();
        } catch (SQLException e) {
            throw SqliteErrors.of(e, file).whileReading();
        }
    }

    private Head readHead() throws SQLException, StoreException {
        try (ResultSet row = statements.head.executeQuery()) {
            if (!row.next()) {
                throw new StoreException(
                        Kind.UNREADABLE,
                        "the store " + file + " has lost its head row. " + SqliteErrors.CURE_FOR_DAMAGE);
            }
            return new Head(row.getLong(1), row.getLong(2));
        }
    }

    Head claim() throws StoreException {
        Head[] claimed = new Head[1];
        transact(() -> {
            statements.claim.executeUpdate();
            claimed[0] = readHead();
        });
        return claimed[0];
    }

    void commit(Commit changes) throws StoreException {
        transact(() -> {
            advance(changes);
            for (String key : changes.deletes()) {
                statements.delete.setString(1, key);
                statements.delete.executeUpdate();
            }
            for (Map.Entry<String, byte[]> entry : changes.puts().entrySet()) {
                statements.put.setString(1, entry.getKey());
                statements.put.setBytes(2, entry.getValue());
                statements.put.setLong(3, Checksum.of(entry.getKey(), entry.getValue()));
                statements.put.executeUpdate();
            }
        });
    }

    void skipTo(long seq) throws StoreException {
        transact(() -> {
            statements.skip.setLong(1, seq);
            statements.skip.setLong(2, seq);
            if (statements.skip.executeUpdate() != 1) {
                throw new StoreException(Kind.REJECTED, "the store " + file + " is already beyond commit " + seq);
            }
        });
    }

    private void advance(Commit changes) throws SQLException, StoreException {
        statements.advance.setLong(1, changes.seq());
        statements.advance.setLong(2, changes.seq() - 1);
        statements.advance.setLong(3, changes.epoch());
        if (statements.advance.executeUpdate() == 1) {
            return;
        }
        Head now = readHead();
        if (changes.epoch() < now.epoch()) {
            throw new StoreException(
                    Kind.FENCED,
                    "writer " + changes.epoch() + " of the store " + file + " was replaced by writer " + now.epoch());
        }
        throw new StoreException(
                Kind.REJECTED,
                "the store " + file + " is at commit " + now.seq() + " of writer " + now.epoch() + ": commit "
                        + changes.seq() + " of writer " + changes.epoch() + " does not follow");
    }

    private void transact(Body body) throws StoreException {
        try {
            statements.begin.execute();
            body.run();
            statements.commit.execute();
        } catch (SQLException e) {
            throw failed(SqliteErrors.of(e, file).whileWriting());
        } catch (StoreException e) {
            throw failed(e);
        }
    }

    private StoreException failed(StoreException failure) {
        if (failure.kind() == Kind.UNCERTAIN || failure.kind() == Kind.UNREADABLE) {
            spent = true;
            return failure;
        }
        if (rolledBack()) {
            return failure;
        }
        spent = true;
        return new StoreException(Kind.UNCERTAIN, failure.getMessage(), failure);
    }

    private void prepareAgain() throws SQLException {
        statements.close();
        statements = new Statements(connection);
    }

    private boolean rolledBack() {
        try {
            prepareAgain();
            statements.rollback.execute();
            return true;
        } catch (SQLException e) {
            return nothingOpen();
        }
    }

    /** SQLite may have rolled back by itself, and then ROLLBACK fails. If a transaction can be begun, none is open. */
    private boolean nothingOpen() {
        try {
            prepareAgain();
            statements.begin.execute();
            statements.rollback.execute();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    void close() {
        ConnectionSetup.close(connection);
    }
}
