package io.forewarn.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a file for a command. A regular file is replaced once the new one is complete; a device, a pipe or an open
 * descriptor is written to, never replaced: as root, a rename over /dev/null would break the machine.
 */
final class OutputFile {
    interface Content {
        void to(OutputStream out) throws IOException;
    }

    private enum Kind {
        REGULAR,
        SPECIAL,
        DESCRIPTOR
    }

    private static final int MOST_LINKS = 40;
    private static final Pattern DESCRIPTOR = Pattern.compile("/(?:proc/(self|thread-self|\\d+)|dev)/fd/(\\d+)");
    private static final String OUT = "1";
    private static final int TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private final Path named;
    private final Path target;
    private final Kind kind;

    private OutputFile(Path named, Path target, Kind kind) {
        this.named = named;
        this.target = target;
        this.kind = kind;
    }

    /** @throws CommandRefusedException if the path cannot be written: a directory, a socket, a missing directory */
    static OutputFile of(Path named) {
        try {
            Path target = followed(named.toAbsolutePath());
            if (DESCRIPTOR.matcher(target.toString()).matches()) {
                return new OutputFile(named, target, Kind.DESCRIPTOR);
            }
            Optional<BasicFileAttributes> there = attributes(target);
            if (there.isEmpty() || there.get().isRegularFile()) {
                mustHaveFolder(named, target);
                return new OutputFile(named, target, Kind.REGULAR);
            }
            if (there.get().isDirectory()) {
                throw refused(named, "it is a directory");
            }
            if (((int) Files.getAttribute(target, "unix:mode") & TYPE) == SOCKET) {
                throw refused(named, "it is a socket");
            }
            return new OutputFile(named, target, Kind.SPECIAL);
        } catch (IOException unclear) {
            throw refused(named, why(unclear));
        }
    }

    /** Whether it is the standard output of this process, as /dev/stdout is. */
    boolean isStandardOutput() {
        return own(target).filter(OUT::equals).isPresent();
    }

    /** Whether writing may block until a reader reads: a pipe, a terminal. */
    boolean mayWait() {
        return kind != Kind.REGULAR;
    }

    /** @throws CommandRefusedException if the file cannot be written; other exceptions of {@code content} pass through */
    void write(Content content) {
        try {
            if (kind == Kind.REGULAR) {
                replace(content);
                return;
            }
            try (OutputStream out = new BufferedOutputStream(open())) {
                content.to(out);
            }
        } catch (IOException unwritable) {
            throw refused(named, why(unwritable));
        }
    }

    private OutputStream open() throws IOException {
        if (kind == Kind.SPECIAL) {
            return Files.newOutputStream(target, StandardOpenOption.WRITE);
        }
        // Not reopened: a redirected file would be overwritten from its beginning.
        return switch (own(target).orElse("")) {
            case OUT -> staysOpen(FileDescriptor.out);
            case "2" -> staysOpen(FileDescriptor.err);
            default -> Files.newOutputStream(target, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        };
    }

    private static OutputStream staysOpen(FileDescriptor descriptor) {
        return new FilterOutputStream(new FileOutputStream(descriptor)) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }

            @Override
            public void close() throws IOException {
                flush();
            }
        };
    }

    /** The descriptor number if the path is an open descriptor of this process. */
    private static Optional<String> own(Path path) {
        Matcher descriptor = DESCRIPTOR.matcher(path.toString());
        if (!descriptor.matches()) {
            return Optional.empty();
        }
        String process = descriptor.group(1);
        boolean ours = process == null
                || process.endsWith("self")
                || process.equals(String.valueOf(ProcessHandle.current().pid()));
        return ours ? Optional.of(descriptor.group(2)) : Optional.empty();
    }

    /**
     * Renames only a complete file to the name. The temporary name is random, so that no link can have been placed
     * there.
     */
    private void replace(Content content) throws IOException {
        Path part = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            try (OutputStream out = new BufferedOutputStream(
                    Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                content.to(out);
            }
            keepPermissions(part);
            // Checked again: something else may have been created there meanwhile.
            if (attributes(target).filter(a -> !a.isRegularFile()).isPresent()) {
                throw new FileSystemException(target.toString(), null, "it is no longer a regular file");
            }
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private void keepPermissions(Path part) throws IOException {
        if (!Files.exists(target)) {
            return;
        }
        if (!Files.isWritable(target)) {
            throw new AccessDeniedException(target.toString());
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(target);
        if (!permissions.equals(Files.getPosixFilePermissions(part))) {
            Files.setPosixFilePermissions(part, permissions);
        }
    }

    /** Follows links, but not those of open descriptors, whose targets may have no name. */
    private static Path followed(Path path) throws IOException {
        Path at = path;
        for (int i = 0; i < MOST_LINKS; i++) {
            Path folder = at.getParent();
            if (folder != null && Files.exists(folder) && at.getFileName() != null && !isDescriptor(at)) {
                at = folder.toRealPath().resolve(at.getFileName());
            }
            if (isDescriptor(at) || !Files.isSymbolicLink(at)) {
                return at;
            }
            at = at.resolveSibling(Files.readSymbolicLink(at)).normalize();
        }
        throw new FileSystemLoopException(path.toString());
    }

    private static boolean isDescriptor(Path path) {
        return DESCRIPTOR.matcher(path.toString()).matches();
    }

    private static Optional<BasicFileAttributes> attributes(Path path) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, BasicFileAttributes.class));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        }
    }

    private static void mustHaveFolder(Path named, Path target) {
        Path folder = target.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw refused(named, "there is no directory '" + folder + "'");
        }
    }

    private static CommandRefusedException refused(Path named, String why) {
        return new CommandRefusedException("'" + named + "' cannot be written: " + why);
    }

    private static String why(IOException unwritable) {
        if (unwritable instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (unwritable instanceof FileSystemLoopException) {
            return "its links form a loop";
        }
        return unwritable instanceof FileSystemException told && told.getReason() != null
                ? told.getReason()
                : unwritable.getMessage();
    }
}
