package io.forewarn.acceptance.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.acceptance.faults.BoundConnection;
import io.forewarn.acceptance.faults.FakeClock;
import io.forewarn.acceptance.faults.Fleet;
import io.forewarn.acceptance.faults.Server;
import io.forewarn.store.etcd.EtcdCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Nodes that share an etcd, all on loopback, each at an address of its own. */
final class Cluster implements AutoCloseable {
    static final int NODES = 3;
    static final Duration LEASE = Duration.ofSeconds(3);

    private static final int MEMBERS = 3;
    private static final String SHIFTED = "forewarn.shifted-clocks";
    private static final int IMPATIENT_MILLIS = 2_000;
    private static final int NEARLY_MILLIS = 10_000;
    private static final Pattern OFF = Pattern.compile("what=clock-off by=(\\d+)ms");

    private final EtcdCluster etcd;
    private final List<Server> nodes = new ArrayList<>();
    private final List<FakeClock> clocks = new ArrayList<>();
    private final boolean shifted;

    private Cluster(EtcdCluster etcd, boolean shifted) {
        this.etcd = etcd;
        this.shifted = shifted;
    }

    /** @param settings is called for each node before it starts */
    static Cluster start(Path folder, Fleet fleet, Consumer<Server> settings) throws Exception {
        return start(folder, fleet, settings, Boolean.getBoolean(SHIFTED));
    }

    /** @param shifted whether the nodes' clocks can be set */
    static Cluster start(Path folder, Fleet fleet, Consumer<Server> settings, boolean shifted) throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        NetworkCut.prepare();
        Cluster cluster = new Cluster(
                EtcdCluster.start(Files.createDirectories(folder.resolve("etcd")), MEMBERS, NetworkCut::member),
                shifted);
        try {
            for (int i = 0; i < NODES; i++) {
                Server node = new Server(Files.createDirectories(folder.resolve("node" + i)), fleet)
                        .among(cluster.etcd.location(), "127.0.0." + (101 + i))
                        .set("cluster.lease", LEASE.toSeconds() + "s");
                settings.accept(node);
                cluster.clocks.add(new FakeClock(folder.resolve("clock" + i)));
                node.through(cluster.wrapper(i, folder)).launch();
                cluster.nodes.add(node);
            }
            for (Server node : cluster.nodes) {
                node.awaitReady();
            }
            return cluster;
        } catch (Exception | Error failed) {
            cluster.close();
            throw failed;
        }
    }

    private List<String> wrapper(int number, Path home) {
        List<String> wrapper = new ArrayList<>(NetworkCut.node(number, home));
        if (clocksCanJump()) {
            wrapper.addAll(clocks.get(number).wrapper());
        }
        return wrapper;
    }

    boolean clocksCanJump() {
        return shifted && FakeClock.isInstalled();
    }

    /** From now on this node's wall clock is off by so much; it is read once a second. */
    void jump(int number, int seconds) throws IOException {
        clocks.get(number).shift(Duration.ofSeconds(seconds));
    }

    /** Whether this node comes to say that its clock is off, by about as much. */
    boolean saysItIsOff(int number, int seconds, long logged) throws IOException {
        try {
            Server.await("its clock is off", () -> OFF.matcher(nodes.get(number).log(logged))
                    .results()
                    .mapToLong(off -> Long.parseLong(off.group(1)))
                    // The cluster's time may be off itself, and draws nearer.
                    .anyMatch(millis -> Math.abs(millis - 1000L * Math.abs(seconds)) < NEARLY_MILLIS));
            return true;
        } catch (AssertionError never) {
            return false;
        }
    }

    EtcdCluster etcd() {
        return etcd;
    }

    List<Server> nodes() {
        return nodes;
    }

    Server node(int number) {
        return nodes.get(number);
    }

    /** Which node this one takes for the writer; empty if it does not answer, or knows of none. */
    OptionalInt writerAsSeenBy(int number) {
        Server node = nodes.get(number);
        try (BoundConnection connection = new BoundConnection(node.control(), "127.0.0.1", IMPATIENT_MILLIS)) {
            JsonNode status = Server.json(connection.ask("GET", "/v1/status", node.token(), null));
            for (int i = 0; i < NODES; i++) {
                if (nodes.get(i).control().equals(status.path("writer").asText())) {
                    return OptionalInt.of(i);
                }
            }
        } catch (IOException unanswered) {
            // As good as not knowing.
        }
        return OptionalInt.empty();
    }

    /** Whether this node says that it writes, and etcd takes it for the writer. */
    boolean writes(int number) {
        return writerAsSeenBy(number).orElse(-1) == number && isWriterInEtcd(number);
    }

    /** Whether etcd takes it for the writer; not if etcd does not answer. */
    boolean isWriterInEtcd(int number) {
        return etcd.writer().filter(nodes.get(number).control()::equals).isPresent();
    }

    /** Which node writes, as soon as it says so itself. */
    int awaitWriter() throws IOException {
        int[] writer = {-1};
        Server.await("some node says that it writes", () -> {
            for (int i = 0; i < NODES && writer[0] < 0; i++) {
                if (writerAsSeenBy(i).orElse(-1) == i) {
                    writer[0] = i;
                }
            }
            return writer[0] >= 0;
        });
        return writer[0];
    }

    @Override
    public void close() {
        nodes.forEach(Server::close);
        etcd.close();
    }
}
