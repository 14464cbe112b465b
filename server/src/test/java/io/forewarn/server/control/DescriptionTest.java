package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.forewarn.server.control.AccessSamples.Ask;
import io.forewarn.server.control.ControlHarness.Reply;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.guest.GuestRoute;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the served description says and what the running service does are the same. */
final class DescriptionTest {
    private static final List<String> METHODS = List.of("GET", "PUT", "POST", "DELETE", "PATCH");
    private static final String NOBODY = "602D9444-D2CD-49C7-8624-8643E7171297";

    @TempDir
    private Path folder;

    private final ObjectMapper json = new ObjectMapper();
    private ControlHarness harness;
    private JsonNode document;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(
                folder,
                Map.of(
                        "notifications.allowed-targets", "127.0.0.0/8",
                        "notifications.smtp.host", "127.0.0.1",
                        "notifications.smtp.port", "9",
                        "notifications.smtp.from", "forewarn@example.org",
                        "notifications.timeout", "1s"));
        document = harness.get("/v1/openapi.json").json();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void eachPathTakesTheMethodsThatAreDescribedAndNoOthers() throws Exception {
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            Set<String> described = described(path.getKey());
            assertFalse(described.isEmpty(), path.getKey());
            if (path.getKey().startsWith("/forewarn/")) {
                assertEquals(described, takenByGuests(path.getKey()), path.getKey());
            } else {
                assertEquals(described, taken(path.getKey()), path.getKey());
            }
        }
    }

    /** By all descriptions that fit: {@code /v1/rollouts/plan} is also the name of a rollout. */
    private Set<String> described(String template) {
        Set<String> methods = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            if (template.matches(path.getKey().replaceAll("\\{\\w+}", "[^/]+"))) {
                METHODS.stream()
                        .filter(m -> path.getValue().has(m.toLowerCase(Locale.ROOT)))
                        .forEach(methods::add);
            }
        }
        return methods;
    }

    private Set<String> taken(String template) throws Exception {
        Set<String> taken = new TreeSet<>();
        for (String method : METHODS) {
            // Nonsense for names and query, so that whatever is known is refused as that.
            String path = template.replaceAll("\\{\\w+}", "no%20such%20thing") + "?no-such-parameter=1";
            Reply reply = harness.ask(method, path, "", harness.token(), Map.of());
            boolean known = reply.status() != 405 && !reply.error().startsWith("there is nothing at ");
            if (known) {
                taken.add(method);
            }
        }
        return taken;
    }

    private Set<String> takenByGuests(String template) throws Exception {
        Set<String> taken = new TreeSet<>();
        for (String method : METHODS) {
            int status = guest(method, template.replace("{id}", NOBODY), "").statusCode();
            if (status != 405 && !(status == 404 && !template.contains("{id}"))) {
                taken.add(method);
            }
        }
        return taken;
    }

    @Test
    void undescribedRoutesDoNotExist() throws Exception {
        for (String path : List.of("/v1", "/v1/", "/v1/nothing", "/v1/groups/", "/v1/machines/a/b/c", "/v2/status")) {
            assertEquals(404, harness.get(path).status(), path);
        }
        for (Route route : Route.values()) {
            assertTrue(
                    document.path("paths")
                            .path(route.template())
                            .has(route.method().toLowerCase(Locale.ROOT)),
                    route.name());
        }
        for (GuestRoute route : GuestRoute.values()) {
            assertTrue(
                    document.path("paths")
                            .path(route.template())
                            .has(route.method().toLowerCase(Locale.ROOT)),
                    route.name());
        }
    }

    @Test
    void everyRouteAnswersAsItIsDescribed() throws Exception {
        AccessSamples samples = new AccessSamples(harness, "shop");
        harness.post("/v1/rollouts", "{\"name\":\"os-1\",\"type\":\"reboot\",\"groups\":[\"web\"]}");
        harness.post("/v1/policies", "{\"group\":\"web\",\"notice\":\"30m\",\"approval\":\"all\"}");
        harness.post("/v1/clock/advance", "{\"by\":\"20m\"}");
        int checked = 0;
        for (Route route : Route.values()) {
            Ask ask = samples.ask(route);
            Reply reply = harness.ask(route.method(), ask.path(), ask.body(), harness.token(), Map.of());
            assertEquals(200, reply.status(), route + " " + reply.response().body());
            if (!ask.body().isEmpty() && route.body().isPresent()) {
                mustFit(
                        json.readTree(ask.body()),
                        schema(route.template(), route.method(), "/requestBody"),
                        route + " is asked with");
            }
            checked += mustFit(reply.response(), route.template(), route.method(), route.name()) ? 1 : 0;
        }
        assertTrue(checked > 30, "only " + checked + " answers were JSON");
    }

    @Test
    void eventsInEveryStateAnswerAsTheyAreDescribed() throws Exception {
        harness.post("/v1/policies", "{\"ownerPostponements\":\"3x2h\",\"guestPostponements\":\"3x2h\"}");
        harness.post("/v1/actions/restart", "{\"machines\":[\"FrontEnd_IN_0\",\"FrontEnd_IN_1\"],\"notice\":\"20m\"}");
        String id = harness.get("/v1/events?machine=FrontEnd_IN_0")
                .json()
                .at("/events/0/id")
                .asText();
        for (GuestRoute route :
                List.of(GuestRoute.EVENTS, GuestRoute.POSTPONE, GuestRoute.READY, GuestRoute.RECOVERED)) {
            String body = route == GuestRoute.POSTPONE ? "{\"by\":\"15m\"}" : "";
            HttpResponse<String> reply = guest(route.method(), route.template().replace("{id}", id), body);
            assertEquals(200, reply.statusCode(), route + reply.body());
            assertTrue(mustFit(reply, route.template(), route.method(), route.name()));
        }
        HttpResponse<String> refused = guest("POST", GuestRoute.READY.template().replace("{id}", NOBODY), "");
        mustFit(
                json.readTree(refused.body()),
                response(GuestRoute.READY.template(), "POST", String.valueOf(refused.statusCode())),
                "a machine's refusal");
        harness.post("/v1/machines/db-1/fail", "");
        for (String moved : List.of("1s", "14m", "20m", "10m")) {
            harness.post("/v1/clock/advance", "{\"by\":\"" + moved + "\"}");
            for (Route route :
                    List.of(Route.EVENTS, Route.HISTORY, Route.REPORT_NOTICE, Route.MACHINES, Route.STATUS)) {
                mustFit(harness.get(route.template()).response(), route.template(), "GET", route + " after " + moved);
            }
            mustFit(harness.get("/v1/events/" + id).response(), Route.EVENT.template(), "GET", "the event");
        }
        JsonNode some = harness.get("/v1/history?limit=1").json();
        assertTrue(some.has("next"));
        mustFit(some, response(Route.HISTORY.template(), "GET", "200"), "a list that was cut");
    }

    @Test
    void refusalsAnswerAsTheyAreDescribed() throws Exception {
        String restart = "/v1/machines/FrontEnd_IN_0/restart";
        harness.post(restart, "");
        refused(409, "POST", restart, "/v1/machines/{name}/{action}", harness.token());
        refused(404, "POST", "/v1/machines/FrontEnd_IN_9/restart", "/v1/machines/{name}/{action}", harness.token());
        refused(401, "GET", "/v1/status", "/v1/status", "nobody");
        refused(400, "GET", "/v1/machines?limit=x", "/v1/machines", harness.token());
        String viewer = harness.post("/v1/tokens", "{\"name\":\"v\",\"role\":\"viewer\",\"tenant\":\"shop\"}")
                .json()
                .path("secret")
                .asText();
        refused(403, "POST", "/v1/rollouts", "/v1/rollouts", viewer);
        // Every fault on a line of its own.
        Reply faults = harness.put("/v1/fleet", "machines:\n  - {nmae: a}\n  - {naem: b}\n");
        assertTrue(faults.json().path("details").size() > 1);
        mustFit(faults.json(), response("/v1/fleet", "PUT", "400"), "several faults");
    }

    private void refused(int status, String method, String path, String template, String token) throws Exception {
        Reply reply = harness.ask(method, path, "", token, Map.of());
        assertEquals(status, reply.status(), path);
        mustFit(reply.json(), response(template, method, String.valueOf(status)), path);
    }

    /** False if it is no JSON, and as such described. */
    private boolean mustFit(HttpResponse<String> reply, String template, String method, String what) throws Exception {
        String type = reply.headers().firstValue("Content-Type").orElse("").split(";")[0];
        JsonNode content = document.path("paths")
                .path(template)
                .path(method.toLowerCase(Locale.ROOT))
                .at("/responses/200/content");
        assertTrue(content.has(type), what + " answered with " + type + ", described are " + content);
        if (!type.equals("application/json")) {
            return false;
        }
        mustFit(json.readTree(reply.body()), response(template, method, "200"), what);
        return true;
    }

    private void mustFit(JsonNode reply, JsonSchema schema, String what) {
        List<String> faults = new ArrayList<>();
        for (ValidationMessage fault :
                schema.validate(reply, context -> context.getExecutionConfig().setFormatAssertionsEnabled(true))) {
            faults.add(fault.getMessage());
        }
        assertEquals(List.of(), faults, what + ": " + reply);
    }

    private JsonSchema response(String template, String method, String status) {
        JsonNode response = document.path("paths")
                .path(template)
                .path(method.toLowerCase(Locale.ROOT))
                .path("responses")
                .path(status);
        assertFalse(response.isMissingNode(), method + " " + template + " does not describe " + status);
        if (response.has("$ref")) {
            return schema(response.path("$ref").asText().substring(1));
        }
        return schema(template, method, "/responses/" + status);
    }

    private JsonSchema schema(String template, String method, String under) {
        String path = template.replace("~", "~0").replace("/", "~1");
        return schema("/paths/" + path + "/" + method.toLowerCase(Locale.ROOT) + under);
    }

    /** With all schemas beside it, and closed: what is not described must not be said. */
    private JsonSchema schema(String holder) {
        JsonNode found = document.at(holder + "/content/application~1json/schema");
        assertFalse(found.isMissingNode(), holder);
        ObjectNode whole = json.createObjectNode();
        whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        whole.setAll((ObjectNode) found.deepCopy());
        whole.set("components", document.path("components").deepCopy());
        closed(whole.path("components").path("schemas"));
        closed(whole);
        SchemaValidatorsConfig config = SchemaValidatorsConfig.builder().build();
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(whole, config);
    }

    private static void closed(JsonNode node) {
        if (node instanceof ObjectNode object
                && object.path("type").asText().equals("object")
                && object.has("properties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(DescriptionTest::closed);
    }

    private HttpResponse<String> guest(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://" + harness.service().metadata() + path))
                .header("Metadata", "true")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
