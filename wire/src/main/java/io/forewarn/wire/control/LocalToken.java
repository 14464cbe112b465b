package io.forewarn.wire.control;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Stores the server's own token for the command line of the same user: in a file that only that user can
 * read, named after the server's listen address. If two running servers listen on the same address in different network
 * namespaces and share a home directory, the second adds its namespace to the file name.
 */
public final class LocalToken {
    // Addresses only: a name would have to be resolved.
    private static final Pattern NAME =
            Pattern.compile("(\\d+(?:\\.\\d+){3}|[0-9a-f]*-[0-9a-f.-]*)_(\\d{1,5})(?:\\.\\d+)?\\.token");
    private static final int PATIENCE_MILLIS = 200;

    /**
     * The files that this process holds locked, and their contents. Locks belong to the process: closing a second reader
     * of such a file would release its lock.
     */
    private static final Map<Path, String> OWN = new ConcurrentHashMap<>();

    private LocalToken() {}

    /** The directories to search; the first is the one to write to. */
    static List<Path> directories(Map<String, String> environment, String home) {
        List<Path> directories = new ArrayList<>();
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (!runtime.isEmpty() && Files.isWritable(Path.of(runtime))) {
            directories.add(Path.of(runtime, "forewarn"));
        }
        // As in shells, so that ~ in a pasted line is the same directory.
        String shell = environment.getOrDefault("HOME", "");
        directories.add(Path.of(shell.isEmpty() ? home : shell, ".forewarn", "run"));
        // The service that the Debian packages install: closed to all but its own user and root.
        directories.add(Path.of("/var/lib/forewarn/.forewarn/run"));
        return directories;
    }

    /**
     * Writes the file atomically with mode 0600, and keeps it locked until it is closed and deleted. A lock
     * shows that the server is running, even to processes that cannot reach it: it may listen in another network
     * namespace, such as a container's, and share the home directory.
     */
    public static Closeable leave(HostPort control, String secret) throws IOException {
        return leave(
                directories(System.getenv(), System.getProperty("user.home")).get(0), control, secret);
    }

    static Closeable leave(Path directory, HostPort control, String secret) throws IOException {
        return leave(directory, control, secret, network());
    }

    static Closeable leave(Path directory, HostPort control, String secret, String network) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path temporary = Files.createTempFile(
                directory,
                name(control),
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(temporary, secret + "\n");
        FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE);
        channel.tryLock(); // Locked before it is renamed, so that no process finds it unlocked.
        Path usual = directory.resolve(name(control));
        boolean taken = Files.exists(usual) && held(usual);
        Path file = Files.move(
                temporary, taken ? directory.resolve(name(control, network)) : usual, StandardCopyOption.ATOMIC_MOVE);
        OWN.put(file, secret);
        return () -> {
            OWN.remove(file, secret);
            remove(file, secret);
            channel.close();
        };
    }

    /**
     * Finds the token of the server at this address: preferably of one that is running in this network namespace, else
     * the newest.
     */
    public static Optional<String> find(HostPort control) throws IOException {
        return find(directories(System.getenv(), System.getProperty("user.home")), control);
    }

    static Optional<String> find(List<Path> directories, HostPort control) throws IOException {
        return find(directories, control, network());
    }

    static Optional<String> find(List<Path> directories, HostPort control, String network) throws IOException {
        List<Path> ofNetwork = readable(directories, name(control, network));
        List<Path> usual = readable(directories, name(control));
        Optional<Path> found = ofNetwork.stream()
                .filter(LocalToken::held)
                .findFirst()
                .or(() -> usual.stream().filter(LocalToken::held).findFirst())
                .or(() -> Stream.concat(ofNetwork.stream(), usual.stream())
                        .max(Comparator.comparing(LocalToken::written)));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        String own = OWN.get(found.get());
        return Optional.of(own == null ? Files.readString(found.get()).strip() : own);
    }

    /** Sorted newest first. */
    private static List<Path> readable(List<Path> directories, String name) {
        return directories.stream()
                .map(directory -> directory.resolve(name))
                .filter(Files::isReadable)
                .sorted(Comparator.comparing(LocalToken::written).reversed())
                .toList();
    }

    /** The id of this process's network namespace; 0 if unknown. */
    private static String network() {
        try {
            String digits = Files.readSymbolicLink(Path.of("/proc/self/ns/net"))
                    .toString()
                    .replaceAll("\\D", "");
            return digits.isEmpty() ? "0" : digits;
        } catch (IOException | UnsupportedOperationException unknown) {
            return "0";
        }
    }

    /** Deletes the file at the end, unless another server has replaced it. */
    private static void remove(Path file, String secret) throws IOException {
        if (Files.isReadable(file) && Files.readString(file).strip().equals(secret)) {
            Files.deleteIfExists(file);
        }
    }

    /** Deletes files that killed servers left behind: those for addresses of this machine that have no listener. */
    public static void sweep() throws IOException {
        sweep(directories(System.getenv(), System.getProperty("user.home")));
    }

    static void sweep(List<Path> directories) throws IOException {
        for (Path directory : directories) {
            if (!Files.isDirectory(directory)) {
                continue;
            }
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.token")) {
                for (Path file : files) {
                    FileTime seen = written(file);
                    // Servers listen before they write the file: a file written since belongs to a server that started
                    // meanwhile.
                    if (abandoned(file.getFileName().toString())
                            && !held(file)
                            && written(file).equals(seen)) {
                        Files.deleteIfExists(file);
                    }
                }
            }
        }
    }

    private static boolean held(Path file) {
        if (OWN.containsKey(file)) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            return channel.tryLock() == null;
        } catch (IOException | OverlappingFileLockException unclear) {
            return true;
        }
    }

    private static boolean abandoned(String name) {
        Matcher form = NAME.matcher(name);
        if (!form.matches() || Integer.parseInt(form.group(2)) > 65535) {
            return false;
        }
        try (Socket socket = new Socket()) {
            InetAddress host = InetAddress.getByName(form.group(1).replace('-', ':'));
            boolean here = host.isLoopbackAddress() || NetworkInterface.getByInetAddress(host) != null;
            if (here) {
                socket.connect(new InetSocketAddress(host, Integer.parseInt(form.group(2))), PATIENCE_MILLIS);
            }
            return false;
        } catch (ConnectException nobody) {
            return true;
        } catch (IOException unclear) {
            return false;
        }
    }

    private static FileTime written(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }

    static String name(HostPort control, String network) {
        return name(control).replaceFirst("\\.token$", "." + network + ".token");
    }

    static String name(HostPort control) {
        boolean here = control.wildcard() || control.host().equals("localhost");
        String host = here ? "127.0.0.1" : control.host().replace(':', '-');
        return host + "_" + control.port() + ".token";
    }
}
