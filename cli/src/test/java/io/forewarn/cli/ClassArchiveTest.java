package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassArchiveTest {
    @Test
    void anArchiveThatIsNotUsedIsToldOf(@TempDir Path folder) throws Exception {
        Path archive = folder.resolve("classes.jsa");
        assertTrue(ClassArchive.problem(archive.toString(), "mixed mode, sharing")
                .orElseThrow()
                .contains("is missing"));
        Files.writeString(archive, "x");
        assertTrue(ClassArchive.problem(archive.toString(), "mixed mode")
                .orElseThrow()
                .contains("does not fit"));
        assertEquals(Optional.empty(), ClassArchive.problem(archive.toString(), "mixed mode, sharing"));
        assertEquals(Optional.empty(), ClassArchive.problem(null, "mixed mode"));
    }
}
