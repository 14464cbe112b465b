package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.engine.StoreException;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MembershipLogTest {
    private final List<String> log = new ArrayList<>();
    private final Map<String, String> farewells = new HashMap<>();
    private final MembershipLog membershipLog =
            new MembershipLog(node -> Optional.ofNullable(farewells.get(node)), Log.to(log::add, LogFormat.LOGFMT));

    private void seen(String writer, Map<String, String> nodes, String... lines) throws StoreException {
        log.clear();
        membershipLog.seen("a", writer, nodes);
        assertEquals(
                List.of(lines), log.stream().map(MembershipLogTest::withoutTime).toList());
    }

    private static String withoutTime(String line) {
        return line.substring(line.indexOf("level="));
    }

    @Test
    void aNodeThatIsLostIsToldFromOneThatEnded() throws StoreException {
        seen("c", Map.of("a", "{}", "b", "{}", "c", "{}"), "level=info what=follows writer=c");
        seen("c", Map.of("a", "{}", "b", "{}", "c", "{}"));
        seen(
                null,
                Map.of("a", "{}", "b", "{}"),
                "level=warning what=node-lost node=c wrote=true why=\"its lease ran out, and it had not said that it ends\"");
        seen("b", Map.of("a", "{}", "b", "{}"), "level=info what=follows writer=b");
        farewells.put("b", "{}");
        seen("a", Map.of("a", "{}"), "level=info what=node-ended node=b wrote=true");
        seen("a", Map.of("a", "{}", "b", "{\"release\":\"9\"}"), "level=info what=node-joined node=b release=9");
        // What it said when it ended some while ago is of an earlier life.
        seen(
                "a",
                Map.of("a", "{}"),
                "level=warning what=node-lost node=b wrote=false why=\"its lease ran out, and it had not said that it ends\"");
    }

    @Test
    void thisNodeIsNotMissed() throws StoreException {
        seen("a", Map.of("a", "{}"));
        seen("a", Map.of());
        seen("a", Map.of("a", "{}"));
    }
}
