package io.forewarn.core.engine;

import static io.forewarn.core.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every feed must do. An implementation says how store and feed are opened, and how they are disturbed. */
public abstract class CommitFeedContract {
    private static final int PATIENCE = 2000;

    private Store store;
    private CommitFeed feed;
    private Head head;
    private final Listener listener = new Listener();

    /** Opens the store, empty at first. */
    protected abstract Store open() throws Exception;

    /** Opens a feed of it. */
    protected abstract CommitFeed follow() throws Exception;

    /** Says what time it is, as the writer does. */
    protected abstract void beat(CommitFeed.Beat beat) throws Exception;

    /** Breaks the connection; what is committed before {@link #mend} comes later. */
    protected abstract void cut() throws Exception;

    protected abstract void mend() throws Exception;

    /** Has the store forget all that is past, so that whoever is behind cannot catch up commit by commit. */
    protected abstract void forget() throws Exception;

    /** Keeps what it is told, and checks that it is told in order. */
    private static final class Listener implements CommitFeed.Follower {
        private Map<String, String> records = new TreeMap<>();
        private final List<CommitFeed.Beat> beats = new ArrayList<>();
        private List<String> prefixes = List.of("");
        private Head head;
        private Head lastBegun;
        private int beginnings;
        private int commits;
        private boolean beginning;
        private boolean failing;

        @Override
        public List<String> prefixes() {
            return prefixes;
        }

        @Override
        public void begin() {
            records = new TreeMap<>();
            beginning = true;
        }

        @Override
        public void record(String key, byte[] value) {
            assertTrue(beginning);
            records.put(key, new String(value, UTF_8));
        }

        @Override
        public void whole(Head all) {
            assertTrue(beginning);
            beginning = false;
            assertTrue(head == null || head.seq() <= all.seq(), () -> head + " before " + all);
            head = all;
            lastBegun = all;
            beginnings++;
        }

        @Override
        public void commit(Commit commit) throws StoreException {
            if (failing) {
                throw new StoreException(Kind.UNREADABLE, "this one cannot be read");
            }
            assertEquals(head.seq() + 1, commit.seq());
            assertTrue(head.epoch() <= commit.epoch());
            head = new Head(commit.seq(), commit.epoch());
            commit.deletes().forEach(records::remove);
            commit.puts().forEach((key, value) -> records.put(key, new String(value, UTF_8)));
            commits++;
        }

        @Override
        public void beat(CommitFeed.Beat beat) {
            beats.add(beat);
        }
    }

    @BeforeEach
    void openBoth() throws Exception {
        store = open();
        head = store.claim();
        feed = follow();
    }

    @AfterEach
    void closeBoth() {
        if (feed != null) {
            feed.close();
        }
        if (store != null) {
            store.close();
        }
    }

    /** Where the store stands, or null if it cannot say yet. */
    private Head recovered() {
        try {
            return store.recover();
        } catch (StoreException notYet) {
            return null;
        }
    }

    private void commit(Map<String, String> puts, String... deletes) throws Exception {
        Map<String, byte[]> bytes = new TreeMap<>();
        puts.forEach((key, value) -> bytes.put(key, value.getBytes(UTF_8)));
        Commit commit = Commit.of(head.seq() + 1, head.epoch(), bytes, List.of(deletes));
        for (int tries = 1; true; tries++) {
            try {
                store.commit(commit);
                head = new Head(commit.seq(), commit.epoch());
                return;
            } catch (StoreException notNow) {
                // After a cut it may take a moment until it is seen that the way is open again.
                boolean broke = notNow.kind() == Kind.UNCERTAIN;
                if (broke && eventually(this::recovered, Objects::nonNull).seq() == commit.seq()) {
                    head = new Head(commit.seq(), commit.epoch());
                    return;
                }
                if (!broke && notNow.kind() != Kind.REJECTED || tries == PATIENCE) {
                    throw notNow;
                }
                Thread.sleep(10);
            }
        }
    }

    private Map<String, String> all() throws StoreException {
        Map<String, String> found = new TreeMap<>();
        store.scan("", "", Integer.MAX_VALUE, (key, value) -> found.put(key, new String(value, UTF_8)));
        return found;
    }

    private interface Check {
        boolean holds();
    }

    private void until(Check check) throws Exception {
        for (int i = 0; i < PATIENCE; i++) {
            try {
                if (feed.turn(listener) == 0 && !check.holds()) {
                    Thread.sleep(10);
                }
            } catch (StoreException notNow) {
                assertEquals(Kind.REJECTED, notNow.kind(), notNow.getMessage());
                Thread.sleep(10);
            }
            if (check.holds()) {
                return;
            }
        }
        fail("it did not come: " + listener.head + " of " + head);
    }

    private void catchUp() throws Exception {
        until(() -> head.equals(listener.head));
        assertEquals(all(), listener.records);
    }

    @Test
    void itBeginsWithAllThereIs() throws Exception {
        until(() -> listener.head != null);
        assertEquals(Map.of(), listener.records);
        assertEquals(new Head(0, head.epoch()), listener.head);
        commit(Map.of("a", "1", "b", "2"));
        commit(Map.of("c", "3"), "a");
        try (CommitFeed second = follow()) {
            Listener late = new Listener();
            while (second.turn(late) == 0) {
                Thread.sleep(10);
            }
            assertEquals(Map.of("b", "2", "c", "3"), late.records);
            assertEquals(head, late.head);
        }
    }

    @Test
    void itBeginsWithWhatTheFollowerWantsAndTellsAllLater() throws Exception {
        commit(Map.of("log/1", "long", "fleet/a", "1", "state/a", "1"));
        listener.prefixes = List.of("state/", "fleet/");
        until(() -> listener.head != null);
        assertEquals(Map.of("fleet/a", "1", "state/a", "1"), listener.records);
        commit(Map.of("log/2", "long", "fleet/b", "2"));
        until(() -> head.equals(listener.head));
        assertEquals(Map.of("fleet/a", "1", "state/a", "1", "log/2", "long", "fleet/b", "2"), listener.records);
    }

    @Test
    void commitsComeWholeOnceAndInOrder() throws Exception {
        until(() -> listener.head != null);
        for (int i = 0; i < 50; i++) {
            commit(Map.of("x/" + i, "v" + i, "y", "v" + i), "x/" + (i - 3));
            if (i % 7 == 0) {
                feed.turn(listener);
            }
        }
        catchUp();
        assertEquals(50, listener.commits);
        assertEquals(1, listener.beginnings);
    }

    @Test
    void anEmptyCommitIsDeliveredAndAClaimIsNot() throws Exception {
        until(() -> listener.head != null);
        commit(Map.of());
        Head before = head;
        head = store.claim();
        commit(Map.of("a", "1"));
        catchUp();
        assertEquals(2, listener.commits);
        assertEquals(before.epoch() + 1, listener.head.epoch());
    }

    @Test
    void aBeatComesAfterTheCommitsBeforeIt() throws Exception {
        until(() -> listener.head != null);
        commit(Map.of("a", "1"));
        CommitFeed.Beat beat = new CommitFeed.Beat(Instant.parse("2026-03-01T12:00:00.123Z"), head.epoch());
        beat(beat);
        until(() -> !listener.beats.isEmpty());
        assertEquals(List.of(beat), listener.beats);
        assertEquals(head, listener.head);
    }

    @Test
    void commitsDuringAPartitionArriveLater() throws Exception {
        until(() -> listener.head != null);
        commit(Map.of("a", "1"));
        catchUp();
        cut();
        for (int i = 0; i < 20; i++) {
            try {
                feed.turn(listener);
            } catch (StoreException expected) {
                assertEquals(Kind.REJECTED, expected.kind(), expected.getMessage());
            }
        }
        mend();
        commit(Map.of("b", "2"));
        commit(Map.of("c", "3"), "a");
        feed.renew();
        catchUp();
        assertEquals(1, listener.beginnings);
    }

    @Test
    void aCompactedRevisionRestartsTheFeed() throws Exception {
        until(() -> listener.head != null);
        commit(Map.of("a", "1"));
        catchUp();
        cut();
        try {
            feed.turn(listener);
        } catch (StoreException expected) {
            assertEquals(Kind.REJECTED, expected.kind(), expected.getMessage());
        }
        mend();
        feed.close();
        feed = follow();
        commit(Map.of("b", "2"), "a");
        commit(Map.of("c", "3"));
        forget();
        catchUp();
        assertEquals(head, listener.lastBegun);
    }

    @Test
    void aFollowerThatFailsStartsOver() throws Exception {
        until(() -> listener.head != null);
        listener.failing = true;
        commit(Map.of("a", "1"));
        StoreException failure = assertThrows(StoreException.class, () -> {
            for (int i = 0; i < PATIENCE; i++) {
                if (feed.turn(listener) == 0) {
                    Thread.sleep(10);
                }
            }
        });
        assertEquals(Kind.UNREADABLE, failure.kind());
        listener.failing = false;
        catchUp();
        assertEquals(2, listener.beginnings);
    }

    @Test
    void aStoppedFeedRestartsWithASnapshot() throws Exception {
        until(() -> listener.head != null);
        feed.rest();
        commit(Map.of("a", "1"));
        catchUp();
        assertEquals(head, listener.lastBegun);
        commit(Map.of("b", "2"));
        catchUp();
        assertEquals(2, listener.beginnings);
    }

    @Test
    void randomCommitsAndDisturbancesLeaveWhatTheStoreHolds() throws Exception {
        Random random = new Random(5);
        for (int i = 0; i < 120; i++) {
            Map<String, String> puts = new TreeMap<>();
            Set<String> deletes = new HashSet<>();
            for (int j = random.nextInt(10); j > 0; j--) {
                String key = "k/" + random.nextInt(40);
                if (random.nextInt(3) == 0) {
                    deletes.add(key);
                } else {
                    puts.put(key, "v" + random.nextInt());
                }
            }
            deletes.removeAll(puts.keySet());
            commit(puts, deletes.toArray(String[]::new));
            switch (random.nextInt(12)) {
                case 0 -> forget();
                case 1 -> feed.renew();
                case 2 -> head = store.claim();
                case 3 -> catchUp();
                case 4 -> feed.turn(listener);
                case 5 -> feed.rest();
                default -> {
                    // It is behind for a while.
                }
            }
        }
        commit(Map.of("last", "1"));
        catchUp();
    }
}
