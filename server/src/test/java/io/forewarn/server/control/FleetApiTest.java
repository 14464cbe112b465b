package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.control.ControlHarness.Reply;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FleetApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws IOException {
        harness = new ControlHarness(folder, Map.of());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void applyingAnExportChangesNothing() throws Exception {
        for (String format : new String[] {"yaml", "jsonl"}) {
            String file = harness.get("/v1/fleet?format=" + format).response().body();
            Reply applied = harness.put("/v1/fleet?prune=true", file);
            assertEquals(200, applied.status(), applied.json().toString());
            assertEquals(0, applied.json().path("changes").asInt(), file);
        }
        assertEquals(400, harness.get("/v1/fleet?format=xml").status());
    }

    @Test
    void allProblemsOfAFileAreReportedAndNothingChanges() throws Exception {
        String before = harness.get("/v1/fleet").response().body();
        Reply wrong = harness.put("/v1/fleet", "machines:\n  - {name: new-1}\n  - {nam: a}\n  - {name: b, spot: 1}\n");
        assertEquals(400, wrong.status());
        assertEquals("3 faults", wrong.error());
        assertEquals(
                "line 3: unknown key 'nam'; did you mean 'name'?",
                wrong.json().path("details").get(0).asText());
        Reply clash =
                harness.put("/v1/fleet", "machines:\n  - {name: new-1}\n  - {name: new-2, addresses: [127.0.0.1]}\n");
        assertEquals(400, clash.status());
        assertTrue(clash.error().startsWith("line 3: "), clash.error());
        assertEquals(before, harness.get("/v1/fleet").response().body());
    }

    @Test
    void aFileAddsAndChangesAndWithPruneRemoves() throws Exception {
        String file = "machines:\n  - {name: db-1, host: host-9, addresses: [127.0.0.21]}\n  - {name: db-2}\n";
        assertEquals(200, harness.put("/v1/fleet", file).status());
        assertEquals(
                "host-9", harness.get("/v1/machines/db-1").json().path("host").asText());
        assertEquals(11, harness.get("/v1/status").json().path("machines").asInt() + 1);
        assertEquals(200, harness.put("/v1/fleet?prune=true", file).status());
        assertEquals(2, harness.get("/v1/status").json().path("machines").asInt());
        assertEquals(400, harness.put("/v1/fleet?prune=perhaps", file).status());
    }

    @Test
    void aMachineWithAnOpenEventStays() throws Exception {
        harness.post("/v1/machines/db-1/restart", "");
        Reply refused = harness.delete("/v1/machines/db-1");
        assertTrue(
                refused.status() == 400 || refused.status() == 409,
                refused.json().toString());
        assertTrue(refused.error().contains("db-1"), refused.error());
        assertEquals(200, harness.get("/v1/machines/db-1").status());
    }

    @Test
    void groupsAndMachinesAreAddedAndRemovedOneByOne() throws Exception {
        Reply group = harness.put("/v1/groups/api", "{\"kind\":\"cloud-service\",\"updateDomains\":3}");
        assertEquals(200, group.status(), group.json().toString());
        Reply machine = harness.put("/v1/machines/api_0", "{\"group\":\"api\",\"addresses\":[\"127.0.0.31\"]}");
        assertEquals(200, machine.status(), machine.json().toString());
        assertEquals(
                "api", harness.get("/v1/machines/api_0").json().path("group").asText());
        assertEquals(
                3, harness.get("/v1/groups/api").json().path("updateDomains").asInt());
        assertEquals(
                400,
                harness.put("/v1/machines/api_1", "{\"group\":\"api\",\"adresses\":[]}")
                        .status());
        assertEquals(
                400, harness.put("/v1/machines/api_1", "{\"tenant\":\"other\"}").status());
        assertEquals(200, harness.delete("/v1/machines/api_0").status());
        assertEquals(404, harness.get("/v1/machines/api_0").status());
        assertEquals(200, harness.delete("/v1/groups/api").status());
        assertEquals(404, harness.delete("/v1/groups/api").status());
    }

    /** curl sends it with every file, and waits a second for what is not said. */
    @Test
    void expectContinueIsAnsweredForAFleetFile() throws Exception {
        for (String target : List.of("PUT /v1/fleet", "PUT /v1/machines/db-7")) {
            try (Socket socket =
                    new Socket("127.0.0.1", harness.service().control().port())) {
                socket.setSoTimeout(10_000);
                say(socket, head(target, 2) + "Expect: 100-continue\r\n\r\n");
                assertEquals("HTTP/1.1 100 Continue", line(socket));
                say(socket, "{}");
                assertEquals("", line(socket));
                assertTrue(line(socket).startsWith("HTTP/1.1 "));
            }
        }
    }

    /** However head and body fall into packets: none may be lost before there is a file to put it in. */
    @Test
    void everyUploadIsAnswered() throws Exception {
        String body = "machines:\n  - {name: db-8}\n";
        for (int i = 0; i < 300; i++) {
            try (Socket socket =
                    new Socket("127.0.0.1", harness.service().control().port())) {
                socket.setSoTimeout(20_000);
                socket.setTcpNoDelay(true);
                int first = i % (body.length() + 1);
                say(socket, head("PUT /v1/fleet", body.length()) + "\r\n" + body.substring(0, first));
                say(socket, body.substring(first));
                assertEquals("HTTP/1.1 200 OK", line(socket));
            }
        }
    }

    private String head(String target, int length) {
        return target + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + harness.token() + "\r\nContent-Length: "
                + length + "\r\n";
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String line(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c >= 0 && c != '\n';
                c = socket.getInputStream().read()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    @Test
    void noListenerTakesTheServicesOwnPlace() throws Exception {
        String metadata = harness.service().metadata().toString();
        String control = harness.service().control().toString();
        int port = harness.service().control().port();
        for (String listen : List.of(metadata, control, "0.0.0.0:" + port, "localhost:" + port, "[::]:" + port)) {
            Reply file = harness.put("/v1/fleet", "machines:\n  - {name: thief, listen: \"" + listen + "\"}\n");
            assertEquals(409, file.status(), listen);
            assertTrue(file.error().contains(listen), file.error());
            assertEquals(
                    409,
                    harness.put("/v1/machines/thief", "{\"listen\":\"" + listen + "\"}")
                            .status(),
                    listen);
        }
        assertEquals(
                400,
                harness.put("/v1/machines/thief", "{\"listen\":\"some.name:9001\"}")
                        .status());
        assertEquals(404, harness.get("/v1/machines/thief").status());
    }

    @Test
    void bigFleetsComeInAndGoOutAsStreams() throws Exception {
        StringBuilder file = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            file.append("{\"machine\":{\"name\":\"m").append(i).append("\"}}\n");
        }
        Reply applied = harness.put("/v1/fleet", file.toString());
        assertEquals(200, applied.status(), applied.json().toString());
        assertEquals(50_009, harness.get("/v1/status").json().path("machines").asInt());
        assertEquals(50_009, harness.get("/v1/machines").json().path("machines").size());
        String exported = harness.get("/v1/fleet?format=jsonl").response().body();
        assertEquals(50_009 + 2, exported.lines().count());
    }
}
