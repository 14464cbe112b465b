package io.forewarn.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a commit leaves when etcd does not answer, or refuses it. */
class EtcdFaultsTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void needsEtcd() {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
    }

    static EtcdStore open(EtcdCluster etcd) throws StoreException {
        return EtcdStore.open(access(etcd));
    }

    static EtcdAccess access(EtcdCluster etcd) {
        return new EtcdAccess(
                etcd.urls(), "f/", Optional.empty(), Optional.empty(), Optional.empty(), Duration.ofMillis(700));
    }

    static Commit commit(long seq, long epoch) {
        return Commit.of(seq, epoch, Map.of("k/" + seq, ("v" + seq).getBytes(UTF_8)), List.of());
    }

    static Map<String, String> all(Store store) throws StoreException {
        Map<String, String> found = new TreeMap<>();
        store.scan("", "", Integer.MAX_VALUE, (key, value) -> found.put(key, new String(value, UTF_8)));
        return found;
    }

    /** As the engine does: until the store says where it stands. */
    static Head recover(Store store) throws Exception {
        StoreException last = null;
        for (int i = 0; i < 3000; i++) {
            try {
                return store.recover();
            } catch (StoreException problem) {
                assertEquals(Kind.UNCERTAIN, problem.kind(), problem.getMessage());
                last = problem;
                Thread.sleep(20);
            }
        }
        throw last;
    }

    @Test
    void theResultOfRecoverStaysTrueAfterEtcdWasSuspended() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                EtcdStore store = open(etcd)) {
            Head head = store.claim();
            for (int round = 0; round < 5; round++) {
                etcd.pause(0);
                Commit next = commit(head.seq() + 1, head.epoch());
                StoreException late = assertThrows(StoreException.class, () -> store.commit(next));
                assertEquals(Kind.UNCERTAIN, late.kind(), late.getMessage());
                assertEquals(
                        Kind.REJECTED,
                        assertThrows(StoreException.class, () -> store.commit(next))
                                .kind());
                etcd.resume(0);
                head = recover(store);
                Map<String, String> told = all(store);
                assertEquals(head.seq() == next.seq(), told.containsKey("k/" + next.seq()));
                Commit after = commit(head.seq() + 1, head.epoch());
                store.commit(after);
                head = new Head(after.seq(), after.epoch());
                told.put("k/" + after.seq(), "v" + after.seq());
                assertEquals(told, all(store));
            }
        }
    }

    @Test
    void aLateCommitIsBarredAlsoIfThatFailedAtFirst() throws Exception {
        List<String> small = List.of("--quota-backend-bytes=" + (2 << 20));
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1, "http", small);
                EtcdStore store = open(etcd)) {
            Head head = store.claim();
            fill(etcd);
            etcd.pause(0);
            assertThrows(StoreException.class, () -> store.commit(commit(1, head.epoch())));
            etcd.resume(0);
            long founded = headRevision(etcd);
            // Full, it can be read and takes no writes.
            StoreException full = assertThrows(StoreException.class, store::recover);
            assertTrue(full.getMessage().contains("etcd is full"), full.getMessage());
            assertEquals(founded, headRevision(etcd));
            empty(etcd);
            assertEquals(head, recover(store));
            assertTrue(headRevision(etcd) > founded, "what comes late would still hold");
        }
    }

    @Test
    void aRefusedCommitInTheStoreIsNotTakenForTheNextOne() throws Exception {
        List<String> small = List.of("--quota-backend-bytes=" + (2 << 20));
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1, "http", small);
                EtcdStore store = open(etcd)) {
            Head head = store.claim();
            fill(etcd);
            StoreException full = assertThrows(StoreException.class, () -> store.commit(commit(1, head.epoch())));
            assertEquals(Kind.REJECTED, full.kind(), full.getMessage());
            empty(etcd);
            // As if it had been written all the same.
            etcd.etcdctl("put", "f/head", "layout=1 writer=" + head.epoch() + " commit=1");
            Commit another = Commit.of(1, head.epoch(), Map.of("k/another", new byte[] {'1'}), List.of());
            StoreException wrong = assertThrows(StoreException.class, () -> store.commit(another));
            assertEquals(Kind.REJECTED, wrong.kind(), wrong.getMessage());
            assertEquals(Map.of(), all(store));
            store.commit(commit(2, head.epoch()));
            assertEquals(Map.of("k/2", "v2"), all(store));
        }
    }

    private static void fill(EtcdCluster etcd) {
        String much = "x".repeat(100_000);
        for (int i = 0; i < 1000; i++) {
            try {
                etcd.etcdctl("put", "filling/" + i, much);
            } catch (Exception full) {
                assertTrue(full.getMessage().contains("space exceeded"), full.getMessage());
                return;
            }
        }
        fail("it is not full yet");
    }

    /** What is deleted takes its room until etcd has forgotten it and given the room back: else it would be full again at once. */
    private static void empty(EtcdCluster etcd) throws Exception {
        etcd.etcdctl("del", "--prefix", "filling/");
        etcd.etcdctl("compaction", "--physical", Long.toString(revision(etcd, "revision")));
        etcd.etcdctl("defrag");
        etcd.etcdctl("alarm", "disarm");
    }

    private static long headRevision(EtcdCluster etcd) throws Exception {
        return revision(etcd, "mod_revision");
    }

    private static long revision(EtcdCluster etcd, String which) throws Exception {
        Matcher revision =
                Pattern.compile("\"" + which + "\":(\\d+)").matcher(etcd.etcdctl("get", "f/head", "-w", "json"));
        assertTrue(revision.find());
        return Long.parseLong(revision.group(1));
    }

    @Test
    void aWriterThatSleptIsFenced() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                EtcdStore old = open(etcd);
                EtcdStore young = open(etcd)) {
            Head before = old.claim();
            old.commit(commit(1, before.epoch()));
            Head now = young.claim();
            assertEquals(new Head(1, before.epoch() + 1), now);
            StoreException fenced = assertThrows(StoreException.class, () -> old.commit(commit(2, before.epoch())));
            assertEquals(Kind.FENCED, fenced.kind(), fenced.getMessage());
            young.commit(commit(2, now.epoch()));
            assertEquals(new Head(2, now.epoch()), old.recover());
        }
    }

    @Test
    void theLastOfManyKeysAreFoundWithoutReadingAll() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                EtcdStore store = open(etcd)) {
            Head head = store.claim();
            List<String> keys = new ArrayList<>();
            long seq = head.seq();
            for (int i = 0; i < 30; i++) {
                Map<String, byte[]> puts = new TreeMap<>();
                for (int j = 0; j < 100; j++) {
                    puts.put("log/%019d".formatted(100L * i + j), new byte[8]);
                }
                keys.addAll(puts.keySet());
                puts.put("before/%d".formatted(i), new byte[8]);
                puts.put("zz/%d".formatted(i), new byte[8]);
                store.commit(Commit.of(++seq, head.epoch(), puts, List.of()));
            }
            Collections.reverse(keys);
            for (int limit : List.of(1, 7, 500, 1200, Integer.MAX_VALUE)) {
                assertEquals(keys.subList(0, Math.min(limit, keys.size())), down(store, "log/~", limit));
                assertEquals(keys.subList(0, Math.min(limit, keys.size())), down(store, "", limit));
                int from = 1501;
                assertEquals(
                        keys.subList(
                                from, Math.min((int) Math.min(Integer.MAX_VALUE, (long) from + limit), keys.size())),
                        down(store, keys.get(from - 1), limit));
            }
        }
    }

    private static List<String> down(Store store, String before, int limit) throws StoreException {
        List<String> found = new ArrayList<>();
        store.scanDown("log/", before, limit, (key, value) -> found.add(key));
        return found;
    }

    @Test
    void anOperatorCanReadItWithEtcdctl() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                EtcdStore store = open(etcd)) {
            Head head = store.claim();
            store.commit(commit(1, head.epoch()));
            assertEquals(
                    "f/head\nlayout=1 writer=1 commit=1\nf/record/k/1\nv1\n", etcd.etcdctl("get", "--prefix", "f/"));
        }
    }
}
