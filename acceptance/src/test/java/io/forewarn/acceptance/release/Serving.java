package io.forewarn.acceptance.release;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service that was started from a tarball, and commands of the same program. */
final class Serving implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready metadata=(\\S+) control=(\\S+)\\s*");

    /** What comes before the program on every command line. */
    private final List<String> front;

    private final String program;
    private final Path folder;
    private final Process process;
    private String metadata;
    private String control;

    /** In a root of its own, with a process file system and the devices that a JVM needs. */
    static Serving in(Path root, String program, String store) throws Exception {
        Path folder = root.resolve("data");
        String enter = "for d in null random urandom; do : > $0/dev/$d; mount --bind /dev/$d $0/dev/$d; done;"
                + " mount -t proc proc $0/proc; exec chroot $0 /usr/bin/env -i HOME=/data PATH=/bin:/usr/bin \"$@\"";
        Files.createDirectories(root.resolve("usr/bin"));
        return new Serving(
                List.of("unshare", "--mount", "bash", "-euc", enter, root.toString()), program, folder, "/data", store);
    }

    static Serving on(Path jdk, String program, String store) throws Exception {
        Path folder = Files.createTempDirectory("forewarn-serving-");
        return new Serving(
                List.of("env", "-u", "FOREWARN_JAVA_OPTS", "HOME=" + folder, "JAVA_HOME=" + jdk),
                program,
                folder,
                folder.toString(),
                store);
    }

    /** @param inside the name of the folder for the service itself */
    private Serving(List<String> front, String program, Path folder, String inside, String store) throws Exception {
        this.front = front;
        this.program = program;
        this.folder = folder;
        Path ready = folder.resolve("ready");
        Files.deleteIfExists(ready);
        process = new ProcessBuilder(words(
                        "serve",
                        "--store",
                        store,
                        "--metadata",
                        "127.0.0.1:0",
                        "--control",
                        "127.0.0.1:0",
                        "--ready-file",
                        inside + "/ready"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try {
            eventually(this::log, () -> {
                assertTrue(process.isAlive(), this::log);
                return Files.exists(ready);
            });
            Matcher line = READY.matcher(Files.readString(ready));
            assertTrue(line.matches(), this::log);
            metadata = line.group(1);
            control = line.group(2);
        } catch (IOException | AssertionError e) {
            close();
            throw e;
        }
    }

    private List<String> words(String... more) {
        List<String> words = new ArrayList<>(front);
        words.add(program);
        words.addAll(List.of(more));
        return words;
    }

    /** The document of the first machine. */
    String ask() throws Exception {
        return Output.of(
                        folder,
                        "curl",
                        "-sf",
                        "-H",
                        "Metadata:true",
                        "http://" + metadata + "/metadata/scheduledevents?api-version=2020-07-01")
                .must();
    }

    /** Runs a command that must succeed. */
    String run(String... more) throws Exception {
        List<String> words = new ArrayList<>(words(more));
        if (more.length > 1) {
            words.addAll(List.of("--url", "http://" + control));
        }
        return Output.of(folder, words.toArray(String[]::new)).must();
    }

    String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        process.onExit().join();
    }
}
