package io.forewarn.acceptance.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.acceptance.faults.FakeClock;
import io.forewarn.acceptance.faults.Fleet;
import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All nodes were down, and the one whose clock is wrong starts first: the cluster's time stays right, and every node says who is wrong. */
// Takes more than 20 s: a cluster is started, killed and started again with wrong clocks.
final class WrongClockStartsFirstIT {
    private static final int WRONG = 1;

    @TempDir
    private Path folder;

    @Test
    void oneWrongClockNeverBecomesTheClustersTime() throws Exception {
        assumeTrue(FakeClock.isInstalled(), "libfaketime is not installed: sudo apt-get install faketime");
        try (Cluster cluster =
                Cluster.start(folder, new Fleet(1, 2), node -> node.set("terms.disable-after", "0s"), true)) {
            cluster.awaitWriter();
            String event = cluster.node(0)
                    .schedule("set0_0", "restart", "{\"notice\":\"1h\"}")
                    .path("id")
                    .asText();
            cluster.nodes().forEach(Server::kill);
            cluster.jump(WRONG, (int) Duration.ofDays(400).toSeconds());
            cluster.node(WRONG).start();
            isRightAt(cluster.node(WRONG));
            for (int i = 0; i < Cluster.NODES; i++) {
                if (i != WRONG) {
                    cluster.node(i).start();
                }
            }
            String wrong = cluster.node(WRONG).control();
            for (Server node : cluster.nodes()) {
                Server.await(
                        "every node says who is off", () -> off(node, wrong).equals("+400d"));
                isRightAt(node);
                assertTrue(
                        node.get("/v1/doctor").toString().contains("the clock of node " + wrong + " differs by +400d"),
                        node::log);
                assertEquals(
                        "scheduled",
                        node.get("/v1/events/" + event).path("status").asText());
            }
        }
    }

    private static void isRightAt(Server node) throws IOException {
        Instant now = Instant.parse(node.get("/v1/status").path("now").asText());
        assertTrue(
                Duration.between(now, Instant.now()).abs().compareTo(Duration.ofHours(1)) < 0, () -> now + node.log());
    }

    private static String off(Server node, String wrong) throws IOException {
        for (JsonNode each : node.get("/v1/status").path("nodes")) {
            if (each.path("control").asText().equals(wrong)) {
                return each.path("clockOffset").asText();
            }
        }
        return "";
    }
}
