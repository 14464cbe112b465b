package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.StoreChoice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup taken from a running server, and a server on what was restored from it. */
final class BackupIT {
    @TempDir
    private Path folder;

    @Test
    void aBackupOfARunningServerBringsItsEventsBack() throws Exception {
        Program program = new Program(folder);
        String id;
        try (ServerProcess server = new ServerProcess(program)) {
            program.with("FOREWARN_URL", server.url());
            id = program.run("vm", "restart", "db-1", "--json").ended(0).out().substring(18, 18 + 36);
            program.run(words("backup", "a.backup", store())).ended(0);
            program.run("vm", "add", "later").ended(0);
            if (!StoreChoice.isEtcd()) {
                String inUse = program.run(words("restore", "a.backup", store()))
                        .ended(1)
                        .err();
                assertTrue(inUse.contains("is in use by"), inUse);
            }
        }
        // Into a store that was never used, as after the loss of a disk; and in place of the newer one.
        List<String> fresh = StoreChoice.isEtcd()
                ? StoreChoice.flags(Path.of(folder + "-fresh"))
                : List.of("--store", "sqlite:" + folder.resolve("fresh"));
        List<List<String>> stores = StoreChoice.isEtcd() ? List.of(fresh) : List.of(fresh, store());
        for (List<String> flags : stores) {
            program.run(words("restore", "a.backup", flags)).ended(0);
            try (ServerProcess server = new ServerProcess(program, flags.toArray(String[]::new))) {
                program.with("FOREWARN_URL", server.url());
                assertTrue(program.run("event", "list").ended(0).out().contains(id));
                program.run("vm", "show", "later").ended(1);
                if (!StoreChoice.isEtcd()) {
                    String verified = program.run("audit", "verify").out();
                    assertTrue(verified.contains("commit"), "the gap is told: " + verified);
                }
            }
        }
        assertEquals(1, program.run(words("backup", "a.backup", store())).code(), "it exists");
    }

    private List<String> store() {
        return StoreChoice.isEtcd()
                ? StoreChoice.flags(folder)
                : List.of("--store", "sqlite:" + folder.resolve("forewarn-data"));
    }

    /** The flags of serve as settings. */
    private static String[] words(String command, String file, List<String> flags) {
        List<String> words = new ArrayList<>(List.of("store", command, file));
        for (int i = 0; i < flags.size(); i += 2) {
            words.add("--set");
            words.add((flags.get(i).equals("--store") ? "store.location=" : "") + flags.get(i + 1));
        }
        return words.toArray(String[]::new);
    }
}
