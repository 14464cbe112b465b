package io.forewarn.acceptance.deploy;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Builds the command line of {@code ./forewarn serve} and waits until the server is ready. All tests that start a server use it. */
public final class ServeLauncher {
    private static final Pattern READY = Pattern.compile("ready metadata=(\\S+) control=(\\S+)\\n");

    private final Path ready;
    private final List<String> words = new ArrayList<>();

    /**
     * Where a ready server listens.
     *
     * @param metadata HOST:PORT for machines
     * @param control HOST:PORT for operators
     */
    public record Addresses(String metadata, String control) {}

    /** @param folder for the file in which the server says that it is ready */
    public ServeLauncher(Path folder) throws IOException {
        ready = folder.resolve("ready");
        Files.deleteIfExists(ready);
        words.addAll(List.of(
                InstalledTools.project().resolve("forewarn").toString(), "serve", "--ready-file", ready.toString()));
    }

    public ServeLauncher with(String... arguments) {
        return with(List.of(arguments));
    }

    public ServeLauncher with(List<String> arguments) {
        words.addAll(arguments);
        return this;
    }

    /** The program and its arguments. Listeners take a free port of the loopback address unless the arguments name one. */
    public List<String> words() {
        List<String> all = new ArrayList<>(words);
        for (String listener : List.of("--metadata", "--control")) {
            if (!all.contains(listener)) {
                all.addAll(List.of(listener, "127.0.0.1:0"));
            }
        }
        return all;
    }

    /** @param log what to say if the server ends instead */
    public Addresses awaitReady(Process process, Supplier<String> log) throws IOException {
        eventually(() -> "the server is not ready: " + log.get(), () -> {
            assertTrue(process.isAlive(), log);
            return Files.exists(ready);
        });
        Matcher line = READY.matcher(Files.readString(ready));
        assertTrue(line.matches(), () -> "not a ready line: " + line);
        return new Addresses(line.group(1), line.group(2));
    }
}
