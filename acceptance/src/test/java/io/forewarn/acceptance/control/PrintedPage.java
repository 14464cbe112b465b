package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of the docs whose blocks of commands run as printed, beside a service under the manual clock. */
record PrintedPage(Path page) {
    /** What each block said, in order. */
    List<String> run(Program program, ServerProcess serverProcess, int expected) throws Exception {
        program.with("FOREWARN_URL", serverProcess.url());
        String port =
                serverProcess.metadata().substring(serverProcess.metadata().lastIndexOf(':') + 1);
        // A Monday at noon: the windows of the pages are shut.
        program.run("clock", "set", "2040-01-02T12:00:00Z").ended(0);
        List<String> blocks = blocks();
        assertEquals(expected, blocks.size());
        List<String> outputs = new ArrayList<>();
        for (String block : blocks) {
            Program.Run run =
                    program.shell("set -e\n" + block.replace("8169", port)).ended(0);
            outputs.add(run.out() + run.err());
        }
        return outputs;
    }

    private List<String> blocks() throws Exception {
        List<String> blocks = new ArrayList<>();
        Matcher block = Pattern.compile("```bash\\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(page));
        while (block.find()) {
            blocks.add(block.group(1));
        }
        return blocks;
    }

    static void assertContains(String outputs, String... parts) {
        for (String part : parts) {
            assertTrue(outputs.contains(part), () -> "'" + part + "' is not in: " + outputs);
        }
        assertFalse(outputs.contains("Exception"), outputs);
    }
}
