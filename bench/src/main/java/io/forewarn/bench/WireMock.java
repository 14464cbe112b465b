package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** WireMock with the document as a stub, in the mapping itself, without its journal of requests: as fast as it goes. */
final class WireMock extends Running {
    private static final String STUB = """
            {"request": {"method": "GET", "urlPath": "/metadata/scheduledevents",
              "queryParameters": {"api-version": {"equalTo": "2020-07-01"}}, "headers": {"Metadata": {"equalTo": "true"}}},
             "response": {"status": 200, "body": @body@,
              "headers": {"Content-Type": "application/json; charset=utf-8", "ETag": "\\"1\\""}}}
            """;

    private final int port;

    private WireMock(Place place, Path folder, int port) throws IOException {
        super(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        place.wireMock().toString(),
                        "--port",
                        Integer.toString(port),
                        "--bind-address",
                        "127.0.0.1",
                        "--root-dir",
                        folder.toString(),
                        "--no-request-journal",
                        "--disable-request-logging",
                        "--disable-banner"),
                Map.of(),
                place.log("wiremock"));
        this.port = port;
    }

    /** Returns at once; nothing answers yet. */
    static WireMock launch(Place place, byte[] document) throws IOException {
        Path folder = place.folder("wiremock");
        Files.createDirectories(folder.resolve("mappings"));
        String body = new String(Json.write(new String(document, UTF_8)), UTF_8);
        Files.writeString(folder.resolve("mappings/poll.json"), STUB.replace("@body@", body));
        return new WireMock(place, folder, Place.freePort());
    }

    int port() {
        return port;
    }
}
