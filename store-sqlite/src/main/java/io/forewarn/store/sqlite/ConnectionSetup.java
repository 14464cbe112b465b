package io.forewarn.store.sqlite;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

/** Opens and configures connections to the database. */
final class ConnectionSetup {
    private static final int BUSY_MILLIS = 2_000;
    private static final int LOG_BYTES_KEPT = 64 << 20;

    private ConnectionSetup() {}

    /** Makes a configuration, which prepares the driver's date formats and takes most of the time of the first one. */
    static SQLiteConfig preload() {
        return new SQLiteConfig();
    }

    static Connection writing(StoreFile file) throws SQLException {
        Connection connection = open(file, new SQLiteConfig());
        try (Statement statement = connection.createStatement()) {
            // The mode is stored in the file; setting it here detects a damaged header or a read-only disk early.
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("PRAGMA journal_size_limit = " + LOG_BYTES_KEPT);
            // Room for the largest commit, so that none of it is written before its COMMIT.
            statement.execute("PRAGMA cache_size = -32768");
            statement.execute("PRAGMA cell_size_check = ON");
            return connection;
        } catch (SQLException e) {
            close(connection);
            throw e;
        }
    }

    static Connection reading(StoreFile file) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        Connection connection = open(file, config);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA cell_size_check = ON");
            statement.execute("PRAGMA cache_size = -16384");
            return connection;
        } catch (SQLException e) {
            close(connection);
            throw e;
        }
    }

    private static Connection open(StoreFile file, SQLiteConfig config) throws SQLException {
        config.setBusyTimeout(BUSY_MILLIS);
        // Else the driver prepares and runs a query of its own after each row that is written.
        config.setGetGeneratedKeys(false);
        // As a URI, so that no character of the path has a special meaning for the driver.
        return config.createConnection("jdbc:sqlite:" + file.database().toUri());
    }

    static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            return result.getLong(1);
        }
    }

    static void close(Connection connection) {
        if (connection == null) {
            return;
        }
        try {
            connection.close();
        } catch (SQLException e) {
            // Harmless: all acknowledged commits are in the log, which the next open reads.
            return;
        }
    }
}
