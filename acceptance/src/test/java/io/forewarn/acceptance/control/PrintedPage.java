package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of the docs whose blocks of commands run as printed, beside a service under the manual clock. */
record PrintedPage(Path page) {
    private static final Pattern SHOWN =
            Pattern.compile("```bash\\n(.*?)```\\n(?:```text\\n(.*?)```\\n)?", Pattern.DOTALL);
    private static final String CUT = "@@@@";
    private static final boolean UPDATES = Boolean.getBoolean("docs.update");

    /** What each block outputs, in order. */
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

    /**
     * What each block outputs, in order, when all are typed into one shell.
     *
     * @param changed what is to be run instead, such as with other ports
     */
    List<String> runInOneShell(Program program, ServerProcess serverProcess, UnaryOperator<String> changed)
            throws Exception {
        String metadata = serverProcess.metadata().replaceAll(".*:", "");
        StringBuilder script = new StringBuilder("set -e\n");
        blocks().forEach(block ->
                script.append(block).append("echo ").append(CUT).append('\n'));
        // Both outputs are one to a reader of a terminal.
        Program.Run run = program.shell("exec 2>&1\n"
                        + changed.apply(script.toString()
                                .replace("8169", metadata)
                                .replace("127.0.0.1:8170", serverProcess.control())))
                .ended(0);
        List<String> outputs = new ArrayList<>(List.of(run.out().split(CUT + "\n", -1)));
        outputs.remove(outputs.size() - 1);
        return outputs;
    }

    /**
     * Checks that the page shows what was printed, where it shows anything, but for ids. With {@code -Ddocs.update=true} the
     * page is given what was printed.
     */
    void shows(List<String> outputs, int expected) throws IOException {
        StringBuilder now = new StringBuilder();
        Matcher block = SHOWN.matcher(Files.readString(page));
        int shown = 0;
        for (int i = 0; block.find(); i++) {
            if (block.group(2) != null) {
                shown++;
                // CSV ends its lines as RFC 4180 has it; the page does not.
                String printed = outputs.get(i).replace("\r", "");
                block.appendReplacement(
                        now,
                        Matcher.quoteReplacement("```bash\n" + block.group(1) + "```\n```text\n" + printed + "```\n"));
                if (!UPDATES) {
                    assertEquals(anonymous(block.group(2)), anonymous(printed));
                }
            }
        }
        assertEquals(expected, shown);
        if (UPDATES) {
            Files.writeString(page, block.appendTail(now));
        }
    }

    private static String anonymous(String text) {
        return text.replaceAll("[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", "ID");
    }

    static void assertContains(String outputs, String... parts) {
        for (String part : parts) {
            assertTrue(outputs.contains(part), () -> "'" + part + "' is not in: " + outputs);
        }
        assertFalse(outputs.contains("Exception"), outputs);
    }
}
