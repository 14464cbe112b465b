package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalTokenTest {
    /** Where root finds the token of the service that the packages install. */
    private static final Path SERVICE = Path.of("/var/lib/forewarn/.forewarn/run");

    @Test
    void theFileIsNamedAfterTheAddress() {
        assertEquals("127.0.0.1_8170.token", LocalToken.name(new HostPort("127.0.0.1", 8170)));
        assertEquals("127.0.0.1_8170.token", LocalToken.name(new HostPort("localhost", 8170)));
        assertEquals("127.0.0.1_8170.token", LocalToken.name(new HostPort("0.0.0.0", 8170)));
        assertEquals("--1_1.token", LocalToken.name(new HostPort("::1", 1)));
    }

    @Test
    void theRuntimeDirectoryComesBeforeTheHome(@TempDir Path runtime) {
        Path home = Path.of("/home/u/.forewarn/run");
        assertEquals(List.of(home, SERVICE), LocalToken.directories(Map.of(), "/home/u"));
        assertEquals(
                List.of(home, SERVICE),
                LocalToken.directories(Map.of("XDG_RUNTIME_DIR", "/does/not/exist"), "/home/u"));
        assertEquals(
                List.of(runtime.resolve("forewarn"), home, SERVICE),
                LocalToken.directories(Map.of("XDG_RUNTIME_DIR", runtime.toString()), "/home/u"));
    }

    @Test
    void theHomeIsTheShells() {
        assertEquals(
                List.of(Path.of("/other/.forewarn/run"), SERVICE),
                LocalToken.directories(Map.of("HOME", "/other"), "/home/u"));
    }

    @Test
    void conflictingListenersAreDetected() {
        HostPort own = new HostPort("127.0.0.1", 8170);
        for (String same :
                List.of("127.0.0.1:8170", "localhost:8170", "0.0.0.0:8170", "[::]:8170", "[0::0]:8170", "0:8170")) {
            assertEquals(true, HostPort.parse(same).orElseThrow().meets(own), same);
        }
        for (String other : List.of("127.0.0.1:8171", "127.0.0.2:8170", "[::1]:8170")) {
            assertEquals(false, HostPort.parse(other).orElseThrow().meets(own), other);
        }
    }

    @Test
    void addressesAreReadBothWays() {
        assertEquals("[::1]:80", HostPort.parse("[::1]:80").orElseThrow().toString());
        assertEquals(new HostPort("10.0.0.1", 0), HostPort.parse("10.0.0.1:0").orElseThrow());
        for (String wrong : List.of("", "8170", ":8170", "host", "host:", "host:99999", "a:b:1", "http://a:1")) {
            assertEquals(true, HostPort.parse(wrong).isEmpty(), wrong);
        }
    }

    @Test
    void onlyFilesOfAddressesWithoutListenersAreDeleted(@TempDir Path directory) throws IOException {
        Path gone;
        Path strange = Files.writeString(directory.resolve("notes.token"), "x");
        Path elsewhere = Files.writeString(directory.resolve("192.0.2.1_80.token"), "x");
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Path alive = Files.writeString(directory.resolve("127.0.0.1_" + listening.getLocalPort() + ".token"), "x");
            try (ServerSocket ended = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
                gone = Files.writeString(directory.resolve("127.0.0.1_" + ended.getLocalPort() + ".token"), "x");
            }
            LocalToken.sweep(List.of(directory, directory.resolve("missing")));
            assertTrue(Files.exists(alive));
        }
        assertFalse(Files.exists(gone));
        assertTrue(Files.exists(strange) && Files.exists(elsewhere));
    }

    /** In a process of its own, as a server in a container that shares the home directory sweeps. */
    static final class Elsewhere {
        private Elsewhere() {}

        public static void main(String[] directory) throws IOException {
            LocalToken.sweep(List.of(Path.of(directory[0])));
        }

        static void sweeps(Path directory) throws Exception {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            String classes = System.getProperty("java.class.path");
            Process process = new ProcessBuilder(java, "-cp", classes, Elsewhere.class.getName(), directory.toString())
                    .inheritIO()
                    .start();
            assertEquals(0, process.waitFor());
        }
    }

    private static HostPort nowhere() throws IOException {
        try (ServerSocket ended = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return new HostPort("127.0.0.1", ended.getLocalPort());
        }
    }

    @Test
    void twoServersWithOneHomeAndAddressKeepTheirTokensApart(@TempDir Path directory) throws Exception {
        HostPort control = nowhere();
        List<Path> directories = List.of(directory);
        try (Closeable two = twoAtOnce(directory, control)) {
            assertEquals("two", LocalToken.find(directories, control, "2").orElseThrow(), () -> "held by " + two);
            Elsewhere.sweeps(directory);
            assertEquals("two", LocalToken.find(directories, control, "2").orElseThrow());
        }
        assertTrue(LocalToken.find(directories, control, "2").isEmpty());
        // One that was killed is passed over for one that lives.
        Files.writeString(directory.resolve(LocalToken.name(control, "1")), "of one that was killed");
        try (Closeable three = LocalToken.leave(directory, control, "three", "1")) {
            assertEquals("three", LocalToken.find(directories, control, "1").orElseThrow(), () -> "held by " + three);
        }
        Elsewhere.sweeps(directory);
        assertTrue(LocalToken.find(directories, control, "1").isEmpty());
    }

    /** The first ends while the second lives. */
    private static Closeable twoAtOnce(Path directory, HostPort control) throws IOException {
        Closeable second;
        try (Closeable first = LocalToken.leave(directory, control, "one", "1")) {
            second = LocalToken.leave(directory, control, "two", "2");
            assertEquals(
                    "one", LocalToken.find(List.of(directory), control, "1").orElseThrow(), () -> "held by " + first);
            assertEquals(
                    "two", LocalToken.find(List.of(directory), control, "2").orElseThrow());
        }
        return second;
    }

    @Test
    void aTokenIsLeftAloneWhileItsServerLivesThoughItCannotBeReached(@TempDir Path directory) throws Exception {
        HostPort control = nowhere();
        Path file = directory.resolve(LocalToken.name(control));
        try (Closeable left = LocalToken.leave(directory, control, "secret")) {
            // Its own process looks at it too, which must not let go of it.
            assertEquals("secret", LocalToken.find(List.of(directory), control).orElseThrow());
            LocalToken.sweep(List.of(directory));
            Elsewhere.sweeps(directory);
            assertEquals("secret", Files.readString(file).strip(), () -> "held by " + left);
        }
        assertFalse(Files.exists(file));
        assertTrue(LocalToken.find(List.of(directory), control).isEmpty());
        Files.writeString(file, "of one that was killed");
        assertEquals(
                "of one that was killed",
                LocalToken.find(List.of(directory), control).orElseThrow());
        Elsewhere.sweeps(directory);
        assertFalse(Files.exists(file));
    }
}
