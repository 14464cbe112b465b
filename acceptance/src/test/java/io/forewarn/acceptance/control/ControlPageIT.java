package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.control.Program.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what {@code docs/control.md} prints. */
// Takes more than 20 s: each command of the page starts a process.
final class ControlPageIT {
    private static final Path PAGE = Path.of("../docs/control.md");
    private static final Pattern PATHS = Pattern.compile("(?:\\$URL|\\$Url)(/[\\w/.$?=&-]+)");

    @TempDir
    private Path folder;

    @Test
    void theCurlLinesWorkInTheirOrder() throws Exception {
        work(new Program(folder).with("HOME", folder.toString()));
    }

    @Test
    void theyWorkWhereThereIsARuntimeDirectory() throws Exception {
        Path runtime = Files.createDirectory(folder.resolve("runtime"));
        work(new Program(folder).with("HOME", folder.toString()).with("XDG_RUNTIME_DIR", runtime.toString()));
        assertFalse(Files.exists(folder.resolve(".forewarn")), "the token was left elsewhere");
    }

    private void work(Program program) throws Exception {
        try (ServerProcess serverProcess = new ServerProcess(program, "--clock", "manual", "--profile", "test")) {
            List<String> blocks = blocks("bash");
            assertFalse(blocks.isEmpty());
            String port =
                    serverProcess.control().substring(serverProcess.control().indexOf(':') + 1);
            String script = "set -e\n" + String.join("\n", blocks).replace("8170", port);
            Run run = program.shell(script).ended(0);
            assertTrue(run.out().startsWith("ok\n"), run.out());
            assertTrue(run.out().contains("\"secret\":\"fw_"), run.out());
            assertTrue(run.out().contains("forewarn_commit_seconds_count"), run.out());
        }
    }

    @Test
    void powerShellAsksForTheSame() throws Exception {
        List<String> curl = blocks("bash");
        List<String> powershell = blocks("powershell");
        assertEquals(curl.size(), powershell.size());
        for (int i = 0; i < curl.size(); i++) {
            assertEquals(paths(curl.get(i).replace("$ID", "$Id")), paths(powershell.get(i)));
        }
    }

    private static List<String> paths(String block) {
        List<String> paths = new ArrayList<>();
        Matcher path = PATHS.matcher(block);
        while (path.find()) {
            paths.add(path.group(1));
        }
        return paths;
    }

    private static List<String> blocks(String language) throws Exception {
        List<String> blocks = new ArrayList<>();
        Matcher block = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE));
        while (block.find()) {
            blocks.add(block.group(1));
        }
        return blocks;
    }
}
