package io.forewarn.server.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.server.boot.Service;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.wire.control.LocalToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A whole service under the manual clock, and a person who asks it over HTTP. */
final class ControlHarness implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Service service;
    private final String token;

    ControlHarness(Path folder, Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(Map.of(
                "listen.metadata", "127.0.0.1:0",
                "listen.control", "127.0.0.1:0",
                "store.location", "sqlite:" + folder.resolve("data"),
                "profile", "test",
                "clock.kind", "manual"));
        all.putAll(settings);
        service = Service.start(
                LoadedSettings.load(null, Map.of(), all).settings(),
                Log.to(this::complain, LogFormat.LOGFMT),
                died -> {});
        token = LocalToken.find(service.control()).orElseThrow();
    }

    private void complain(String line) {
        log.add(line);
        if (line.contains("level=error")) {
            System.err.println(line);
        }
    }

    /** What an operator reads. */
    List<String> log() {
        return log;
    }

    Service service() {
        return service;
    }

    /** An answer that came as JSON, and its status. */
    record Reply(int status, JsonNode json, HttpResponse<String> response) {
        String error() {
            return json.path("error").asText();
        }
    }

    Reply get(String path) throws Exception {
        return ask("GET", path, "", token, Map.of());
    }

    Reply post(String path, String body) throws Exception {
        return ask("POST", path, body, token, Map.of());
    }

    Reply put(String path, String body) throws Exception {
        return ask("PUT", path, body, token, Map.of());
    }

    Reply delete(String path) throws Exception {
        return ask("DELETE", path, "", token, Map.of());
    }

    /** @param bearer null for no token at all */
    Reply ask(String method, String path, String body, String bearer, Map<String, String> headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + service.control() + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (bearer != null) {
            request.header("Authorization", "Bearer " + bearer);
        }
        headers.forEach(request::header);
        HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
        String type = response.headers().firstValue("Content-Type").orElse("");
        JsonNode json = type.startsWith("application/json") ? JSON.readTree(response.body()) : JSON.createObjectNode();
        return new Reply(response.statusCode(), json, response);
    }

    String token() {
        return token;
    }

    @Override
    public void close() {
        service.close();
    }
}
