package io.forewarn.server.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.server.settings.StoreSettings;
import io.forewarn.store.etcd.EtcdCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCopyTest {
    @TempDir
    private Path folder;

    private static StoreSettings at(String location) {
        return LoadedSettings.load(null, Map.of(), Map.of("store.location", location))
                .settings()
                .store();
    }

    private StoreSettings file(String name) {
        return at("sqlite:" + folder.resolve(name));
    }

    private static Map<String, String> all(StoreSettings settings) throws StoreException {
        Map<String, String> found = new TreeMap<>();
        try (Store store = StoreFactory.open(settings)) {
            store.scan(
                    "",
                    "",
                    Integer.MAX_VALUE,
                    (key, value) -> found.put(key, HexFormat.of().formatHex(value)));
        }
        return found;
    }

    private static Head fill(StoreSettings settings, int commits) throws StoreException {
        Random random = new Random(2);
        try (Store store = StoreFactory.open(settings)) {
            store.claim();
            Head head = store.claim();
            for (int i = 0; i < commits; i++) {
                Map<String, byte[]> puts = new TreeMap<>();
                for (int j = 0; j < 5; j++) {
                    byte[] value = new byte[random.nextInt(20_000)];
                    random.nextBytes(value);
                    puts.put("k/" + random.nextInt(300), value);
                }
                puts.put("log/%019d".formatted(head.seq() + 1), new byte[] {1});
                head = new Head(head.seq() + 1, head.epoch());
                store.commit(Commit.of(head.seq(), head.epoch(), puts, List.of()));
            }
            return head;
        }
    }

    @Test
    void fromAFileToEtcdAndBack() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        Head head = fill(file("one"), 400);
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1)) {
            Map<String, String> records = all(file("one"));
            assertEquals(records.size(), StoreCopy.copy(file("one"), at(etcd.location())));
            assertEquals(records, all(at(etcd.location())));
            assertEquals(records.size(), StoreCopy.copy(at(etcd.location()), file("two")));
            assertEquals(records, all(file("two")));
            try (Store copy = StoreFactory.open(file("two"))) {
                Head stands = copy.claim();
                assertTrue(stands.seq() >= head.seq(), stands::toString);
                assertTrue(stands.epoch() > head.epoch(), stands::toString);
            }
            RefusedException used =
                    assertThrows(RefusedException.class, () -> StoreCopy.copy(file("one"), at(etcd.location())));
            assertTrue(used.getMessage().contains("is not empty"), used.getMessage());
        }
    }

    @Test
    void aCopyThatIsNotPossibleIsExplained() throws Exception {
        assertTrue(assertThrows(RefusedException.class, () -> StoreCopy.copy(file("none"), file("to")))
                .getMessage()
                .contains("there is no store at " + folder.resolve("none")));
        Files.createDirectory(folder.resolve("empty"));
        assertTrue(assertThrows(RefusedException.class, () -> StoreCopy.copy(file("empty"), file("to")))
                .getMessage()
                .contains("nothing to copy"));
        assertFalse(Files.exists(folder.resolve("none")));
        assertFalse(Files.exists(folder.resolve("to")));
        fill(file("one"), 1);
        assertTrue(assertThrows(RefusedException.class, () -> StoreCopy.copy(file("one"), file("one")))
                .getMessage()
                .contains("into itself"));
        try (Store served = StoreFactory.open(file("one"))) {
            RefusedException inUse =
                    assertThrows(RefusedException.class, () -> StoreCopy.copy(file("one"), file("to")));
            assertTrue(inUse.getMessage().contains("in use"), inUse.getMessage());
            assertEquals(1, served.recover().seq());
        }
    }

    @Test
    void aFileThatIsMissingIsNotWaitedFor() {
        StoreSettings settings = LoadedSettings.load(
                        null,
                        Map.of(),
                        Map.of(
                                "store.location",
                                "etcd:https://127.0.0.1:1",
                                "store.etcd.ca",
                                folder.resolve("ca.pem").toString()))
                .settings()
                .store();
        RefusedException missing = assertThrows(RefusedException.class, () -> StoreFactory.open(settings));
        assertTrue(missing.getMessage().contains("store.etcd.ca names does not exist"), missing.getMessage());
    }

    @Test
    void anIncompleteCopyIsNotUsed() throws Exception {
        try (Store store = StoreFactory.open(file("half"))) {
            Head head = store.claim();
            store.commit(Commit.of(1, head.epoch(), Map.of(StoreCopy.MARK, new byte[1]), List.of()));
        }
        StoreException half = assertThrows(
                StoreException.class, () -> StoreFactory.open(file("half")).close());
        assertEquals(Kind.UNREADABLE, half.kind());
        assertTrue(half.getMessage().contains("half a copy"), half.getMessage());
    }
}
