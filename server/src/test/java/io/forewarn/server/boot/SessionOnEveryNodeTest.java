package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes on a real etcd, and a browser that signed in at one of them. */
class SessionOnEveryNodeTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private final List<Service> nodes = new ArrayList<>();
    private ServicesOnEtcd on;

    @BeforeEach
    void startAll() throws Exception {
        on = new ServicesOnEtcd(folder);
        for (int i = 0; i < 2; i++) {
            nodes.add(on.start(Map.of("cluster.lease", "30s", "profile", "test")));
        }
        eventually(() -> String.join("\n", on.log()), () -> !JSON.readTree(
                        on.ask(nodes.get(0).control(), "GET", "/v1/status", "", 200))
                .path("writer")
                .isNull());
    }

    @AfterEach
    void endAll() {
        nodes.forEach(Service::close);
        if (on != null) {
            on.close();
        }
    }

    private HttpResponse<String> asBrowser(Service node, String cookie, String method, String path) throws Exception {
        return on.send(HttpRequest.newBuilder(URI.create("http://" + node.control() + path))
                .header("Cookie", cookie)
                .header("Forewarn-Console", "1")
                .method(method, BodyPublishers.noBody()));
    }

    private String signIn(Service node, String token) throws Exception {
        HttpResponse<String> signedIn =
                on.send(HttpRequest.newBuilder(URI.create("http://" + node.control() + "/v1/session"))
                        .header("Authorization", "Bearer " + token)
                        .method("POST", BodyPublishers.noBody()));
        assertEquals(200, signedIn.statusCode(), signedIn.body());
        return signedIn.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    }

    @Test
    void aSessionIsValidAtBothAndEndsAtBoth() throws Exception {
        JsonNode token = JSON.readTree(
                on.ask(nodes.get(0).control(), "POST", "/v1/tokens", "{\"name\":\"ops\",\"role\":\"operator\"}", 200));
        String cookie = signIn(nodes.get(0), token.path("secret").asText());
        for (Service node : nodes) {
            eventually(
                    () -> "the other node did not hear of the token",
                    () -> asBrowser(node, cookie, "GET", "/v1/status").statusCode() == 200);
            HttpResponse<String> changed = asBrowser(node, cookie, "POST", "/v1/machines/db-1/freeze");
            assertTrue(List.of(200, 409).contains(changed.statusCode()), changed.body());
        }
        on.ask(nodes.get(1).control(), "DELETE", "/v1/tokens/ops", "", 200);
        for (Service node : nodes) {
            eventually(
                    () -> "the session goes on",
                    () -> asBrowser(node, cookie, "GET", "/v1/status").statusCode() == 401);
        }
    }

    @Test
    void theLocalUserOfOneNodeIsKnownAtTheOther() throws Exception {
        String link = nodes.get(0).signInPath();
        String cookie = signIn(nodes.get(0), link.substring(link.indexOf("fwl_")));
        assertEquals(200, asBrowser(nodes.get(1), cookie, "GET", "/v1/status").statusCode());
        assertEquals(
                200,
                asBrowser(nodes.get(1), cookie, "POST", "/v1/machines/db-1/freeze")
                        .statusCode());
    }
}
