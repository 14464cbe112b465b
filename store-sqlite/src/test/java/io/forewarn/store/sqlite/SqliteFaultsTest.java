package io.forewarn.store.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the store does when disks and processes fail. Each runs a real process on a real file system. */
// Takes more than 20 s: each fault has processes of its own.
class SqliteFaultsTest {
    @TempDir
    private Path folder;

    @Test
    void afterAKillEveryAcknowledgedCommitIsThere() throws Exception {
        Random random = new Random(3);
        long acknowledged = 0;
        for (int round = 0; round < 4; round++) {
            Process child = StoreWriterProcesses.start(List.of(), "commit", folder.toString(), "1000000");
            BufferedReader said = StoreWriterProcesses.output(child);
            for (int wanted = 1 + random.nextInt(300); wanted > 0; wanted--) {
                acknowledged = number(said.readLine());
            }
            child.toHandle().destroyForcibly();
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                acknowledged = line.matches("ack \\d+") ? number(line) : acknowledged;
            }
            assertTrue(child.waitFor(30, TimeUnit.SECONDS));
            assertAllThere(acknowledged);
        }
    }

    @Test
    void aFullDiskRejectsAndGoesOnOnceThereIsSpace() throws Exception {
        List<String> said = StoreWriterProcesses.run(
                StoreWriterProcesses.onSmallDisk(folder, "size=4m"), "full-disk", folder.toString());
        assertEquals(
                3,
                said.stream()
                        .filter(l -> l.startsWith("REJECTED ") && l.contains("is full"))
                        .count(),
                said::toString);
        assertFalse(said.stream().anyMatch(l -> l.startsWith("UNCERTAIN")), said::toString);
        assertEquals("over", said.get(said.size() - 1));
    }

    @Test
    void aReadOnlyDiskIsRefusedWithASentence() throws Exception {
        List<String> said = StoreWriterProcesses.run(
                StoreWriterProcesses.onSmallDisk(folder, "size=4m"), "read-only-disk", folder.toString());
        assertEquals("ack 1", said.get(0), said::toString);
        assertTrue(said.get(1).startsWith("REJECTED the store " + folder), said::toString);
        assertTrue(said.get(1).contains("writable"), said::toString);
        assertEquals(List.of("readable 1", "ack 2", "over"), said.subList(2, said.size()));
    }

    @Test
    void aDiskThatForbidsProgramsServes() throws Exception {
        List<String> said = StoreWriterProcesses.run(
                StoreWriterProcesses.onSmallDisk(folder, "noexec"), "commit", folder.toString(), "1");
        assertTrue(said.contains("ack 1"), said::toString);
    }

    @Test
    void aFailedSyncIsUncertainAndNothingAcknowledgedIsLost() throws Exception {
        SqliteStore.open(folder).close();
        List<String> wrapper = StoreWriterProcesses.traced(
                folder.resolve("trace"),
                "-e",
                "trace=fsync,fdatasync",
                "-e",
                "inject=fsync,fdatasync:error=EIO:when=7+5");
        List<String> said = StoreWriterProcesses.run(wrapper, "commit", folder.toString(), "60");
        long uncertain = said.stream().filter(l -> l.startsWith("UNCERTAIN ")).count();
        long recovered = said.stream().filter(l -> l.startsWith("recovered ")).count();
        assertTrue(uncertain >= 3, said::toString);
        assertEquals(uncertain, recovered, said::toString);
        assertEquals("over", said.get(said.size() - 1));
        long acknowledged = said.stream()
                .filter(l -> l.startsWith("ack "))
                .mapToLong(SqliteFaultsTest::number)
                .max()
                .orElseThrow();
        assertNotEquals(0, acknowledged);
        assertAllThere(acknowledged);
    }

    @Test
    void theLogIsSyncedBeforeACommitIsAcknowledged() throws Exception {
        Path trace = folder.resolve("trace");
        List<String> wrapper = StoreWriterProcesses.traced(trace, "-e", "trace=fsync,fdatasync,write,pwrite64");
        List<String> said = StoreWriterProcesses.run(
                wrapper, "commit", folder.resolve("store").toString(), "20");
        assertEquals(20, said.stream().filter(l -> l.startsWith("ack ")).count(), said::toString);
        int acknowledged = 0;
        boolean written = false;
        boolean synced = false;
        for (String call : Files.readAllLines(trace)) {
            if (call.contains("pwrite64(") && call.contains("forewarn.db-wal>")) {
                written = true;
                synced = false;
            } else if (call.matches(".* f(data)?sync\\(\\d+<.*forewarn\\.db-wal>\\) += 0")) {
                synced = true;
            } else if (call.contains("write(1<") && call.contains("\"ack ")) {
                assertTrue(written && synced, "acknowledged before it was written and synced: " + call);
                acknowledged++;
                written = false;
            }
        }
        assertEquals(20, acknowledged);
    }

    private static long number(String line) {
        return Long.parseLong(line.substring(line.indexOf(' ') + 1));
    }

    private void assertAllThere(long acknowledged) throws StoreException {
        try (Store store = SqliteStore.open(folder)) {
            TreeSet<String> found = new TreeSet<>();
            store.scan("ack/", "", Integer.MAX_VALUE, (key, value) -> found.add(key));
            long seq = store.recover().seq();
            assertTrue(seq == acknowledged || seq == acknowledged + 1, seq + " after " + acknowledged);
            List<String> expected = new ArrayList<>();
            for (long i = 1; i <= seq; i++) {
                expected.add(StoreWriterProcess.key(i));
            }
            assertEquals(expected, new ArrayList<>(found));
        }
    }
}
