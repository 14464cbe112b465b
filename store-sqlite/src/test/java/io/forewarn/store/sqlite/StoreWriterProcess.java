package io.forewarn.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A process that writes to a store and tells what it was told, one line and one system call each, so that others may watch. */
final class StoreWriterProcess {
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);
    private static final int PATIENCE = 50;

    private final Path folder;
    private Store store;
    private long seq;
    private long epoch;

    private StoreWriterProcess(Path folder) {
        this.folder = folder;
    }

    /** {@code SCENARIO FOLDER [COUNT]}. */
    public static void main(String[] args) throws Exception {
        StoreWriterProcess storeWriterProcess = new StoreWriterProcess(Path.of(args[1]));
        switch (args[0]) {
            case "commit" -> storeWriterProcess.commitMany(Integer.parseInt(args[2]));
            case "hold" -> storeWriterProcess.hold();
            case "full-disk" -> storeWriterProcess.fullDisk();
            case "read-only-disk" -> storeWriterProcess.readOnlyDisk();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    static String key(long seq) {
        return String.format("ack/%09d", seq);
    }

    private void open() throws StoreException {
        store = SqliteStore.open(folder);
        Store.Head head = store.claim();
        seq = head.seq();
        epoch = head.epoch();
    }

    private static void say(String line) throws IOException {
        OUT.write((line + "\n").getBytes(UTF_8));
    }

    private void commit(byte[] value) throws StoreException, IOException {
        store.commit(Commit.of(seq + 1, epoch, Map.of(key(seq + 1), value), List.of()));
        seq++;
        say("ack " + seq);
    }

    private void commitMany(int count) throws StoreException, IOException {
        open();
        for (int i = 0; i < count; i++) {
            try {
                commit(new byte[200]);
            } catch (StoreException e) {
                say(e.kind() + " " + e.getMessage());
                seq = recovered(seq);
            }
        }
        store.close();
        say("over");
    }

    private long recovered(long acknowledged) throws IOException {
        for (int i = 0; i < PATIENCE; i++) {
            try {
                long found = store.recover().seq();
                if (found != acknowledged && found != acknowledged + 1) {
                    throw new AssertionError("acknowledged " + acknowledged + ", found " + found);
                }
                say("recovered " + found);
                return found;
            } catch (StoreException e) {
                say("not recovered: " + e.kind() + " " + e.getMessage());
            }
        }
        throw new AssertionError("not recovered");
    }

    private void hold() throws StoreException, IOException {
        open();
        say("holding");
        System.in.read();
        store.close();
    }

    private void fullDisk() throws StoreException, IOException {
        open();
        for (int i = 0; i < 5; i++) {
            commit(new byte[10_000]);
        }
        Path filler = folder.resolve("filler");
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException full) {
            say("disk full");
        }
        int rejected = 0;
        for (int i = 0; rejected < 3; i++) {
            try {
                commit(new byte[10_000 + i * 1000]);
            } catch (StoreException e) {
                say(e.kind() + " " + e.getMessage());
                if (e.kind() != Kind.REJECTED) {
                    seq = recovered(seq);
                }
                rejected++;
            }
        }
        say("readable " + count());
        Files.delete(filler);
        commit(new byte[10_000]);
        store.close();
        open();
        say("readable " + count());
        store.close();
        say("over");
    }

    private void readOnlyDisk() throws Exception {
        open();
        commit(new byte[100]);
        store.close();
        remount("ro");
        try {
            open();
        } catch (StoreException e) {
            say(e.kind() + " " + e.getMessage());
        }
        remount("rw");
        open();
        say("readable " + count());
        commit(new byte[100]);
        store.close();
        say("over");
    }

    private void remount(String mode) throws Exception {
        Process mount = new ProcessBuilder("mount", "-o", "remount," + mode, folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(mount.getInputStream().readAllBytes(), UTF_8);
        if (mount.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
    }

    private long count() throws StoreException {
        TreeSet<String> keys = new TreeSet<>();
        store.scan("ack/", "", Integer.MAX_VALUE, (key, value) -> keys.add(key));
        if (keys.size() != seq) {
            throw new AssertionError(seq + " acknowledged, " + keys.size() + " found");
        }
        return keys.size();
    }
}
