package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.StoreChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contexts, on a laptop: a home in which no server ever ran. */
@Tag(StoreChoice.ONCE)
final class ContextsIT {
    @TempDir
    private Path folder;

    @Test
    void commandsGoToTheContextInUse() throws Exception {
        Program program = new Program(Files.createDirectory(folder.resolve("server")));
        Program laptop = new Program(Files.createDirectory(folder.resolve("laptop")));
        try (ServerProcess server = new ServerProcess(program)) {
            program.with("FOREWARN_URL", server.url());
            String token = program.run("token", "add", "me", "--role", "operator")
                    .ended(0)
                    .out();
            Files.writeString(laptop.folder().resolve("prod.token"), token);
            assertTrue(laptop.run("context", "list").ended(0).out().contains("No contexts"));

            laptop.run("context", "add", "prod", "--url", server.url(), "--token-file", "prod.token")
                    .ended(0);
            assertTrue(laptop.run("vm", "list").ended(0).out().contains("FrontEnd_IN_0"));
            Path file = laptop.folder().resolve(".config/forewarn/contexts.json");
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));

            laptop.run("context", "add", "lab", "--url", "http://127.0.0.1:1").ended(0);
            assertTrue(laptop.run("context", "list").ended(0).out().contains("*     prod"));
            laptop.run("context", "use", "lab").ended(0);
            laptop.run("vm", "list").ended(3);

            // The variable overrides the context with its token: what belongs to one server is not sent to another.
            laptop.run("context", "use", "prod").ended(0);
            laptop.with("FOREWARN_URL", "http://127.0.0.1:1").run("vm", "list").ended(3);
            laptop.with("FOREWARN_URL", server.url());
            String refused = laptop.run("vm", "list").ended(1).err();
            assertTrue(refused.contains("requires a token"), refused);
        }
        Program other = new Program(laptop.folder());
        assertTrue(other.run("context", "use", "prd").ended(2).err().contains("did you mean 'prod'?"));
        other.run("context", "add", "x", "--url", "10.0.0.1:8170").ended(2);
        other.run("context", "add", "x", "--url", "http://10.0.0.1:8170", "--ca", "missing.pem")
                .ended(2);
        other.run("context", "remove", "prod").ended(0);
        String left = other.run("context", "list", "--json").ended(0).out();
        assertEquals("{\"contexts\":{\"lab\":{\"url\":\"http://127.0.0.1:1\"}}}", left.strip());
    }
}
