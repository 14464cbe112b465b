package io.forewarn.acceptance.driver;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * A libvirt daemon of our own with its built-in test driver. The driver forgets its domains with the last connection, so
 * one is kept open. Under root it runs as nobody: as root it would meet the daemon of the system.
 */
final class Libvirt implements AutoCloseable {
    private final Path folder;
    private final List<Process> processes = new ArrayList<>();

    Libvirt() throws Exception {
        folder = Files.createTempDirectory("forewarn-libvirt-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        try {
            Path config = Files.writeString(folder.resolve("conf"), "unix_sock_dir = \"" + folder + "\"\n");
            List<String> daemon = new ArrayList<>();
            if (root()) {
                daemon.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
            }
            daemon.addAll(List.of("libvirtd", "--config", config.toString(), "--pid-file", folder + "/pid"));
            ProcessBuilder builder = new ProcessBuilder(daemon)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile());
            builder.environment().putAll(Map.of("HOME", folder.toString(), "XDG_RUNTIME_DIR", folder.toString()));
            processes.add(builder.start());
            await("libvirtd answers", this::connects);
            stayConnected();
        } catch (Exception | AssertionError e) {
            close();
            throw e;
        }
    }

    private void stayConnected() throws Exception {
        Process virsh = new ProcessBuilder("virsh", "--quiet", "--connect", uri())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        processes.add(virsh);
        // What it defined is seen by others only while its connection stands.
        virsh.outputWriter(StandardCharsets.US_ASCII)
                .append("define " + describe("first") + "\n")
                .flush();
        await("virsh is connected", () -> names().contains("first"));
    }

    static boolean root() {
        return "root".equals(System.getProperty("user.name"));
    }

    String uri() {
        return "test+unix:///default?socket=" + folder + "/libvirt-sock";
    }

    /** Makes a domain and switches it on. */
    void define(String name) throws Exception {
        virsh("define", describe(name).toString());
        virsh("start", name);
    }

    private Path describe(String name) throws IOException {
        return Files.writeString(
                folder.resolve(name + ".xml"),
                "<domain type='test'><name>" + name
                        + "</name><memory>65536</memory><os><type>hvm</type></os></domain>");
    }

    String virsh(String... arguments) throws Exception {
        List<String> argv = new ArrayList<>(List.of("virsh", "--quiet", "--connect", uri()));
        argv.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, process.waitFor(), () -> String.join(" ", argv) + ": " + said);
        return said;
    }

    String state(String name) throws Exception {
        return virsh("domstate", name);
    }

    /** Goes up each time a domain is switched on. */
    String number(String name) throws Exception {
        return virsh("domid", name);
    }

    List<String> names() throws Exception {
        return virsh("list", "--all", "--name").lines().map(String::strip).toList();
    }

    @Override
    public void close() throws IOException {
        for (int i = processes.size() - 1; i >= 0; i--) {
            Process process = processes.get(i);
            process.destroy();
            process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
            process.destroyForcibly().onExit().join();
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void await(String what, Callable<Boolean> hope) {
        eventually(() -> "waited in vain until " + what + ": " + log(), () -> {
            assertTrue(processes.stream().allMatch(Process::isAlive), this::log);
            return hope.call();
        });
    }

    private boolean connects() throws Exception {
        Process process = new ProcessBuilder("virsh", "--quiet", "--connect", uri(), "uri")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor() == 0;
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return "(no log)";
        }
    }
}
