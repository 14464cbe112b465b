package io.forewarn.acceptance.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.control.Program.Run;
import io.forewarn.acceptance.deploy.StoreChoice;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody changes one letter of the audit log in the store's file, and makes the row's checksum right again. */
@Tag(StoreChoice.ONCE)
final class AuditIsTamperedIT {
    private static final String SECOND = "audit/0000000000000000002";

    @TempDir
    private Path folder;

    @Test
    void verifyEndsWithOneAndThePlace() throws Exception {
        Program program = new Program(folder);
        Path data = folder.resolve("data");
        try (ServerProcess serverProcess = new ServerProcess(program, "--store", "sqlite:" + data)) {
            program.with("FOREWARN_URL", serverProcess.url());
            program.run("vm", "restart", "db-1").ended(0);
            program.run("vm", "restart", "FrontEnd_IN_0").ended(0);
            Run whole = program.run("audit", "verify").ended(0);
            assertTrue(whole.out().matches("(?s).*intact +yes.*"), whole.out());
        }
        tamper(data.resolve("forewarn.db"));
        try (ServerProcess serverProcess = new ServerProcess(program, "--store", "sqlite:" + data)) {
            program.with("FOREWARN_URL", serverProcess.url());
            Run found = program.run("audit", "verify").ended(1);
            assertTrue(found.out().contains("no, from " + SECOND + " on"), found.out());
            assertTrue(found.out().contains("page 2 was changed"), found.out());
            Run json = program.run("audit", "verify", "--json").ended(1);
            assertTrue(json.out().contains("\"changedRecord\":\"" + SECOND + "\""), json.out());
        }
    }

    private static void tamper(Path file) throws Exception {
        try (Connection store = DriverManager.getConnection("jdbc:sqlite:" + file);
                PreparedStatement read = store.prepareStatement("SELECT value FROM record WHERE key = ?");
                PreparedStatement write =
                        store.prepareStatement("UPDATE record SET value = ?, crc = ? WHERE key = ?")) {
            read.setString(1, SECOND);
            String page;
            try (ResultSet row = read.executeQuery()) {
                assertTrue(row.next());
                page = new String(row.getBytes(1), UTF_8);
            }
            byte[] changed = page.replace("default/db-1", "default/db-2").getBytes(UTF_8);
            CRC32C crc = new CRC32C();
            crc.update(SECOND.getBytes(UTF_8));
            crc.update(0);
            crc.update(changed);
            write.setBytes(1, changed);
            write.setLong(2, crc.getValue());
            write.setString(3, SECOND);
            assertEquals(1, write.executeUpdate());
        }
    }
}
