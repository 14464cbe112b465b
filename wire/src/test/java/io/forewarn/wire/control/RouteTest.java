package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RouteTest {
    @Test
    void everyRouteIsFoundByTheUriItBuilds() {
        for (Route route : Route.values()) {
            long parts = Arrays.stream(route.template().split("/"))
                    .filter(s -> s.startsWith("{"))
                    .count();
            List<String> names = List.of("shop/db 1+?&%", "restart").subList(0, (int) parts);
            String uri = route.uri(names, Map.of("tenant", "a b"));
            String path = uri.substring(0, uri.indexOf('?'));
            assertEquals(
                    new Route.Match(route, names),
                    Route.match(route.method(), path).orElseThrow(),
                    uri);
        }
    }

    @Test
    void aNameMayCarryItsTenantInOneSegment() {
        assertEquals("/v1/machines/shop%2Fdb/restart", Route.MACHINE_ACTION.uri("shop/db", "restart"));
        assertEquals(
                List.of("shop/db", "restart"),
                Route.match("POST", "/v1/machines/shop%2Fdb/restart")
                        .orElseThrow()
                        .parts());
    }

    @Test
    void aPathTellsWhichMethodsItTakes() {
        assertEquals(List.of("GET", "PUT", "DELETE"), Route.methods("/v1/machines/a"));
        assertEquals(List.of("GET", "PUT"), Route.methods("/v1/fleet"));
        assertEquals(List.of(), Route.methods("/v1/nothing"));
        assertEquals(List.of(), Route.methods(""));
        assertEquals(List.of(), Route.methods("/v1/machines/"));
    }

    @Test
    void onlyHealthAndReadinessAreOpen() {
        assertEquals(
                List.of(Route.HEALTH, Route.READY),
                Arrays.stream(Route.values()).filter(Route::open).toList());
    }

    @Test
    void aBadEscapeIsTakenAsItStands() {
        assertEquals(
                List.of("%zz"),
                Route.match("GET", "/v1/machines/%zz").orElseThrow().parts());
    }

    @Test
    void everyActionIsNamedInTheTable() {
        assertTrue(Arrays.stream(Action.values())
                .allMatch(a -> Route.MACHINE_ACTION.summary().contains(a.word())));
    }
}
