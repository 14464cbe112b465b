package io.forewarn.store.sqlite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits that were acknowledged and that SQLite would lose without a word: a damaged log, a deleted or replaced file. */
class LostCommitsTest {
    private static final int COMMITS = 40;
    private static final int HEADER = 32;
    private static final int FRAME = 24 + 4096;

    @TempDir
    private Path folder;

    /** What is on disk after a {@code kill -9}: files as they are while the store is open. */
    private Path killed;

    private byte[] log;

    @BeforeEach
    void killAfterManyCommits() throws Exception {
        killed = folder.resolve("killed");
        Files.createDirectory(killed);
        Path running = folder.resolve("running");
        try (Store store = SqliteStore.open(running)) {
            commit(store, store.claim(), COMMITS);
            copy(running, killed);
        }
        log = Files.readAllBytes(file("-wal"));
        assertTrue(log.length > HEADER + COMMITS * FRAME, "each commit has frames of its own in the log");
    }

    private static Head commit(Store store, Head from, int times) throws StoreException {
        Head head = from;
        for (int i = 0; i < times; i++) {
            head = new Head(head.seq() + 1, head.epoch());
            store.commit(Commit.of(
                    head.seq(), head.epoch(), Map.of(StoreWriterProcess.key(head.seq()), new byte[3000]), List.of()));
        }
        return head;
    }

    private static void copy(Path from, Path to) throws Exception {
        for (String suffix : List.of("", "-wal", "-acknowledged")) {
            Files.copy(
                    from.resolve("forewarn.db" + suffix),
                    to.resolve("forewarn.db" + suffix),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private Path file(String suffix) {
        return killed.resolve("forewarn.db" + suffix);
    }

    private static int count(Path store) throws StoreException {
        int[] found = {0};
        try (Store open = SqliteStore.open(store)) {
            open.scan("ack/", "", Integer.MAX_VALUE, (key, value) -> found[0]++);
        }
        return found[0];
    }

    private StoreException refusal(Path store) {
        StoreException refusal = assertThrows(StoreException.class, () -> count(store));
        assertEquals(Kind.UNREADABLE, refusal.kind(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("store accept-loss sqlite:" + store), refusal.getMessage());
        return refusal;
    }

    /** Damages the log of a fresh image; returns whether that was noticed. If not, nothing may be missing but {@code unsure}. */
    private boolean noticed(byte[] damaged, boolean powerLost, int unsure) throws Exception {
        Path image = folder.resolve("image");
        Files.createDirectories(image);
        copy(killed, image);
        Files.deleteIfExists(image.resolve("forewarn.db-shm"));
        if (powerLost) {
            Files.delete(image.resolve("forewarn.db-acknowledged"));
        }
        Files.write(image.resolve("forewarn.db-wal"), damaged);
        try {
            int found = count(image);
            assertTrue(found >= COMMITS - unsure, found + " of " + COMMITS + " are left, without a word");
            return false;
        } catch (StoreException e) {
            assertEquals(Kind.UNREADABLE, e.kind(), e.getMessage());
            assertArrayEquals(damaged, Files.readAllBytes(image.resolve("forewarn.db-wal")), "the evidence stays");
            return true;
        }
    }

    private byte[] flipped(int at) {
        byte[] damaged = log.clone();
        damaged[at] ^= 0x10;
        return damaged;
    }

    @Test
    void afterAKillAFlippedBitAnywhereInTheLogIsNoticedOrHarmless() throws Exception {
        int noticed = 0;
        int tries = 0;
        for (int at = 1; at < log.length; at += log.length / 60, tries++) {
            noticed += noticed(flipped(at), false, 0) ? 1 : 0;
        }
        for (int at = 0; at < HEADER; at += 5, tries++) {
            noticed += noticed(flipped(at), false, 0) ? 1 : 0;
        }
        assertEquals(tries, noticed, "every bit of the log counts");
        assertFalse(noticed(log, false, 0));
    }

    /** SQLite drops the whole log then, and the store would come up as empty as on its first day. */
    @Test
    void aDamagedHeaderOfTheLogIsNoticedAlsoWhereTheLastAcknowledgedCommitIsNotKnown() throws Exception {
        for (int at = 0; at < HEADER; at++) {
            assertTrue(noticed(flipped(at), true, 0), "byte " + at);
        }
        byte[] blank = log.clone();
        Arrays.fill(blank, 0, HEADER, (byte) 0);
        assertTrue(noticed(blank, true, 0), "a header of zeros");
        assertFalse(noticed(Arrays.copyOf(flipped(1), HEADER), true, COMMITS), "nothing was written behind it");
        assertFalse(noticed(new byte[log.length], true, COMMITS), "space that was set aside and never written");

        Path image = folder.resolve("image");
        copy(killed, image);
        Files.delete(image.resolve("forewarn.db-acknowledged"));
        Files.write(image.resolve("forewarn.db-wal"), flipped(9));
        refusal(image);
        SqliteStore.acceptLoss(image);
        assertEquals(0, count(image));
        assertArrayEquals(flipped(9), Files.readAllBytes(image.resolve("forewarn.db-wal-damaged")));
    }

    /** What was acknowledged last is then not known, so the last commit may be one that was being written. */
    @Test
    void afterAPowerLossADamagedCommitWithOthersBehindItIsNoticed() throws Exception {
        int frames = (log.length - HEADER) / FRAME;
        int commits = 0;
        int[] endOf = new int[frames + 1];
        for (int i = 0; i < frames; i++) {
            int at = HEADER + i * FRAME;
            boolean ends = (log[at + 4] | log[at + 5] | log[at + 6] | log[at + 7]) != 0;
            commits += ends ? 1 : 0;
            endOf[commits] = ends ? i + 1 : endOf[commits];
        }
        for (int before : new int[] {1, 2, 3, 10, COMMITS - 1}) {
            int frame = endOf[commits - before] - 1;
            assertTrue(noticed(flipped(HEADER + frame * FRAME + 100), true, 0), before + " commits behind");
            assertTrue(noticed(flipped(HEADER + frame * FRAME + 9), true, 0), "its salt, " + before + " behind");
        }
        int last = endOf[commits - 1];
        assertFalse(noticed(flipped(HEADER + last * FRAME + 100), true, 1), "a commit that was being written");
        assertFalse(noticed(Arrays.copyOf(log, HEADER + last * FRAME + 50), true, 1));
        byte[] torn = log.clone();
        Arrays.fill(torn, HEADER + last * FRAME, HEADER + last * FRAME + FRAME, (byte) 0);
        assertFalse(noticed(torn, true, 1), "its first page did not reach the disk, the others did");
    }

    @Test
    void aLogThatWasCutOrIsGoneIsNoticed() throws Exception {
        assertTrue(noticed(Arrays.copyOf(log, log.length / 2), false, 0));
        assertTrue(noticed(new byte[0], false, 0));
        assertTrue(noticed(new byte[log.length], false, 0));
        Files.delete(file("-wal"));
        refusal(killed);
    }

    @Test
    void theOperatorMayGoOnWithoutWhatIsLost() throws Exception {
        byte[] damaged = flipped(HEADER + (log.length / FRAME / 2) * FRAME + 100);
        Files.write(file("-wal"), damaged);
        refusal(killed);
        refusal(killed);
        SqliteStore.Loss loss = SqliteStore.acceptLoss(killed);
        int left = count(killed);
        assertTrue(left > 5 && left < COMMITS - 5, left + " are left");
        assertEquals(new SqliteStore.Loss(left + 1, COMMITS), loss);
        assertArrayEquals(damaged, Files.readAllBytes(file("-wal-damaged")));
        try (Store store = SqliteStore.open(killed)) {
            Head head = store.claim();
            assertEquals(COMMITS, head.seq(), "no number is used twice");
            commit(store, head, 1);
        }
        assertEquals(left + 1, count(killed));
        StoreException whole = assertThrows(StoreException.class, () -> SqliteStore.acceptLoss(killed));
        assertTrue(whole.getMessage().contains("complete"), whole.getMessage());
    }

    @Test
    void anOlderCopyOfTheFileIsNotServedUnlessTheOperatorSaysSo() throws Exception {
        Path running = folder.resolve("running");
        Path backup = folder.resolve("backup");
        Files.copy(running.resolve("forewarn.db"), backup);
        try (Store store = SqliteStore.open(running)) {
            commit(store, store.claim(), 1);
        }
        Files.copy(backup, running.resolve("forewarn.db"), StandardCopyOption.REPLACE_EXISTING);
        refusal(running);
        assertEquals(new SqliteStore.Loss(COMMITS + 1, COMMITS + 1), SqliteStore.acceptLoss(running));
        assertEquals(COMMITS, count(running));
    }

    @Test
    void aFileDeletedWhileInUseTakesNoCommitsAndNoEmptyOneComesInItsPlace() throws Exception {
        try (Store store = SqliteStore.open(folder.resolve("running"))) {
            Head head = store.claim();
            Path file = folder.resolve("running/forewarn.db");
            Path away = folder.resolve("away.db");
            Files.move(file, away);
            for (int i = 0; i < 2; i++) {
                StoreException gone = assertThrows(StoreException.class, () -> commit(store, head, 1));
                assertEquals(Kind.REJECTED, gone.kind());
                assertTrue(gone.getMessage().contains("deleted"), gone.getMessage());
            }
            assertThrows(StoreException.class, store::check);
            assertEquals(
                    Kind.UNREADABLE,
                    assertThrows(StoreException.class, store::recover).kind());
            Files.move(away, file);
            store.check();
            commit(store, head, 1);
            Files.delete(file);
            assertThrows(StoreException.class, () -> commit(store, head, 1));
        }
        refusal(folder.resolve("running"));
        refusal(folder.resolve("running"));
    }

    @Test
    void aStoreDirectoryDeletedWhileInUseIsNotTreatedAsNew() throws Exception {
        Path running = folder.resolve("running");
        try (Store store = SqliteStore.open(running)) {
            Head head = store.claim();
            try (var files = Files.list(running)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.delete(file);
                }
            }
            try (var left = Files.walk(running)) {
                for (Path path : left.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            }
            assertThrows(StoreException.class, store::check, "noticed although nobody writes");
            assertThrows(StoreException.class, () -> commit(store, head, 1));
        }
        StoreException refusal = refusal(running);
        assertTrue(refusal.getMessage().contains("there was one, up to commit 40"), refusal.getMessage());
        assertEquals(new SqliteStore.Loss(1, COMMITS), SqliteStore.acceptLoss(running));
        assertEquals(0, count(running));
        try (Store store = SqliteStore.open(running)) {
            assertEquals(COMMITS, store.claim().seq());
        }
    }

    @Test
    void aFolderMovedAwayWhileInUseCanBeMovedBack() throws Exception {
        Path running = folder.resolve("running");
        Path away = folder.resolve("away");
        try (Store store = SqliteStore.open(running)) {
            Head head = store.claim();
            Files.move(running, away);
            assertThrows(StoreException.class, store::check);
            assertThrows(StoreException.class, () -> commit(store, head, 1));
            assertFalse(Files.exists(running), "nothing stands where the folder belongs");
            Files.move(away, running);
            store.check();
            commit(store, head, 1);
        }
        assertEquals(COMMITS + 1, count(running));
    }

    @Test
    void aLogDeletedWhileInUseIsRecreatedAndNothingIsLost() throws Exception {
        Path running = folder.resolve("running");
        Path image = folder.resolve("image");
        Files.createDirectory(image);
        try (Store store = SqliteStore.open(running)) {
            Head head = commit(store, store.claim(), 1);
            Files.delete(running.resolve("forewarn.db-wal"));
            commit(store, head, 1);
            copy(running, image);
        }
        assertEquals(COMMITS + 2, count(image));
    }
}
