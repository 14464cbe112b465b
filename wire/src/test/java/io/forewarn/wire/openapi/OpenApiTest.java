package io.forewarn.wire.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.RouteAccess;
import io.forewarn.wire.guest.GuestRoute;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class OpenApiTest {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete");

    private final JsonNode document = document();

    @Test
    void everyRouteIsInItAndNothingElse() {
        Set<String> described = new TreeSet<>();
        document.path("paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(operation -> METHODS.contains(operation.getKey()))
                .forEach(
                        operation -> described.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey())));
        Set<String> routed = new TreeSet<>();
        for (Route route : Route.values()) {
            routed.add(route.method() + " " + route.template());
        }
        for (GuestRoute route : GuestRoute.values()) {
            routed.add(route.method() + " " + route.template());
        }
        assertEquals(routed, described);
    }

    @Test
    void everyRouteSaysWhoMay() {
        for (Route route : Route.values()) {
            JsonNode operation = operation(route);
            assertEquals(EnumNames.of(route), operation.path("operationId").asText(), route.name());
            assertEquals(
                    route.access() == RouteAccess.OPEN ? "" : EnumNames.of(route.access()),
                    operation.at("/security/0/token/0").asText(),
                    route.name());
        }
    }

    @Test
    void everyParameterIsExplained() {
        for (Route route : Route.values()) {
            for (JsonNode parameter : operation(route).path("parameters")) {
                assertFalse(
                        parameter.path("description").asText().isEmpty(),
                        route + " takes '" + parameter.path("name").asText()
                                + "', which has no row in Parameter: say what it is and what it looks like");
            }
        }
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        List<JsonNode> references = document.findValues("$ref");
        assertFalse(references.isEmpty());
        for (JsonNode reference : references) {
            assertFalse(document.at(reference.asText().substring(1)).isEmpty(), reference.asText());
        }
    }

    @Test
    void partsOfThePathAreParameters() {
        List<String> names = new ArrayList<>();
        document.at("/paths/~1v1~1machines~1{name}~1{action}/post/parameters")
                .forEach(p ->
                        names.add(p.path("in").asText() + " " + p.path("name").asText()));
        assertEquals(List.of("path name", "path action", "query tenant", "header Idempotency-Key"), names);
        assertEquals(
                "#/components/schemas/Machine",
                document.at("/components/schemas/MachinesList/properties/machines/items/$ref")
                        .asText());
        assertEquals(
                "#/components/schemas/MachinesList",
                document.at("/paths/~1v1~1machines/get/responses/200/content/application~1json/schema/$ref")
                        .asText());
    }

    @Test
    void propertiesHaveMeaningsFormsAndWords() {
        JsonNode entry = document.at("/components/schemas/HistoryEntry");
        assertEquals("One line of history.", entry.path("description").asText());
        assertEquals(
                "the notice promised",
                entry.at("/properties/promised/description").asText());
        assertEquals("date-time", entry.at("/properties/at/format").asText());
        assertTrue(entry.path("required").toString().contains("\"kind\""));
        assertTrue(entry.at("/properties/cause/enum").toString().contains("\"host-reboot\""));
    }

    private JsonNode operation(Route route) {
        return document.path("paths").path(route.template()).path(route.method().toLowerCase(Locale.ROOT));
    }

    private static JsonNode document() {
        try {
            return Json.mapper().readTree(OpenApi.document());
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
