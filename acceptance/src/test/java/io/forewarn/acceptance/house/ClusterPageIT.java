package io.forewarn.acceptance.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/cluster.md}: three members of etcd and three nodes as printed, in a network of their own; and the units
 * beside it.
 */
// Takes more than 20 s: it runs three members of etcd and three nodes, and kills some of them, as printed.
final class ClusterPageIT {
    private static final Pattern BLOCK = Pattern.compile("^```bash\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @TempDir
    private Path folder;

    @Test
    void theWalkThroughWorksAsPrinted() throws Exception {
        InstalledTools.need("etcd", "etcdctl", "curl", "unshare", "ip");
        InstalledTools.needNetworkOfItsOwn();
        Files.createSymbolicLink(folder.resolve("forewarn"), ShellCommand.REPOSITORY.resolve("forewarn"));
        Path script = Files.writeString(folder.resolve("cluster.sh"), script());

        ShellCommand run = apart("-euo", "pipefail", script.toString());

        assertEquals(0, run.end(), () -> outputOf(run));
        List<String> parts = List.of(run.printed().split("--- next ---\n"));
        tells(
                parts.get(1),
                "127.0.0.1:8171",
                "127.0.0.1:8172",
                "127.0.0.1:8173",
                "(writer)",
                "heard from writer|this one",
                "etcd a +http://127.0.0.1:12379",
                "etcd [abc] .*, leader");
        tells(
                parts.get(2),
                "\"DocumentIncarnation\":1,",
                "or as soon as it is approved",
                "\"Scheduled\"",
                "\"Started\"");
        tells(
                parts.get(3),
                "(writer)",
                "etcd a +not responding",
                "etcd [bc] .*, leader",
                "\"EventStatus\":\"Started\"|\"Events\":\\[\\]",
                "freeze of BackEnd_IN_0");
        tells(parts.get(4), "forewarn/head", "layout=1 writer=", "forewarn/time", "forewarn/record/fleet/default/");
        String first = parts.get(1)
                .lines()
                .filter(l -> l.startsWith("writer "))
                .findFirst()
                .orElseThrow();
        String second = parts.get(3)
                .lines()
                .filter(l -> l.startsWith("writer "))
                .findFirst()
                .orElseThrow();
        assertFalse(first.equals(second), first);
    }

    /** In a network of its own, where no port is taken. */
    private ShellCommand apart(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "HOME=" + folder,
                "FOREWARN_JAVA_OPTS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m",
                "unshare",
                "--net",
                "bash"));
        command.addAll(List.of(arguments));
        return ShellCommand.start(folder, command.toArray(String[]::new));
    }

    @Test
    void theExamplesMakeAClusterThatSpeaksTls() throws Exception {
        InstalledTools.need("etcd", "openssl", "unshare", "ip");
        InstalledTools.needNetworkOfItsOwn();
        String script =
                Path.of(ClusterPageIT.class.getResource("earnest.sh").toURI()).toString();

        ShellCommand run = apart(
                script,
                ShellCommand.REPOSITORY.resolve("examples/cluster").toString(),
                ShellCommand.REPOSITORY.resolve("forewarn").toString());

        assertEquals(0, run.end(), () -> outputOf(run));
        tells(
                run.printed(),
                "nodes .*127.0.0.11:8170.*127.0.0.12:8170.*127.0.0.13:8170",
                "etcd c +https://127.0.0.13:2379",
                "No problems found.");
    }

    private static void tells(String said, String... patterns) {
        for (String pattern : patterns) {
            boolean found = said.contains(pattern)
                    || Pattern.compile(pattern).matcher(said).find();
            assertTrue(found, () -> "'" + pattern + "' is not in: " + said);
        }
    }

    private static String script() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("ip link set lo up");
        lines.add("trap 'kill -9 $(cat cluster/*.pid) 2>/dev/null || true' EXIT");
        Matcher block = BLOCK.matcher(Files.readString(ShellCommand.REPOSITORY.resolve("docs/cluster.md")));
        while (block.find()) {
            lines.add(block.group(1).strip());
            lines.add("echo '--- next ---'");
        }
        return String.join("\n", lines) + "\n";
    }

    private String outputOf(ShellCommand run) {
        StringBuilder outputOf = new StringBuilder();
        try (Stream<Path> logs = Files.find(folder, 2, (file, kind) -> isLog(file))) {
            outputOf.append(run.printed()).append(run.complained());
            for (Path log : logs.toList()) {
                outputOf.append(log.getFileName()).append(":\n").append(Files.readString(log));
            }
        } catch (IOException unreadable) {
            outputOf.append(unreadable);
        }
        return outputOf.toString();
    }

    private static boolean isLog(Path file) {
        String name = file.getFileName().toString();
        return name.equals("log") || name.startsWith("node-") && name.endsWith(".log");
    }

    @Test
    void systemdTakesTheUnits() throws Exception {
        InstalledTools.need("systemd-analyze");
        for (String unit : List.of("packaging/forewarn.service", "examples/cluster/etcd.service")) {
            String text = Files.readString(ShellCommand.REPOSITORY.resolve(unit))
                    .replace(
                            "/usr/bin/forewarn",
                            ShellCommand.REPOSITORY.resolve("forewarn").toString())
                    .replace("/usr/bin/etcd", "/bin/true");
            Path copy = Files.writeString(folder.resolve(Path.of(unit).getFileName()), text);
            ShellCommand run = ShellCommand.start(folder, "systemd-analyze", "verify", "--man=no", copy.toString());
            assertEquals(0, run.end(), () -> outputOf(run));
            assertEquals("", complaints(run, copy.getFileName().toString()));
        }
    }

    private static String complaints(ShellCommand run, String unit) throws IOException {
        return String.join(
                "\n", run.complained().lines().filter(l -> l.contains(unit)).toList());
    }
}
