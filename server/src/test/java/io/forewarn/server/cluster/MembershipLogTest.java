package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MembershipLogTest {
    private final List<String> log = new ArrayList<>();
    private final MembershipLog membershipLog = new MembershipLog(Log.to(log::add, LogFormat.LOGFMT));

    private void seen(String writer, Map<String, String> nodes, String... lines) {
        log.clear();
        membershipLog.seen("a", writer, nodes);
        assertEquals(
                List.of(lines), log.stream().map(MembershipLogTest::withoutTime).toList());
    }

    private static String withoutTime(String line) {
        return line.substring(line.indexOf("level="));
    }

    @Test
    void nodesThatJoinAndThatAreGoneAreLogged() {
        seen("c", Map.of("a", "{}", "b", "{}", "c", "{}"), "level=info what=follows writer=c");
        seen("c", Map.of("a", "{}", "b", "{}", "c", "{}"));
        seen(
                null,
                Map.of("a", "{}", "b", "{}"),
                "level=warning what=node-lost node=c wrote=true reason=\"it was stopped, or its lease expired\"");
        seen("b", Map.of("a", "{}", "b", "{}"), "level=info what=follows writer=b");
        seen(
                "a",
                Map.of("a", "{}"),
                "level=warning what=node-lost node=b wrote=true reason=\"it was stopped, or its lease expired\"");
        seen("a", Map.of("a", "{}", "b", "{\"release\":\"9\"}"), "level=info what=node-joined node=b release=9");
        seen(
                "a",
                Map.of("a", "{}"),
                "level=warning what=node-lost node=b wrote=false reason=\"it was stopped, or its lease expired\"");
    }

    @Test
    void thisNodeIsNotMissed() {
        seen("a", Map.of("a", "{}"));
        seen("a", Map.of());
        seen("a", Map.of("a", "{}"));
    }
}
