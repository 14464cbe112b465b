package io.forewarn.acceptance.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the README's commands as printed, on the default ports, in a network of their own. */
// Takes more than 20 s: it runs what the README prints, with its waits.
final class ReadmeIT {
    private static final Pattern BLOCK = Pattern.compile("^```sh\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @TempDir
    private Path folder;

    @Test
    void everyCommandOfTheReadmeWorksAsPrinted() throws Exception {
        InstalledTools.needNetworkOfItsOwn();
        Files.createSymbolicLink(folder.resolve("forewarn"), ShellCommand.REPOSITORY.resolve("forewarn"));
        Path script = Files.writeString(folder.resolve("readme.sh"), script());

        ShellCommand run = ShellCommand.start(
                folder, "env", "HOME=" + folder, "unshare", "--net", "bash", "-euo", "pipefail", script.toString());

        assertEquals(0, run.end(), () -> outputOf(run));
        List<String> lines = run.printed().lines().toList();
        assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}", lines.get(0));
        assertTrue(lines.get(2).matches("\\{\"DocumentIncarnation\":2.*\"EventStatus\":\"Scheduled\".*"), lines.get(2));
        assertEquals("", lines.get(3));
        assertTrue(lines.get(4).matches("\\{\"DocumentIncarnation\":3.*\"EventStatus\":\"Started\".*"), lines.get(4));
        assertTrue(run.printed().contains("completed"), () -> outputOf(run));
        assertTrue(run.printed().contains("shop"), () -> outputOf(run));
    }

    private static String outputOf(ShellCommand run) {
        try {
            return run.printed() + run.complained();
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    /** A block that serves runs in the background until the next one does; the others run in order. */
    private static String script() throws Exception {
        List<String> lines = new ArrayList<>();
        lines.add("ip link set lo up");
        lines.add("server=");
        lines.add("end() { [ -z \"$server\" ] || { kill $server; wait $server || true; }; }");
        lines.add("trap end EXIT");
        Matcher block = BLOCK.matcher(Files.readString(ShellCommand.REPOSITORY.resolve("README.md")));
        while (block.find()) {
            String text = block.group(1).strip();
            if (text.startsWith("./forewarn serve")) {
                lines.add("end");
                // Else the last one's line may be found before the shell in the background has emptied the file.
                lines.add("rm -f serve.out");
                lines.add(text + " >serve.out 2>serve.err & server=$!");
                lines.add("until grep -qs '^ready' serve.out; do kill -0 $server; sleep 0.1; done");
            } else if (!text.equals("./test")) {
                lines.add(text);
            }
        }
        return String.join("\n", lines) + "\n";
    }
}
