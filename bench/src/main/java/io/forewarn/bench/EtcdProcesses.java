package io.forewarn.bench;

import io.forewarn.store.etcd.EtcdAccess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three members of etcd on loopback, on the disk that is measured. */
final class EtcdProcesses implements AutoCloseable {
    private static final int MEMBERS = 3;
    private static final long LONGEST_START = 60_000_000_000L;
    private static final byte[] HEALTH = KeptAliveConnection.request("GET", "/health", "", "");

    private final List<Integer> ports = new ArrayList<>();
    private final List<ChildProcess> members = new ArrayList<>();

    private EtcdProcesses() {}

    static EtcdProcesses start(BenchSetup setup, Path folder) throws IOException {
        EtcdProcesses etcdProcesses = new EtcdProcesses();
        List<Integer> peers = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            etcdProcesses.ports.add(BenchSetup.freePort());
            peers.add(BenchSetup.freePort());
        }
        String all = IntStream.range(0, MEMBERS)
                .mapToObj(i -> "m" + i + "=http://127.0.0.1:" + peers.get(i))
                .collect(Collectors.joining(","));
        for (int i = 0; i < MEMBERS; i++) {
            String client = "http://127.0.0.1:" + etcdProcesses.ports.get(i);
            String peer = "http://127.0.0.1:" + peers.get(i);
            etcdProcesses.members.add(new ChildProcess(
                    List.of(
                            "etcd",
                            "--name=m" + i,
                            "--data-dir=" + folder.resolve("m" + i),
                            "--listen-client-urls=" + client,
                            "--advertise-client-urls=" + client,
                            "--listen-peer-urls=" + peer,
                            "--initial-advertise-peer-urls=" + peer,
                            "--initial-cluster=" + all,
                            "--log-level=error"),
                    Map.of(),
                    setup.log("etcd")));
        }
        for (int i = 0; i < MEMBERS; i++) {
            ReadinessProbe.await(etcdProcesses.members.get(i), etcdProcesses.ports.get(i), HEALTH, LONGEST_START);
        }
        return etcdProcesses;
    }

    private List<URI> urls() {
        return ports.stream()
                .map(port -> URI.create("http://127.0.0.1:" + port))
                .toList();
    }

    /** What {@code --store} takes. */
    String location() {
        return "etcd:" + urls().stream().map(URI::toString).collect(Collectors.joining(","));
    }

    /** The member that a node asks as long as it answers. */
    URI first() {
        return urls().get(0);
    }

    /** The same members under keys of one's own. */
    EtcdAccess access(String prefix) {
        return EtcdAccess.to(urls(), prefix);
    }

    @Override
    public void close() {
        members.forEach(ChildProcess::close);
    }
}
