package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may come to a cluster, and who may not. */
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
        Refusal refusal = assertThrows(Refusal.class, () -> start(clock).close());
        assertEquals(Problem.CONFLICT, refusal.problem());
        assertTrue(
                refusal.getMessage().startsWith("this cluster runs on the " + running + " clock"),
                refusal.getMessage());
        assertTrue(refusal.getMessage().contains("--clock " + clock + " cannot join it"), refusal.getMessage());
    }

    @Test
    void aManualClockDoesNotComeToAClusterOnTheSystemsNorMoveTimeThere() throws Exception {
        try (Service one = start("system");
                Service two = start("system")) {
            String before = kept();
            assertRefused("manual", "system");
            assertEquals(before, kept());
            for (Service node : new Service[] {one, two}) {
                String told = on.ask(node.control(), "POST", ADVANCE, "{\"by\":\"2h\"}", 409);
                assertTrue(told.contains("the clock is the system's and cannot be moved"), told);
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
}
