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
 * Where a server leaves the token for its own user, and where the command line looks for it: a file only that user can
 * read, named after the address the server listens on. Of two that live, listen on the same address, each in a network of
 * its own, and share a home, the second names its file after its network as well.
 */
public final class LocalToken {
    // Addresses only: a name would have to be looked up.
    private static final Pattern NAME =
            Pattern.compile("(\\d+(?:\\.\\d+){3}|[0-9a-f]*-[0-9a-f.-]*)_(\\d{1,5})(?:\\.\\d+)?\\.token");
    private static final int PATIENCE_MILLIS = 200;

    /** What this process holds, and what it says. Locks are a process's: to read such a file would let go of it. */
    private static final Map<Path, String> OWN = new ConcurrentHashMap<>();

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

    /**
     * Leaves it whole or not at all, mode 0600, and holds on to the file until it is closed and taken away. A file that is held
     * shows that its server lives, also to those who cannot reach it: it may listen in a network of its own, such as a
     * container's, and share the home directory.
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
        channel.tryLock(); // Before it has its name: nobody finds it unheld.
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

    /** The token left by the server at this address: one that lives, in this network; else the newest. */
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

    /** The newest first. */
    private static List<Path> readable(List<Path> directories, String name) {
        return directories.stream()
                .map(directory -> directory.resolve(name))
                .filter(Files::isReadable)
                .sorted(Comparator.comparing(LocalToken::written).reversed())
                .toList();
    }

    /** The number of the network this process is in; 0 where the system does not say. */
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

    /** Takes the file away at the end, unless another server has put its own there. */
    private static void remove(Path file, String secret) throws IOException {
        if (Files.isReadable(file) && Files.readString(file).strip().equals(secret)) {
            Files.deleteIfExists(file);
        }
    }

    /** Takes away what servers that were killed have left: files named after addresses of this machine nobody listens on. */
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
                    // Servers listen before they write: a file written since is of one that has come up meanwhile.
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
