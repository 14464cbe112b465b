package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** WireMock with the document as a stub, in the mapping itself, without its journal of requests: as fast as it goes. */
final class WireMockProcess extends ChildProcess {
    private static final String STUB = """
            {"request": {"method": "GET", "urlPath": "/metadata/scheduledevents",
              "queryParameters": {"api-version": {"equalTo": "2020-07-01"}}, "headers": {"Metadata": {"equalTo": "true"}}},
             "response": {"status": 200, "body": @body@,
              "headers": {"Content-Type": "application/json; charset=utf-8", "ETag": "\\"1\\""}}}
            """;

    private final int port;

    private WireMockProcess(BenchSetup setup, Path folder, int port) throws IOException {
        super(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        setup.wireMock().toString(),
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
                setup.log("wiremock"));
        this.port = port;
    }

    /** Returns at once; nothing answers yet. */
    static WireMockProcess launch(BenchSetup setup, byte[] document) throws IOException {
        Path folder = setup.folder("wiremock");
        Files.createDirectories(folder.resolve("mappings"));
        String body = new String(Json.write(new String(document, UTF_8)), UTF_8);
        Files.writeString(folder.resolve("mappings/poll.json"), STUB.replace("@body@", body));
        return new WireMockProcess(setup, folder, BenchSetup.freePort());
    }

    int port() {
        return port;
    }
}
