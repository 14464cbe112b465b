package io.forewarn.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file on disk: where it is, who may open it, and what is said of a wrong one. */
class SqliteFileTest {
    @TempDir
    private Path folder;

    private StoreException refusal(Kind kind, Path path) {
        StoreException refusal =
                assertThrows(StoreException.class, () -> SqliteStore.open(path).close());
        assertEquals(kind, refusal.kind(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(folder.toString()), refusal.getMessage());
        return refusal;
    }

    private static void assertMode(String mode, Path path) throws Exception {
        assertEquals(mode, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)), path::toString);
    }

    /** A store of many pages; returns what a scan must find. */
    private Map<String, String> filled() throws StoreException {
        try (Store store = SqliteStore.open(folder)) {
            Head head = store.claim();
            Map<String, byte[]> puts = new TreeMap<>();
            Map<String, String> expected = new TreeMap<>();
            for (int i = 0; i < 1000; i++) {
                String value = ("value " + i + " ").repeat(20);
                puts.put("key/" + i, value.getBytes(UTF_8));
                expected.put("key/" + i, value);
            }
            store.commit(Commit.of(head.seq() + 1, head.epoch(), puts, List.of()));
            return expected;
        }
    }

    private Map<String, String> read() throws StoreException {
        Map<String, String> found = new TreeMap<>();
        try (Store store = SqliteStore.open(folder)) {
            store.scan("", "", Integer.MAX_VALUE, (key, value) -> found.put(key, new String(value, UTF_8)));
        }
        return found;
    }

    @Test
    void aFolderHoldsTheFileAndBothArePrivate() throws Exception {
        Path made = folder.resolve("some/where");
        try (Store store = SqliteStore.open(made)) {
            store.claim();
            assertMode("rwx------", made);
            assertMode("rwx------", folder.resolve("some"));
            assertMode("rw-------", made.resolve("forewarn.db"));
            assertMode("rw-------", made.resolve("forewarn.db-wal"));
            assertMode("rw-------", made.resolve("forewarn.db.lock"));
        }
    }

    @Test
    void aPathThatEndsInDbIsTheFile() throws Exception {
        Path file = folder.resolve("a b?c#d%20'e.db");
        try (Store store = SqliteStore.open(file)) {
            assertEquals(new Head(0, 1), store.claim());
        }
        assertTrue(Files.isRegularFile(file));
        try (Store store = SqliteStore.open(file)) {
            assertEquals(new Head(0, 2), store.claim());
        }
    }

    @Test
    void aSecondOpenInThisProcessIsRefusedAndTheFirstKeepsItsLock() throws Exception {
        try (Store store = SqliteStore.open(folder)) {
            for (int i = 0; i < 2; i++) {
                assertTrue(refusal(Kind.REJECTED, folder).getMessage().contains("in use by this process"));
            }
            Path link = Files.createSymbolicLink(folder.resolve("link.db"), folder.resolve("forewarn.db"));
            assertTrue(refusal(Kind.REJECTED, link).getMessage().contains("in use by this process"));
            store.claim();
            Process other = StoreWriterProcesses.start(List.of(), "hold", folder.toString());
            String said = StoreWriterProcesses.output(other).lines().toList().toString();
            assertTrue(other.waitFor(30, TimeUnit.SECONDS));
            assertTrue(
                    said.contains("in use by process " + ProcessHandle.current().pid()), said);
        }
        SqliteStore.open(folder).close();
    }

    @Test
    void aSecondProcessLearnsWhichProcessUsesTheStore() throws Exception {
        Process holder = StoreWriterProcesses.start(List.of(), "hold", folder.toString());
        BufferedReader said = StoreWriterProcesses.output(holder);
        assertEquals("holding", said.readLine());
        String sentence = refusal(Kind.REJECTED, folder).getMessage();
        assertTrue(sentence.contains("in use by process " + holder.pid()), sentence);
        assertTrue(sentence.contains("--store"), sentence);
        holder.getOutputStream().close();
        assertTrue(holder.waitFor(30, TimeUnit.SECONDS));
        SqliteStore.open(folder).close();
    }

    @Test
    void nothingButTheStoreIsLeftBehind() throws Exception {
        filled();
        try (var files = Files.list(folder)) {
            assertEquals(
                    List.of("forewarn.db", "forewarn.db-acknowledged", "forewarn.db.lock"),
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> !name.endsWith("-native"))
                            .sorted()
                            .toList());
        }
    }

    @Test
    void aDatabaseOfAnotherProgramIsRefused() throws Exception {
        change("PRAGMA application_id = 7");
        assertTrue(refusal(Kind.UNREADABLE, folder).getMessage().contains("another program"));
    }

    @Test
    void aNewerLayoutIsRefused() throws Exception {
        change("PRAGMA user_version = 2");
        String sentence = refusal(Kind.UNREADABLE, folder).getMessage();
        assertTrue(sentence.contains("layout 2") && sentence.contains("layout 1"), sentence);
    }

    private void change(String statement) throws Exception {
        SqliteStore.open(folder).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("forewarn.db"));
                Statement change = connection.createStatement()) {
            change.execute(statement);
        }
    }

    @Test
    void aFileThatIsNoDatabaseIsRefusedAndLeftAlone() throws Exception {
        byte[] text = "Dear diary, ".repeat(1000).getBytes(UTF_8);
        Path file = Files.write(folder.resolve("forewarn.db"), text);
        assertTrue(refusal(Kind.UNREADABLE, folder).getMessage().contains("no database"));
        assertTrue(Arrays.equals(text, Files.readAllBytes(file)));
    }

    @Test
    void anEmptyFileIsALostStoreAndNotANewOne() throws Exception {
        Files.createFile(folder.resolve("forewarn.db"));
        assertTrue(refusal(Kind.UNREADABLE, folder).getMessage().contains("is empty"));
    }

    @Test
    void aLogWithoutItsFileIsNotReplayedIntoANewOne() throws Exception {
        Files.write(folder.resolve("forewarn.db-wal"), new byte[100]);
        assertTrue(refusal(Kind.UNREADABLE, folder).getMessage().contains("is missing"));
        assertFalse(Files.exists(folder.resolve("forewarn.db")));
    }

    @Test
    void aTruncatedFileIsRefused() throws Exception {
        filled();
        Path file = folder.resolve("forewarn.db");
        byte[] whole = Files.readAllBytes(file);
        for (int kept : new int[] {50, 512, 4096, whole.length / 2, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, kept));
            StoreException refusal = assertThrows(StoreException.class, this::read, "kept " + kept);
            assertEquals(Kind.UNREADABLE, refusal.kind(), refusal.getMessage());
        }
    }

    @Test
    void aFlippedBitIsNoticedOrHarmless() throws Exception {
        Map<String, String> expected = filled();
        Path file = folder.resolve("forewarn.db");
        byte[] whole = Files.readAllBytes(file);
        int noticed = 0;
        int tries = 0;
        for (int at = 100; at < whole.length; at += 1 + whole.length / 150, tries++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(file, damaged);
            try {
                Map<String, String> found = read();
                assertEquals(expected, found, "byte " + at);
            } catch (StoreException e) {
                assertEquals(Kind.UNREADABLE, e.kind(), e.getMessage());
                assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
                noticed++;
            }
        }
        assertTrue(noticed > tries / 2, noticed + " of " + tries);
        Files.write(file, whole);
        assertEquals(expected, read());
    }
}
