package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutputFileTest {
    private static final byte[] TEXT = "new\n".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    @Test
    void aFileIsReplacedAndKeepsItsPermissions() throws Exception {
        Path file = Files.writeString(folder.resolve("list.csv"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Object before = inode(file);
        write(file);
        assertArrayEquals(TEXT, Files.readAllBytes(file));
        assertFalse(before.equals(inode(file)), "a reader of the old one must not see half of the new one");
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(List.of(file), left());
    }

    @Test
    void aFileThatCannotBeFinishedIsLeftAsItWas() throws Exception {
        Path file = Files.writeString(folder.resolve("list.csv"), "old");
        OutputFile output = OutputFile.of(file);
        assertThrows(
                ServerUnreachableException.class,
                () -> output.write(out -> {
                    out.write(TEXT);
                    throw new ServerUnreachableException("http://127.0.0.1:1", "the response was cut off");
                }));
        assertEquals("old", Files.readString(file));
        assertEquals(List.of(file), left());
    }

    @Test
    void aLinkIsFollowed() throws Exception {
        Path file = Files.writeString(folder.resolve("list.csv"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("list.csv"));
        write(link);
        assertTrue(Files.isSymbolicLink(link));
        assertArrayEquals(TEXT, Files.readAllBytes(file));
    }

    @Test
    void aLinkToNothingMakesWhatItNames() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("later.csv"));
        write(link);
        assertTrue(Files.isSymbolicLink(link));
        assertArrayEquals(TEXT, Files.readAllBytes(folder.resolve("later.csv")));
    }

    @Test
    void aDeviceIsWrittenToAndStays() throws Exception {
        // By a link: should this ever fail, the link is lost and not the device.
        Path link = Files.createSymbolicLink(folder.resolve("nothing"), Path.of("/dev/null"));
        write(link);
        assertTrue(Files.isSymbolicLink(link));
        assertTrue(attributes(Path.of("/dev/null")).isOther());
        assertEquals(List.of(link), left());
    }

    @Test
    void aPipeIsWrittenToAndStays() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        CompletableFuture<byte[]> read = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.readAllBytes(pipe);
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
        });
        write(pipe);
        assertArrayEquals(TEXT, read.get(60, TimeUnit.SECONDS));
        assertTrue(attributes(pipe).isOther());
    }

    @Test
    void standardOutputIsKnownByItsOtherNames() throws Exception {
        for (String name : List.of("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")) {
            assertTrue(OutputFile.of(Path.of(name)).isStandardOutput(), name);
        }
        Path link = Files.createSymbolicLink(folder.resolve("out"), Path.of("/dev/stdout"));
        assertTrue(OutputFile.of(link).isStandardOutput());
        assertFalse(OutputFile.of(Path.of("/dev/stderr")).isStandardOutput());
        assertFalse(OutputFile.of(folder.resolve("1")).isStandardOutput());
    }

    @Test
    void aFolderASocketAndAMissingFolderAreRefused() throws Exception {
        refused(folder, "it is a directory");
        refused(folder.resolve("missing/list.csv"), "there is no directory '");
        Path socket = folder.resolve("s");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            refused(socket, "it is a socket");
        }
        Path circle = Files.createSymbolicLink(folder.resolve("circle"), Path.of("circle"));
        refused(circle, "its links form a loop");
    }

    private static void refused(Path path, String why) {
        CommandRefusedException commandRefusedException =
                assertThrows(CommandRefusedException.class, () -> OutputFile.of(path));
        assertTrue(commandRefusedException.getMessage().contains(why), commandRefusedException.getMessage());
    }

    private static void write(Path path) {
        OutputFile.of(path).write(out -> out.write(TEXT));
    }

    private static Object inode(Path file) throws IOException {
        return attributes(file).fileKey();
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class);
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
