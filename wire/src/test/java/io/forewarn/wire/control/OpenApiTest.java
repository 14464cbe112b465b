package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class OpenApiTest {
    private final JsonNode document = document();

    @Test
    void everyRouteIsInIt() {
        for (Route route : Route.values()) {
            JsonNode operation = document.path("paths")
                    .path(route.template())
                    .path(route.method().toLowerCase(Locale.ROOT));
            assertEquals(Words.of(route), operation.path("operationId").asText(), route.name());
            assertEquals(route.open(), operation.has("security"), route.name());
        }
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        List<JsonNode> references = document.findValues("$ref");
        assertFalse(references.isEmpty());
        for (JsonNode reference : references) {
            assertFalse(
                    document.at(reference.asText().substring(1))
                            .path("properties")
                            .isEmpty(),
                    reference.asText());
        }
    }

    @Test
    void partsOfThePathAreParameters() {
        List<String> names = new ArrayList<>();
        document.at("/paths/~1v1~1machines~1{name}~1{action}/post/parameters")
                .forEach(p ->
                        names.add(p.path("in").asText() + " " + p.path("name").asText()));
        assertEquals(List.of("path name", "path action", "query tenant"), names);
        assertEquals(
                "#/components/schemas/Machine",
                document.at(
                                "/paths/~1v1~1machines/get/responses/200/content/application~1json/schema/properties/machines"
                                        + "/items/$ref")
                        .asText());
    }

    private static JsonNode document() {
        try {
            return Json.mapper().readTree(OpenApi.document());
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
