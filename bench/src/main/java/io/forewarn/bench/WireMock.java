package io.forewarn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** WireMock with the document as a stub, without its journal of requests. */
final class WireMock extends Running {
    private static final String STUB = """
            {"request": {"method": "GET", "urlPath": "/metadata/scheduledevents",
              "queryParameters": {"api-version": {"equalTo": "2020-07-01"}}, "headers": {"Metadata": {"equalTo": "true"}}},
             "response": {"status": 200, "bodyFileName": "document.json",
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
        Files.createDirectories(folder.resolve("__files"));
        Files.writeString(folder.resolve("mappings/poll.json"), STUB);
        Files.write(folder.resolve("__files/document.json"), document);
        return new WireMock(place, folder, Place.freePort());
    }

    int port() {
        return port;
    }
}
