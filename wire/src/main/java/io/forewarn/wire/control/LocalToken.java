package io.forewarn.wire.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a server leaves the token for its own user, and where the command line looks for it: a file only that user can
 * read, named after the address the server listens on.
 */
public final class LocalToken {
    private LocalToken() {}

    /** The directories, the one to write to first. */
    static List<Path> directories(Map<String, String> environment, String home) {
        List<Path> directories = new ArrayList<>();
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (!runtime.isEmpty() && Files.isWritable(Path.of(runtime))) {
            directories.add(Path.of(runtime, "forewarn"));
        }
        // As shells do, so that ~ in a pasted line is the same place.
        String shell = environment.getOrDefault("HOME", "");
        directories.add(Path.of(shell.isEmpty() ? home : shell, ".forewarn", "run"));
        return directories;
    }

    /** Writes it whole or not at all, mode 0600. */
    public static Path write(HostPort control, String secret) throws IOException {
        Path directory =
                directories(System.getenv(), System.getProperty("user.home")).get(0);
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path temporary = Files.createTempFile(
                directory,
                name(control),
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(temporary, secret + "\n");
        return Files.move(temporary, directory.resolve(name(control)), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The token left by the server at this address, the newest if there are two. */
    public static Optional<String> find(HostPort control) throws IOException {
        List<Path> found = directories(System.getenv(), System.getProperty("user.home")).stream()
                .map(d -> d.resolve(name(control)))
                .filter(Files::isReadable)
                .sorted(Comparator.comparing(LocalToken::written).reversed())
                .toList();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(Files.readString(found.get(0)).strip());
    }

    /** Takes the file away at the end, unless another server has put its own there. */
    public static void remove(Path file, String secret) throws IOException {
        if (Files.isReadable(file) && Files.readString(file).strip().equals(secret)) {
            Files.deleteIfExists(file);
        }
    }

    private static FileTime written(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }

    static String name(HostPort control) {
        boolean here = control.wildcard() || control.host().equals("localhost");
        String host = here ? "127.0.0.1" : control.host().replace(':', '-');
        return host + "_" + control.port() + ".token";
    }
}
