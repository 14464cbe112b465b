package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.store.etcd.ClusterMembership;
import io.forewarn.store.etcd.EtcdAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may come to a cluster, and who may not. */
// Takes more than 20 s: a killed node keeps its name until its lease has run out.
class JoiningTest {
    private static final String ADVANCE = "/v1/clock/advance";

    @TempDir
    private Path folder;

    private ServicesOnEtcd on;

    @BeforeEach
    void startEtcd() throws Exception {
        on = new ServicesOnEtcd(folder);
    }

    @AfterEach
    void endEtcd() {
        if (on != null) {
            on.close();
        }
    }

    private Service start(String clock) {
        return on.start(Map.of("cluster.lease", "30s", "clock.kind", clock));
    }

    private String kept() throws Exception {
        return on.etcd().etcdctl("get", "--prefix", "forewarn/record/")
                + on.etcd().etcdctl("get", "forewarn/head");
    }

    private void assertRefused(String clock, String running) {
        RefusedException refusal =
                assertThrows(RefusedException.class, () -> start(clock).close());
        assertEquals(Problem.CONFLICT, refusal.problem());
        assertTrue(
                refusal.getMessage().startsWith("this cluster runs on the " + running + " clock"),
                refusal.getMessage());
        assertTrue(refusal.getMessage().contains("--clock " + clock + " cannot join it"), refusal.getMessage());
    }

    @Test
    void aNodeWithAManualClockCannotJoinAClusterOnTheSystemClock() throws Exception {
        try (Service one = start("system");
                Service two = start("system")) {
            String before = kept();
            assertRefused("manual", "system");
            assertEquals(before, kept());
            for (Service node : new Service[] {one, two}) {
                String logged = on.ask(node.control(), "POST", ADVANCE, "{\"by\":\"2h\"}", 409);
                assertTrue(logged.contains("the clock is the system's and cannot be moved"), logged);
            }
        }
        start("system").close();
    }

    @Test
    void theSystemsClockDoesNotComeToAClusterOnAManualOne() throws Exception {
        try (Service one = start("manual");
                Service two = start("manual")) {
            assertRefused("system", "manual");
            on.ask(one.control(), "POST", ADVANCE, "{\"by\":\"2h\"}", 200);
            on.ask(two.control(), "POST", ADVANCE, "{\"by\":\"2h\"}", 200);
        }
    }

    private Service at(String address) {
        return on.start(Map.of("cluster.lease", "30s", "cluster.advertise", address));
    }

    @Test
    void twoNodesCannotHaveTheSameAddress() throws Exception {
        try (Service one = at("127.0.0.1:1")) {
            String said = on.etcd().etcdctl("get", "--prefix", "forewarn/node/");
            RefusedException refusal =
                    assertThrows(RefusedException.class, () -> at("127.0.0.1:1").close());
            assertEquals(Problem.CONFLICT, refusal.problem());
            assertTrue(
                    refusal.getMessage()
                            .startsWith("another node of this cluster already has the name 127.0.0.1:1; give each"),
                    refusal.getMessage());
            assertEquals(said, on.etcd().etcdctl("get", "--prefix", "forewarn/node/"));
            on.ask(one.control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}", 200);
        }
        at("127.0.0.1:1").close();
        assertEquals(1, logged("what=waiting"), "who ended in order is not waited for: " + on.log());
    }

    private long logged(String words) {
        return on.log().stream().filter(line -> line.contains(words)).count();
    }

    @Test
    void aNodeThatWasKilledComesBackWhenItsLeaseHasEnded() throws Exception {
        try (ClusterMembership killed =
                new ClusterMembership(EtcdAccess.to(on.etcd().urls(), "forewarn/"), Duration.ofSeconds(2))) {
            assertTrue(killed.join("127.0.0.1:1", "{\"metadata\":\"127.0.0.1:2\",\"life\":\"before\"}"));
            try (Service node = at("127.0.0.1:1")) {
                String status = on.ask(node.control(), "GET", "/v1/status", "", 200);
                assertTrue(status.contains("\"writer\":\"127.0.0.1:1\""), status);
            }
        }
        assertEquals(1, logged("for=\"the lease of the node that was 127.0.0.1:1 before to end\""), on.log()::toString);
    }

    @Test
    void anAddressThatIsEveryMachinesOwnIsDoubtedWhenEtcdIsElsewhere() throws Exception {
        String here = on.etcd().location();
        // Whoever connects there comes to itself, which its name does not tell.
        String elsewhere = here + "," + here.replaceFirst("^etcd:", "").replace("127.0.0.1", "0.0.0.0");
        String words = "other nodes would reach this one at 127.0.0.1:";
        try (Service node = on.start(Map.of("store.location", elsewhere))) {
            assertEquals(1, logged("what=address"), on.log()::toString);
            String findings = on.ask(node.control(), "GET", "/v1/doctor", "", 200);
            assertTrue(findings.contains(words), findings);
        }
        Map<String, String> flags = Map.of("store.location", elsewhere, "listen.control", "127.0.0.1:0");
        assertTrue(new Preflight(LoadedSettings.load(null, Map.of(), flags).settings())
                .findings().stream().anyMatch(finding -> finding.problem().startsWith(words)));
        try (Service node = on.start(Map.of())) {
            String findings = on.ask(node.control(), "GET", "/v1/doctor", "", 200);
            assertFalse(findings.contains(words), findings);
        }
        assertEquals(1, logged("what=address"), on.log()::toString);
    }

    @Test
    void differingSettingsThatAffectDecisionsAreReported() throws Exception {
        try (Service one = start("system");
                Service two = on.start(Map.of("cluster.lease", "30s", "terms.notice.reboot", "10m"))) {
            awaitDoctor(
                    one,
                    "node " + two.control() + " has different settings",
                    "terms.notice.reboot is 10m there, 15m here");
            awaitDoctor(
                    two,
                    "node " + one.control() + " has different settings",
                    "terms.notice.reboot is 15m there, 10m here");
            String status = on.ask(one.control(), "GET", "/v1/status", "", 200);
            assertTrue(status.contains("\"differingSettings\":\"terms.notice.reboot is 10m there, 15m here\""), status);
        }
    }

    /** They look at who is there twice a second. */
    private void awaitDoctor(Service node, String... words) throws Exception {
        eventually(() -> on.ask(node.control(), "GET", "/v1/doctor", "", 200), findings -> List.of(words).stream()
                .allMatch(findings::contains));
    }
}
