package io.forewarn.acceptance.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.server.boot.Service;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.LocalToken;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A whole service under the manual clock with the demo fleet, and its operator without a browser. */
final class ConsoleServer implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, String> settings;
    private Service service;

    ConsoleServer(Path folder) {
        this(folder, Map.of());
    }

    ConsoleServer(Path folder, Map<String, String> more) {
        settings = new HashMap<>(Map.of(
                "listen.metadata", "127.0.0.1:0",
                "listen.control", "127.0.0.1:0",
                "store.location", "sqlite:" + folder.resolve("data"),
                "profile", "test",
                "clock.kind", "manual"));
        settings.putAll(more);
        start();
    }

    private void start() {
        service = Service.start(
                LoadedSettings.load(null, Map.of(), settings), Log.to(line -> {}, LogFormat.LOGFMT), died -> {});
        // After a restart it is at the same address.
        settings.put("listen.control", service.control().toString());
        settings.put("listen.metadata", service.metadata().toString());
    }

    void stop() {
        service.close();
        service = null;
    }

    void startAgain() {
        start();
    }

    HostPort control() {
        return service.control();
    }

    String url() {
        return "http://" + settings.get("listen.control");
    }

    /** A link that signs in as the server's own user. */
    String link(String path) {
        return url() + service.signInPath().replace("/console/#", "/console" + path + "#");
    }

    /** As an operator; it must succeed. */
    JsonNode ask(String method, String path, String body) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
                    .header(
                            "Authorization",
                            "Bearer " + LocalToken.find(control()).orElseThrow())
                    .method(method, BodyPublishers.ofString(body))
                    .build();
            HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new AssertionError(method + " " + path + ": " + response.body());
            }
            return JSON.readTree(response.body());
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    JsonNode post(String path, String body) {
        return ask("POST", path, body);
    }

    void advance(String by) {
        post("/v1/clock/advance", "{\"by\":\"" + by + "\"}");
    }

    /** The secret of a new token. */
    String token(String name, String role, String tenant) {
        return post("/v1/tokens", "{\"name\":\"%s\",\"role\":\"%s\",\"tenant\":\"%s\"}".formatted(name, role, tenant))
                .path("secret")
                .asText();
    }

    /** As the first machine of the demo fleet, or the second, and so on. */
    void poll(int machine) {
        poll("127.0.0." + (machine + 1));
    }

    /** As the machine with an address. */
    void poll(String address) {
        HostPort metadata = service.metadata();
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(address, 0));
            socket.connect(new InetSocketAddress(metadata.host(), metadata.port()));
            String request = "GET /metadata/scheduledevents?api-version=2020-07-01 HTTP/1.1\r\nHost: " + metadata
                    + "\r\nMetadata: true\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Override
    public void close() {
        if (service != null) {
            service.close();
        }
    }
}
