package io.forewarn.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreBackupTest {
    @TempDir
    private Path folder;

    private Path store() {
        return folder.resolve("store");
    }

    private Path backup() {
        return folder.resolve("a.backup");
    }

    /** A commit of two records that say its number. */
    private static Head commit(SqliteStore store, Head head) throws StoreException {
        Head next = new Head(head.seq() + 1, head.epoch());
        byte[] number = String.valueOf(next.seq()).getBytes(UTF_8);
        store.commit(Commit.of(next.seq(), next.epoch(), Map.of("a", number, "b", number), List.of()));
        return next;
    }

    private static Map<String, String> records(SqliteStore store) throws StoreException {
        Map<String, String> records = new TreeMap<>();
        store.scan("", "", Integer.MAX_VALUE, (key, value) -> records.put(key, new String(value, UTF_8)));
        return records;
    }

    @Test
    void aBackupWhileCommitsGoOnIsOneOfTheirStates() throws Exception {
        try (SqliteStore store = SqliteStore.open(store())) {
            Head first = commit(store, store.claim());
            AtomicBoolean enough = new AtomicBoolean();
            Head[] last = {first};
            Thread writer = new Thread(() -> {
                try {
                    while (!enough.get()) {
                        last[0] = commit(store, last[0]);
                    }
                } catch (StoreException failed) {
                    throw new IllegalStateException(failed);
                }
            });
            writer.start();
            Head saved = StoreBackup.take(store(), backup());
            enough.set(true);
            writer.join();

            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(backup())));
            StoreBackup.restore(backup(), folder.resolve("other"));
            try (SqliteStore restored = SqliteStore.open(folder.resolve("other"))) {
                String number = String.valueOf(saved.seq());
                assertEquals(Map.of("a", number, "b", number), records(restored));
                assertEquals(saved, restored.recover());
            }
            // The server noticed nothing.
            assertEquals(last[0].seq() + 1, commit(store, last[0]).seq());
        }
        try (var files = Files.list(folder)) {
            assertEquals(
                    List.of("a.backup", "other", "store"),
                    files.map(f -> f.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void aRestoredStoreHasLostWhatCameAfterTheBackup() throws Exception {
        try (SqliteStore store = SqliteStore.open(store())) {
            Head head = commit(store, store.claim());
            StoreBackup.take(store(), backup());
            head = commit(store, head);
            StoreException inUse = assertThrows(StoreException.class, () -> StoreBackup.restore(backup(), store()));
            assertTrue(inUse.getMessage().contains("is in use by"), inUse.getMessage());
        }
        StoreBackup.restore(backup(), store());

        // Acknowledged commits are missing, and nobody continues without a word about that.
        assertEquals(
                Kind.UNREADABLE,
                assertThrows(StoreException.class, () -> SqliteStore.open(store()))
                        .kind());
        assertEquals(new SqliteStore.Loss(2, 2), SqliteStore.acceptLoss(store()));
        try (SqliteStore store = SqliteStore.open(store())) {
            assertEquals(Map.of("a", "1", "b", "1"), records(store));
        }
        assertTrue(Files.exists(store().resolve("forewarn.db-before-restore")));
    }

    @Test
    void whatIsNoBackupOfThisReleaseReplacesNothing() throws Exception {
        try (SqliteStore store = SqliteStore.open(store())) {
            commit(store, store.claim());
            StoreBackup.take(store(), backup());
        }
        Path text = Files.writeString(folder.resolve("text"), "no database");
        assertThrows(StoreException.class, () -> StoreBackup.restore(text, store()));
        assertThrows(StoreException.class, () -> StoreBackup.restore(folder.resolve("missing"), store()));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + backup());
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 2");
        }
        StoreException newer = assertThrows(StoreException.class, () -> StoreBackup.restore(backup(), store()));
        assertTrue(newer.getMessage().contains("made by a newer release"), newer.getMessage());

        assertFalse(Files.exists(store().resolve("forewarn.db-before-restore")));
        try (SqliteStore store = SqliteStore.open(store())) {
            assertEquals(Map.of("a", "1", "b", "1"), records(store));
        }
    }

    @Test
    void nothingIsOverwrittenByABackup() throws Exception {
        assertThrows(StoreException.class, () -> StoreBackup.take(store(), backup()));
        SqliteStore.open(store()).close();
        Files.writeString(backup(), "mine");
        StoreException refused = assertThrows(StoreException.class, () -> StoreBackup.take(store(), backup()));
        assertTrue(refused.getMessage().contains("exists; choose another name"), refused.getMessage());
        assertEquals("mine", Files.readString(backup()));
    }
}
