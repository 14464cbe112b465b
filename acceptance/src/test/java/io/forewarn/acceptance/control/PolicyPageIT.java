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

/** Runs what {@code docs/policies.md} prints, block by block, and looks at what each says. */
final class PolicyPageIT {
    private static final Path PAGE = Path.of("../docs/policies.md");

    @TempDir
    private Path folder;

    @Test
    void everyExampleWorksAsPrinted() throws Exception {
        Program program = new Program(folder).with("HOME", folder.toString());
        try (Serving serving = new Serving(program, "--clock", "manual", "--profile", "test")) {
            program.with("FOREWARN_URL", serving.url());
            String port = serving.metadata().substring(serving.metadata().lastIndexOf(':') + 1);
            // A Monday at noon: the windows of the page are shut.
            program.run("clock", "set", "2040-01-02T12:00:00Z").ended(0);
            List<String> blocks = blocks();
            assertEquals(8, blocks.size());
            List<String> said = new ArrayList<>();
            for (String block : blocks) {
                Run run =
                        program.shell("set -e\n" + block.replace("8169", port)).ended(0);
                said.add(run.out() + run.err());
            }
            tells(said.get(0), "notice=30m", "at least 15m", "refused, as it should be");
            tells(
                    said.get(1),
                    "no maintenance window is open, by the policy of group default/web",
                    "the policy of tenant default",
                    "started-by-approval");
            tells(said.get(2), "\"ready\":[\"FrontEnd_IN_2\"]", "\"status\":\"started\"", "ready");
            tells(said.get(3), "started", "auto-approve=false when-all-down=true");
            tells(said.get(4), "not seen yet by batch_0, by the policy of group default/batch", "started");
            tells(said.get(5), "\"postponable\":\"15m\"", "3h", "refused, as it should be");
            tells(said.get(6), "user-operations=20", "seen-by-all=true");
            tells(said.get(7), "recovered");
        }
    }

    private static void tells(String said, String... parts) {
        for (String part : parts) {
            assertTrue(said.contains(part), () -> "'" + part + "' is not in: " + said);
        }
        assertFalse(said.contains("Exception"), said);
    }

    private static List<String> blocks() throws Exception {
        List<String> blocks = new ArrayList<>();
        Matcher block = Pattern.compile("```bash\\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        while (block.find()) {
            blocks.add(block.group(1));
        }
        return blocks;
    }
}
