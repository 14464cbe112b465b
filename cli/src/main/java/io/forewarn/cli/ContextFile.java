package io.forewarn.cli;

import io.forewarn.wire.control.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Stores the servers that a user works with, and which of them commands use, in a file that only that user can read. */
final class ContextFile {
    private static final String NAME = "contexts.json";

    /**
     * How to reach a server.
     *
     * @param ca PEM file with its certificate authority; null for Java's trust store
     * @param tokenFile file with a token for it; null for the token of a server on this machine
     */
    record Context(String url, String ca, String tokenFile) {
        /** Reads the file at each use, so that a renewed token works at once. */
        String token() {
            if (tokenFile == null) {
                return null;
            }
            try {
                String token = Files.readString(Path.of(tokenFile)).strip();
                if (token.isEmpty()) {
                    throw new CommandRefusedException("the token file " + tokenFile + " is empty");
                }
                return token;
            } catch (NoSuchFileException missing) {
                throw new CommandRefusedException("the token file " + tokenFile + " does not exist");
            } catch (IOException unreadable) {
                throw new CommandRefusedException(
                        "the token file " + tokenFile + " cannot be read: " + unreadable.getMessage());
            }
        }
    }

    /**
     * The contents of the file.
     *
     * @param current the name of the context that commands use; null for none
     */
    record Contexts(String current, Map<String, Context> contexts) {
        Contexts {
            contexts = contexts == null ? new TreeMap<>() : new TreeMap<>(contexts);
        }
    }

    private final Path path;

    private ContextFile(Path path) {
        this.path = path;
    }

    /** The file of the user with this environment. */
    static ContextFile of(Map<String, String> environment) {
        String configured = environment.getOrDefault("XDG_CONFIG_HOME", "");
        String home = environment.getOrDefault("HOME", "");
        Path folder = configured.isEmpty()
                ? Path.of(home.isEmpty() ? System.getProperty("user.home") : home, ".config")
                : Path.of(configured);
        return new ContextFile(folder.resolve("forewarn").resolve(NAME));
    }

    Contexts read() {
        try {
            return Files.exists(path)
                    ? Json.answer(Contexts.class, Files.readAllBytes(path))
                    : new Contexts(null, Map.of());
        } catch (IOException unreadable) {
            throw new CommandRefusedException("the contexts in " + path + " cannot be read: "
                    + unreadable.getMessage().lines().findFirst().orElse("") + ". Repair the file, or remove it");
        }
    }

    /** The context that commands use, if one was chosen. */
    Optional<Context> current() {
        Contexts all = read();
        return Optional.ofNullable(all.current()).map(all.contexts()::get);
    }

    void write(Contexts contexts) {
        try {
            Files.createDirectories(path.getParent());
            Path part = Files.createTempFile(
                    path.getParent(),
                    NAME,
                    ".part",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(part, Json.write(contexts));
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException unwritable) {
            throw new CommandRefusedException("'" + path + "' cannot be written: " + unwritable.getMessage());
        }
    }
}
