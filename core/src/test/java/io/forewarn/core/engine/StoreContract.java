package io.forewarn.core.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every store must do. An implementation extends this class and says how it is opened; each test begins with a store
 * never written to. Keys are ordered by their bytes in UTF-8.
 */
public abstract class StoreContract {
    private Store store;
    private Head head;

    /** Opens the store: empty at a test's first call, with the same data at later ones. The one before was closed. */
    protected abstract Store open() throws Exception;

    @BeforeEach
    void openTheStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeTheStore() {
        store.close();
    }

    private void reopen() throws Exception {
        store.close();
        store = open();
    }

    private void claim() throws StoreException {
        head = store.claim();
    }

    private Commit next(Map<String, String> puts, String... deletes) {
        Map<String, byte[]> bytes = new TreeMap<>();
        puts.forEach((key, value) -> bytes.put(key, value.getBytes(UTF_8)));
        return Commit.of(head.seq() + 1, head.epoch(), bytes, List.of(deletes));
    }

    private void commit(Commit commit) throws StoreException {
        store.commit(commit);
        head = new Head(commit.seq(), commit.epoch());
    }

    private void put(String... keysAndValues) throws StoreException {
        Map<String, String> puts = new TreeMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            puts.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        commit(next(puts));
    }

    private StoreException refusal(Kind kind, Commit commit) {
        StoreException refusal = assertThrows(StoreException.class, () -> store.commit(commit));
        assertEquals(kind, refusal.kind(), refusal.getMessage());
        assertFalse(refusal.getMessage().isBlank());
        return refusal;
    }

    private Map<String, String> all() throws StoreException {
        Map<String, String> found = new LinkedHashMap<>();
        store.scan("", "", Integer.MAX_VALUE, (key, value) -> found.put(key, new String(value, UTF_8)));
        return found;
    }

    private List<String> keys(String prefix, String after, int limit) throws StoreException {
        List<String> found = new ArrayList<>();
        store.scan(prefix, after, limit, (key, value) -> found.add(key));
        return found;
    }

    private List<String> keysDown(String prefix, String before, int limit) throws StoreException {
        List<String> found = new ArrayList<>();
        store.scanDown(prefix, before, limit, (key, value) -> found.add(key));
        return found;
    }

    @Test
    void aStoreNeverWrittenToIsEmptyAndStandsAtZero() throws Exception {
        assertEquals(Map.of(), all());
        assertEquals(List.of(), keysDown("", "", 10));
        assertEquals(new Head(0, 0), store.recover());
    }

    @Test
    void commitsSurviveReopening() throws Exception {
        claim();
        put("a", "1", "b", "2");
        put("c", "3");
        reopen();
        assertEquals(Map.of("a", "1", "b", "2", "c", "3"), all());
        assertEquals(new Head(2, 1), store.recover());
    }

    @Test
    void aCommitOverwritesAndDeletes() throws Exception {
        claim();
        put("a", "1", "b", "2", "c", "3");
        commit(next(Map.of("b", "two", "d", "4"), "a", "never-there"));
        assertEquals(Map.of("b", "two", "c", "3", "d", "4"), all());
        reopen();
        assertEquals(Map.of("b", "two", "c", "3", "d", "4"), all());
    }

    @Test
    void anEmptyCommitStillCounts() throws Exception {
        claim();
        commit(next(Map.of()));
        assertEquals(1, store.recover().seq());
    }

    @Test
    void claimingRaisesTheEpochAndKeepsTheRest() throws Exception {
        claim();
        assertEquals(new Head(0, 1), head);
        put("a", "1");
        assertEquals(new Head(1, 2), store.claim());
        reopen();
        assertEquals(new Head(1, 2), store.recover());
        assertEquals(new Head(1, 3), store.claim());
        assertEquals(Map.of("a", "1"), all());
    }

    @Test
    void aReplacedWriterIsFencedAndWritesNothing() throws Exception {
        claim();
        put("a", "1");
        Commit late = next(Map.of("a", "late", "b", "late"));
        claim();
        refusal(Kind.FENCED, late);
        assertEquals(Map.of("a", "1"), all());
        put("b", "2");
        refusal(Kind.FENCED, late);
        assertEquals(Map.of("a", "1", "b", "2"), all());
    }

    @Test
    void aWriterIsFencedByOneThatClaimedAfterReopening() throws Exception {
        claim();
        Commit late = next(Map.of("a", "late"));
        reopen();
        store.claim();
        refusal(Kind.FENCED, late);
        assertEquals(Map.of(), all());
    }

    @Test
    void aWriterThatNeverClaimedIsRefused() throws Exception {
        refusal(Kind.REJECTED, Commit.of(1, 1, Map.of(), List.of()));
        assertEquals(new Head(0, 0), store.recover());
    }

    @Test
    void aCommitIsNotAppliedTwice() throws Exception {
        claim();
        Commit first = next(Map.of("a", "1"));
        commit(first);
        put("a", "2");
        refusal(Kind.REJECTED, first);
        refusal(Kind.REJECTED, Commit.of(2, head.epoch(), Map.of("a", new byte[] {'3'}), List.of()));
        assertEquals(Map.of("a", "2"), all());
        assertEquals(2, store.recover().seq());
    }

    @Test
    void aCommitThatLeavesAGapIsRefused() throws Exception {
        claim();
        put("a", "1");
        refusal(Kind.REJECTED, Commit.of(3, head.epoch(), Map.of("b", new byte[1]), List.of("a")));
        assertEquals(Map.of("a", "1"), all());
        put("b", "2");
        assertEquals(2, store.recover().seq());
    }

    @Test
    void aCommitOfTooManyOperationsIsRejectedWhole() throws Exception {
        claim();
        put("a", "1");
        Map<String, byte[]> puts = new TreeMap<>();
        for (int i = 0; i < store.limits().operations(); i++) {
            puts.put("many/" + i, new byte[] {1});
        }
        refusal(Kind.REJECTED, Commit.of(2, head.epoch(), puts, List.of("a")));
        assertEquals(Map.of("a", "1"), all());
        commit(Commit.of(2, head.epoch(), puts, List.of()));
        assertEquals(puts.size(), keys("many/", "", Integer.MAX_VALUE).size());
    }

    @Test
    void aCommitOfTooManyBytesIsRejectedWhole() throws Exception {
        claim();
        put("a", "1");
        byte[] most = new byte[store.limits().bytes() - "big".length()];
        new Random(1).nextBytes(most);
        refusal(Kind.REJECTED, Commit.of(2, head.epoch(), Map.of("big", most, "b", new byte[1]), List.of()));
        assertEquals(Map.of("a", "1"), all());
        commit(Commit.of(2, head.epoch(), Map.of("big", most), List.of()));
        reopen();
        store.scan("big", "", 1, (key, value) -> assertArrayEquals(most, value));
        assertEquals(List.of("a", "big"), keys("", "", 10));
    }

    @Test
    void valuesAreAnyBytes() throws Exception {
        claim();
        byte[] every = new byte[256];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }
        commit(Commit.of(1, head.epoch(), Map.of("empty", new byte[0], "every", every), List.of()));
        Map<String, byte[]> found = new TreeMap<>();
        store.scan("", "", 10, found::put);
        assertEquals(Set.of("empty", "every"), found.keySet());
        assertArrayEquals(new byte[0], found.get("empty"));
        assertArrayEquals(every, found.get("every"));
    }

    @Test
    void aScanIsInKeyOrderAndBounded() throws Exception {
        claim();
        put("b/2", "", "a", "", "b/10", "", "b/1", "", "b", "", "c", "", "b0", "");
        assertEquals(List.of("a", "b", "b/1", "b/10", "b/2", "b0", "c"), keys("", "", 100));
        assertEquals(List.of("b/1", "b/10", "b/2"), keys("b/", "", 100));
        assertEquals(List.of("b/1", "b/10"), keys("b/", "", 2));
        assertEquals(List.of("b/10", "b/2"), keys("b/", "b/1", 2));
        assertEquals(List.of("b/2"), keys("b/", "b/15", 2));
        assertEquals(List.of(), keys("b/", "b/2", 2));
        assertEquals(List.of("b/1", "b/10", "b/2"), keys("b/", "a", 100));
        assertEquals(List.of(), keys("b/", "c", 100));
        assertEquals(List.of(), keys("d", "", 100));
        assertEquals(List.of(), keys("", "", 0));
        assertEquals(List.of("b/1", "b/10", "b/2"), keys("b/", null, 100));
    }

    @Test
    void aScanDownIsTheSameBackwards() throws Exception {
        claim();
        put("b/2", "", "a", "", "b/10", "", "b/1", "", "b", "", "c", "", "b0", "");
        assertEquals(List.of("c", "b0", "b/2", "b/10", "b/1", "b", "a"), keysDown("", "", 100));
        assertEquals(List.of("b/2", "b/10", "b/1"), keysDown("b/", "", 100));
        assertEquals(List.of("b/2", "b/10"), keysDown("b/", "b/~", 2));
        assertEquals(List.of("b/10", "b/1"), keysDown("b/", "b/2", 2));
        assertEquals(List.of("b/1"), keysDown("b/", "b/10", 2));
        assertEquals(List.of(), keysDown("b/", "b/1", 2));
        assertEquals(List.of("b/2", "b/10", "b/1"), keysDown("b/", "c", 100));
        assertEquals(List.of(), keysDown("b/", "a", 100));
        assertEquals(List.of(), keysDown("", "", 0));
        assertEquals(List.of("b/2", "b/10", "b/1"), keysDown("b/", null, 100));
    }

    @Test
    void keysAreAnyPrintableCharactersInTheOrderOfTheirBytes() throws Exception {
        claim();
        List<String> keys = new ArrayList<>();
        for (char c = ' '; c < 127; c++) {
            keys.add("k/" + c);
            keys.add("k/" + c + "/'\"%_*?\\");
        }
        keys.addAll(List.of("k/ü", "k/üx", "k/\uffee", "k/\ud83d\ude00", "k/\ud83d\ude00/a", "l"));
        keys.sort(Comparator.comparing(key -> key.getBytes(UTF_8), Arrays::compareUnsigned));
        for (int i = 0; i < keys.size(); i += 100) {
            Map<String, String> puts = new TreeMap<>();
            keys.subList(i, Math.min(keys.size(), i + 100)).forEach(key -> puts.put(key, key));
            commit(next(puts));
        }
        assertEquals(keys, keys("", "", 1000));
        assertEquals(keys, new ArrayList<>(all().values()));
        for (String key : keys) {
            List<String> within = keys.stream().filter(k -> k.startsWith(key)).toList();
            assertEquals(within, keys(key, "", 1000));
            assertEquals(keys.subList(keys.indexOf(key) + 1, keys.size()), keys("", key, 1000));
            assertEquals(keys.indexOf(key), keysDown("", key, 1000).size());
        }
    }

    @Test
    void aLongScanMissesNothingWhateverThePages() throws Exception {
        claim();
        byte[] value = new byte[store.limits().bytes() / 20];
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Map<String, byte[]> puts = new TreeMap<>();
            for (int j = 0; j < 10; j++) {
                puts.put("page/" + i + j, value);
            }
            keys.addAll(puts.keySet());
            commit(Commit.of(head.seq() + 1, head.epoch(), puts, List.of()));
        }
        assertEquals(keys, keys("page/", "", Integer.MAX_VALUE));
        assertEquals(keys.subList(0, 37), keys("page/", "", 37));
        List<String> down = new ArrayList<>(keys);
        Collections.reverse(down);
        assertEquals(down, keysDown("page/", "", Integer.MAX_VALUE));
        assertEquals(down.subList(0, 37), keysDown("page/", "", 37));
    }

    @Test
    void aVisitorMayWriteAndMayFail() throws Exception {
        claim();
        put("a", "1", "b", "2");
        assertThrows(
                IllegalStateException.class,
                () -> store.scan("", "", 10, (key, value) -> {
                    throw new IllegalStateException(key);
                }));
        List<String> seen = new ArrayList<>();
        store.scan("", "", 10, (key, value) -> {
            seen.add(key);
            try {
                put("z/" + key, "seen");
            } catch (StoreException e) {
                throw new AssertionError(e);
            }
        });
        assertTrue(seen.containsAll(List.of("a", "b")), seen::toString);
        assertEquals("seen", all().get("z/b"));
    }

    @Test
    void aScanOnAnotherThreadSeesWholeCommitsOnly() throws Exception {
        claim();
        put("x/a", "0", "x/b", "0", "x/c", "0");
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch scanned = new CountDownLatch(1);
        CompletableFuture<Set<String>> reader = CompletableFuture.supplyAsync(() -> {
            Set<String> generations = new HashSet<>();
            try {
                while (!over.get()) {
                    List<String> seen = new ArrayList<>();
                    store.scan("x/", "", 10, (key, value) -> seen.add(new String(value, UTF_8)));
                    assertEquals(3, seen.size(), seen::toString);
                    assertEquals(1, new HashSet<>(seen).size(), seen::toString);
                    generations.add(seen.get(0));
                    scanned.countDown();
                }
            } catch (StoreException e) {
                throw new AssertionError(e);
            } finally {
                scanned.countDown();
            }
            return generations;
        });
        try {
            assertTrue(scanned.await(30, TimeUnit.SECONDS));
            for (int i = 1; i <= 100; i++) {
                String value = Integer.toString(i);
                put("x/a", value, "x/b", value, "x/c", value);
            }
        } finally {
            over.set(true);
        }
        assertTrue(reader.get(30, TimeUnit.SECONDS).contains("0"));
    }

    @Test
    void numbersCanBeLeftOutButNotUsedAgain() throws Exception {
        claim();
        put("a", "1");
        store.skipTo(500);
        assertEquals(new Head(500, 1), store.recover());
        refusal(Kind.REJECTED, Commit.of(2, 1, Map.of("b", new byte[1]), List.of()));
        assertThrows(StoreException.class, () -> store.skipTo(499));
        head = new Head(500, 1);
        put("b", "2");
        reopen();
        assertEquals(new Head(501, 1), store.recover());
        assertEquals(Map.of("a", "1", "b", "2"), all());
    }

    @Test
    void recoveringAStoreThatIsWellChangesNothing() throws Exception {
        claim();
        put("a", "1");
        assertEquals(head, store.recover());
        assertEquals(head, store.recover());
        assertEquals(Map.of("a", "1"), all());
        put("b", "2");
        refusal(Kind.REJECTED, Commit.of(9, head.epoch(), Map.of(), List.of()));
        assertEquals(head, store.recover());
        put("c", "3");
        assertEquals(Map.of("a", "1", "b", "2", "c", "3"), all());
    }

    @Test
    void randomCommitsLeaveWhatAMapWouldHold() throws Exception {
        Random random = new Random(7);
        Map<String, String> expected = new TreeMap<>();
        claim();
        for (int i = 0; i < 60; i++) {
            Map<String, String> puts = new TreeMap<>();
            Set<String> deletes = new HashSet<>();
            for (int j = random.nextInt(20); j > 0; j--) {
                String key = "k/" + random.nextInt(100);
                if (random.nextInt(3) == 0) {
                    deletes.add(key);
                } else {
                    puts.put(key, "v" + random.nextInt());
                }
            }
            deletes.removeAll(puts.keySet());
            commit(next(puts, deletes.toArray(String[]::new)));
            deletes.forEach(expected::remove);
            expected.putAll(puts);
            switch (random.nextInt(20)) {
                case 0 -> {
                    reopen();
                    claim();
                }
                case 1 -> assertEquals(head, store.recover());
                case 2 -> claim();
                default -> assertEquals(expected, all());
            }
        }
        assertEquals(expected, all());
        assertEquals(60, head.seq());
    }
}
