package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.store.etcd.ClusterMembership;
import io.forewarn.store.etcd.EtcdAccess;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.NodeBody;
import io.forewarn.wire.control.StatusBody;
import io.forewarn.wire.control.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes on a real etcd, and the keys of two that are older. */
class RollingUpgradeTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final String SILENT = "127.0.0.1:1";
    private static final String ANCIENT = "127.0.0.1:2";

    @TempDir
    private Path folder;

    private static Map<String, NodeBody> nodes(ServicesOnEtcd on, Service at) throws Exception {
        String status = on.ask(at.control(), "GET", "/v1/status", "", 200);
        return Json.answer(StatusBody.class, status.getBytes(StandardCharsets.UTF_8)).nodes().stream()
                .collect(Collectors.toMap(NodeBody::control, Function.identity()));
    }

    private static Map<String, NodeBody> awaitNodes(ServicesOnEtcd on, Service at, int many) throws Exception {
        return eventually(() -> nodes(on, at), nodes -> nodes.size() == many);
    }

    @Test
    void everyNodeReportsItsReleaseAndOldNodesAreReported() throws Exception {
        try (ServicesOnEtcd on = new ServicesOnEtcd(folder);
                Service one = on.start(Map.of("cluster.lease", LEASE.toSeconds() + "s"));
                Service two = on.start(Map.of("cluster.lease", LEASE.toSeconds() + "s"));
                ClusterMembership silent =
                        new ClusterMembership(EtcdAccess.to(on.etcd().urls(), "forewarn/"), LEASE);
                ClusterMembership ancient =
                        new ClusterMembership(EtcdAccess.to(on.etcd().urls(), "forewarn/"), LEASE)) {
            silent.join(SILENT, "{\"metadata\":\"127.0.0.1:3\"}");
            ancient.join(ANCIENT, "{\"metadata\":\"127.0.0.1:4\",\"release\":\"0.0.1\",\"format\":0}");
            for (Service node : new Service[] {one, two}) {
                Map<String, NodeBody> nodes = awaitNodes(on, node, 4);
                for (Service other : new Service[] {one, two}) {
                    NodeBody known = nodes.get(other.control().toString());
                    assertEquals(Version.text(), known.version());
                    assertNull(known.problem());
                }
                assertEquals(
                        new NodeBody(SILENT, "127.0.0.1:3", null, null, null, null, false, false), nodes.get(SILENT));
                assertEquals("0.0.1", nodes.get(ANCIENT).version());
                String told = "it reads records up to format 0, and none older than 1 are written";
                assertEquals(told, nodes.get(ANCIENT).problem());
                String findings = on.ask(node.control(), "GET", "/v1/doctor", "", 200);
                assertTrue(findings.contains("node " + ANCIENT + " of release 0.0.1 is too old: " + told), findings);
                assertTrue(!findings.contains(SILENT), findings);
            }
            // They look at the keys one by one.
            eventually(() -> tooOld(on) >= 2);
            assertEquals(2, tooOld(on), () -> String.join("\n", on.log()));
            on.ask(two.control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}", 200);
            String written = on.etcd().etcdctl("get", "--prefix", "--print-value-only", "forewarn/record/state/");
            assertTrue(written.contains("{\"format\":1,"), written);
        }
    }

    private static long tooOld(ServicesOnEtcd on) {
        return List.copyOf(on.log()).stream()
                .filter(line -> line.contains("node-too-old") && line.contains(ANCIENT))
                .count();
    }
}
