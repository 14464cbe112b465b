package io.forewarn.acceptance.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.faults.BoundConnection;
import io.forewarn.acceptance.faults.Fleet;
import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer dies: another goes on with all it had acknowledged, and nobody who polls elsewhere notices. */
// Takes more than 20 s: another node takes over only when the lease of the dead one has run out.
final class WriterIsKilledIT {
    private static final Fleet FLEET = new Fleet(2, 3);

    @TempDir
    private Path folder;

    @Test
    void anotherNodeGoesOnWithAllThatWasAcknowledged() throws Exception {
        try (Cluster cluster = Cluster.start(folder, FLEET, node -> node.set("terms.disable-after", "0s"))) {
            int writer = cluster.awaitWriter();
            int other = (writer + 1) % Cluster.NODES;
            List<String> acknowledged = new ArrayList<>();
            for (int i = 0; i < Cluster.NODES; i++) {
                // At any node: the ones that do not write pass it on.
                acknowledged.add(schedule(cluster.node((writer + i) % Cluster.NODES), "set0_" + i));
            }
            cluster.node(writer).kill();
            assertEquals(200, poll(cluster.node(other)).status());
            Server.await("another writes", () -> cluster.writerAsSeenBy(other).orElse(writer) != writer);
            assertNotEquals(writer, cluster.awaitWriter());
            acknowledged.add(schedule(cluster.node(other), "set1_0"));

            cluster.node(writer).start();
            for (Server node : cluster.nodes()) {
                Server.await("every node shows all of them", () -> {
                    String document = poll(node).body();
                    return acknowledged.subList(0, Cluster.NODES).stream().allMatch(document::contains);
                });
                String open = node.get("/v1/events").toString();
                assertTrue(acknowledged.stream().allMatch(open::contains), open);
            }
            assertEquals(
                    poll(cluster.node(writer)).body(), poll(cluster.node(other)).body());
        }
    }

    private static String schedule(Server node, String machine) throws IOException {
        return node.schedule(machine, "restart", "{\"notice\":\"1h\"}")
                .path("id")
                .asText();
    }

    private static BoundConnection.Answer poll(Server node) throws IOException {
        return node.poll(FLEET.machines().get(0).address());
    }
}
