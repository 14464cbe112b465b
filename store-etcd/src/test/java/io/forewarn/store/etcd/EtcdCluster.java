package io.forewarn.store.etcd;

import static io.forewarn.core.Eventually.eventually;

import io.forewarn.core.engine.StoreException;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A real etcd, of one member or more, on loopback, with its data in a folder of the test's. */
public final class EtcdCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final List<Integer> clientPorts = new ArrayList<>();
    private final List<Integer> peerPorts = new ArrayList<>();
    private final List<String> extra;
    private final Process[] processes;
    private final String scheme;
    private final IntFunction<List<String>> wrapper;
    private ClusterMembership asking;

    private EtcdCluster(Path folder, int members, String scheme, List<String> extra, IntFunction<List<String>> wrapper)
            throws IOException {
        this.folder = folder;
        for (int member = 0; member < members; member++) {
            clientPorts.add(Ports.free());
            peerPorts.add(Ports.free());
        }
        this.extra = extra;
        this.scheme = scheme;
        this.wrapper = wrapper;
        this.processes = new Process[members];
    }

    /** Whether the program is installed; if not, tests that need it are skipped. */
    public static boolean isInstalled() {
        return List.of(System.getenv("PATH").split(File.pathSeparator)).stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "etcd")));
    }

    /** Starts and waits until it answers. */
    public static EtcdCluster start(Path folder, int members) throws Exception {
        return start(folder, members, "http", List.of());
    }

    /** The same with arguments of its own, such as certificates. */
    public static EtcdCluster start(Path folder, int members, String scheme, List<String> extra) throws Exception {
        return started(new EtcdCluster(folder, members, scheme, extra, member -> List.of()));
    }

    /** @param wrapper what each member is started through; it must end in becoming the member */
    public static EtcdCluster start(Path folder, int members, IntFunction<List<String>> wrapper) throws Exception {
        return started(new EtcdCluster(folder, members, "http", List.of(), wrapper));
    }

    private static EtcdCluster started(EtcdCluster cluster) throws Exception {
        int members = cluster.members();
        try {
            for (int member = 0; member < members; member++) {
                cluster.begin(member);
            }
            for (int member = 0; member < members; member++) {
                cluster.awaitPort(member);
            }
            if (cluster.scheme.equals("http")) {
                cluster.awaitQuorum();
            }
            return cluster;
        } catch (Exception | Error failed) {
            cluster.close();
            throw failed;
        }
    }

    /** Starts a member, for the first time or again on its data. */
    public void begin(int member) throws IOException {
        String peers = IntStream.range(0, processes.length)
                .mapToObj(i -> "m" + i + "=http://127.0.0.1:" + peerPorts.get(i))
                .collect(Collectors.joining(","));
        List<String> command = new ArrayList<>(wrapper.apply(member));
        command.addAll(List.of(
                "etcd",
                "--name=m" + member,
                "--data-dir=" + folder.resolve("m" + member),
                "--listen-client-urls=" + url(member),
                "--advertise-client-urls=" + url(member),
                "--listen-peer-urls=http://127.0.0.1:" + peerPorts.get(member),
                "--initial-advertise-peer-urls=http://127.0.0.1:" + peerPorts.get(member),
                "--initial-cluster=" + peers,
                "--initial-cluster-state=new",
                "--heartbeat-interval=100",
                "--election-timeout=1000",
                "--logger=zap",
                "--log-level=error"));
        command.addAll(extra);
        processes[member] = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("m" + member + ".log").toFile()))
                .start();
    }

    public void awaitPort(int member) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", clientPorts.get(member)), 500);
                return;
            } catch (IOException notYet) {
                if (System.nanoTime() > end || !processes[member].isAlive()) {
                    throw new IOException(
                            "etcd does not come up:\n" + Files.readString(folder.resolve("m" + member + ".log")),
                            notYet);
                }
                Thread.sleep(20);
            }
        }
    }

    private void awaitQuorum() throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (EtcdStore store = EtcdStore.open(EtcdAccess.to(urls(), "await/"))) {
                store.recover();
                return;
            } catch (StoreException notYet) {
                if (System.nanoTime() > end) {
                    throw notYet;
                }
                Thread.sleep(50);
            }
        }
    }

    public int members() {
        return processes.length;
    }

    public String url(int member) {
        return scheme + "://127.0.0.1:" + clientPorts.get(member);
    }

    public List<URI> urls() {
        return IntStream.range(0, processes.length)
                .mapToObj(i -> URI.create(url(i)))
                .toList();
    }

    /** What {@code --store} takes. */
    public String location() {
        return "etcd:" + urls().stream().map(URI::toString).collect(Collectors.joining(","));
    }

    /** Ends a member as a power cut would. */
    public void kill(int member) throws InterruptedException {
        processes[member].destroyForcibly();
        processes[member].waitFor(10, TimeUnit.SECONDS);
    }

    /** Stops a member without ending it: its connections stay and nothing answers. */
    public void pause(int member) throws Exception {
        signal("STOP", member);
        // Some of its threads may run on for a moment, and answer.
        eventually(() -> isStopped(processes[member].pid()));
    }

    private static boolean isStopped(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        }
    }

    public void resume(int member) throws Exception {
        signal("CONT", member);
    }

    private void signal(String name, int member) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(processes[member].pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    public long pid(int member) {
        return processes[member].pid();
    }

    /** Where nodes reach the members. */
    public List<Integer> clientPorts() {
        return clientPorts;
    }

    /** Where members reach each other. */
    public List<Integer> peerPorts() {
        return peerPorts;
    }

    /** The node that writes, by its name; empty if there is none, or etcd does not answer. */
    public synchronized Optional<String> writer() {
        if (asking == null) {
            asking = new ClusterMembership(EtcdAccess.to(urls(), EtcdAccess.DEFAULT_PREFIX), PATIENCE);
        }
        try {
            return asking.writer();
        } catch (StoreException unanswered) {
            return Optional.empty();
        }
    }

    /** Runs etcdctl against the first member and returns what it printed. */
    public String etcdctl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("etcdctl", "--endpoints=" + url(0)));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ETCDCTL_API", "3");
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed: " + printed);
        }
        return printed;
    }

    @Override
    public void close() {
        if (asking != null) {
            asking.close();
        }
        for (Process process : processes) {
            if (process != null) {
                process.destroyForcibly();
            }
        }
        for (Process process : processes) {
            if (process != null) {
                try {
                    process.waitFor(10, TimeUnit.SECONDS);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
