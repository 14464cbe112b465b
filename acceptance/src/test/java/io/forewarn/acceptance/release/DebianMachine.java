package io.forewarn.acceptance.release;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A Debian system with systemd as its first process, in namespaces that end with one process. What it writes is kept in
 * a folder, so that it can be booted again.
 */
final class DebianMachine implements AutoCloseable {
    private static final String PACKAGES = "systemd-sysv,dbus,curl,iproute2,adduser,init-system-helpers";
    private static final Path CACHE = Path.of(System.getProperty("user.home"), ".cache", "forewarn-test");

    private final Path folder;
    private final NetworkNamespace network;
    private Process namespaces;
    private String init;

    private DebianMachine(Path folder, NetworkNamespace network) {
        this.folder = folder;
        this.network = network;
    }

    /** Skips the test, with the reason, where such a machine cannot run. */
    static void needMachines() {
        InstalledTools.needNetworkOfItsOwn();
        InstalledTools.need("mmdebstrap", "nsenter", "pivot_root");
        assumeTrue(Files.isDirectory(Path.of("/sys/fs/cgroup")), "there are no control groups here");
    }

    /** @param network to share with others; null for one of its own */
    static DebianMachine boot(Path folder, NetworkNamespace network) throws Exception {
        Files.createDirectories(folder.resolve("packages"));
        DebianMachine machine = new DebianMachine(folder, network);
        try {
            machine.boot();
        } catch (Exception | AssertionError e) {
            machine.close();
            throw e;
        }
        return machine;
    }

    /** Of this folder {@code /packages} shows the contents. */
    Path packages() {
        return folder.resolve("packages");
    }

    private void boot() throws Exception {
        Path script = folder.resolve("machine.sh");
        try (var in = DebianMachine.class.getResourceAsStream("machine.sh")) {
            Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.writeString(folder.resolve("console"), "");
        List<String> words = new ArrayList<>(network == null ? List.of() : network.inside());
        words.addAll(List.of("unshare", "--mount", "--fork", "--kill-child", "bash", script.toString()));
        words.addAll(List.of(root().toString(), folder.toString(), network == null ? "own" : "shared"));
        namespaces = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("boot.log").toFile())
                .start();
        eventually(() -> "no systemd: " + log(), () -> {
            assertTrue(namespaces.isAlive(), this::log);
            Optional<ProcessHandle> first = namespaces
                    .descendants()
                    .filter(p -> p.info().command().orElse("").endsWith("/systemd"))
                    .findFirst();
            first.ifPresent(p -> init = String.valueOf(p.pid()));
            return first.isPresent()
                    && run("systemctl is-system-running").text().matches("(?s)(running|degraded).*");
        });
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("boot.log")) + Files.readString(folder.resolve("console"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Runs commands as root in the machine. */
    Output run(String script) throws Exception {
        return Output.of(
                folder,
                "nsenter",
                "-t",
                init,
                "-a",
                "env",
                "-i",
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                "HOME=/root",
                "DEBIAN_FRONTEND=noninteractive",
                "bash",
                "-euc",
                script);
    }

    /** Runs commands that must succeed and returns what they printed. */
    String must(String script) throws Exception {
        Output output = run(script);
        assertEquals(0, output.exit(), () -> script + "\n" + output.text());
        return output.text();
    }

    /** Shuts the system down and boots it again. */
    void reboot() throws Exception {
        run("systemctl poweroff --no-block");
        namespaces.waitFor();
        boot();
    }

    @Override
    public void close() throws IOException {
        if (namespaces != null) {
            namespaces.descendants().forEach(ProcessHandle::destroyForcibly);
            namespaces.destroyForcibly().onExit().join();
        }
    }

    /** A minimal Debian, made once for all runs of the tests: what it has comes from Debian's mirror. */
    private static Path root() throws IOException, InterruptedException {
        Path root = CACHE.resolve("debian-bookworm");
        Files.createDirectories(CACHE);
        try (FileChannel lock =
                        FileChannel.open(CACHE.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = lock.lock()) {
            assertTrue(held.isValid());
            if (!Files.exists(root)) {
                Path part = CACHE.resolve("debian-bookworm.part");
                Output.of(CACHE, "rm", "-rf", part.toString());
                Output made = Output.of(
                        CACHE,
                        "mmdebstrap",
                        "--mode=root",
                        "--format=directory",
                        "--variant=minbase",
                        "--include=" + PACKAGES,
                        "bookworm",
                        part.toString());
                assumeTrue(made.exit() == 0, () -> "no Debian could be made: " + made.text());
                Files.move(part, root);
            }
        }
        return root;
    }
}
