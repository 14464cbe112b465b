package io.forewarn.server.control;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.control.ControlHarness.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an owner tries at the expense of others, over HTTP. */
final class TenantLimitsApiTest {
    private static final String FLEET = "/v1/fleet";

    @TempDir
    private Path folder;

    private ControlHarness harness;
    private String owner;

    private void open(Map<String, String> settings) throws Exception {
        harness = new ControlHarness(folder, settings);
        owner = harness.post("/v1/tokens", "{\"name\":\"team\",\"role\":\"owner\",\"tenant\":\"shop\"}")
                .json()
                .path("secret")
                .asText();
        assertFalse(owner.isEmpty());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private Reply owner(String method, String path, String body) throws Exception {
        return harness.ask(method, path, body, owner, Map.of());
    }

    private static String machines(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"machine\":{\"name\":\"" + prefix + i + "\"}}\n")
                .collect(Collectors.joining());
    }

    /** The attack in full took 2 GiB: three files of 990,000 machines. */
    @Test
    void anOwnersFleetStopsAtItsQuotas() throws Exception {
        open(Map.of("tenants.machines", "100", "tenants.groups", "100"));
        assertEquals(200, owner("PUT", FLEET, machines("a", 90)).status());
        for (String more : new String[] {"b", "c", "d"}) {
            Reply refused = owner("PUT", FLEET, machines(more, 90));
            assertEquals(429, refused.status(), refused.json().toString());
            assertEquals("limit-exceeded", refused.json().path("problem").asText());
        }
        assertEquals(200, owner("PUT", "/v1/machines/b0", "{}").status());
        Reply shown = owner("GET", "/v1/tenants/shop", "");
        assertEquals(
                91,
                shown.json().at("/quotas/machines/used").asInt(),
                shown.json().toString());
        assertEquals(100, shown.json().at("/quotas/machines/limit").asInt());

        Reply raised = harness.put("/v1/tenants/shop", "{\"quotas\":{\"machines\":200,\"groups\":200}}");
        assertEquals(200, raised.status(), raised.json().toString());
        assertEquals(200, owner("PUT", FLEET, machines("c", 90)).status());
        assertEquals(
                403,
                owner("PUT", "/v1/tenants/shop", "{\"quotas\":{\"machines\":9000}}")
                        .status());
        assertEquals(
                200,
                harness.put("/v1/tenants/shop", "{\"resetQuotas\":[\"machines\",\"groups\"]}")
                        .status());
        assertEquals(429, owner("PUT", "/v1/machines/z", "{}").status());
    }

    @Test
    void tokensPoliciesWebhooksAndMailsStopAtTheirs() throws Exception {
        open(Map.of(
                "tenants.tokens", "2",
                "tenants.policies", "1",
                "tenants.webhooks", "1",
                "tenants.mail-subscriptions", "1",
                "notifications.smtp.host", "127.0.0.1",
                "notifications.smtp.from", "a@example.org"));
        assertEquals(200, owner("PUT", FLEET, machines("a", 2)).status());
        // The token this test asks with is the first.
        assertEquals(
                200,
                owner("POST", "/v1/tokens", "{\"name\":\"t1\",\"role\":\"viewer\"}")
                        .status());
        assertEquals(
                429,
                owner("POST", "/v1/tokens", "{\"name\":\"t2\",\"role\":\"viewer\"}")
                        .status());
        assertEquals(
                200,
                owner("POST", "/v1/policies", "{\"group\":\"a0\",\"notice\":\"1h\"}")
                        .status());
        assertEquals(
                429,
                owner("POST", "/v1/policies", "{\"group\":\"a1\",\"notice\":\"1h\"}")
                        .status());
        String hook = "\",\"url\":\"https://example.org/\"}";
        assertEquals(200, owner("POST", "/v1/webhooks", "{\"name\":\"w1" + hook).status());
        assertEquals(429, owner("POST", "/v1/webhooks", "{\"name\":\"w2" + hook).status());
        String mail = "\",\"to\":[\"a@example.org\"]}";
        assertEquals(
                200,
                owner("POST", "/v1/mail-subscriptions", "{\"name\":\"m1" + mail).status());
        assertEquals(
                429,
                owner("POST", "/v1/mail-subscriptions", "{\"name\":\"m2" + mail).status());
    }

    /** Also what an operator sends is weighed before it is kept. */
    @Test
    void aFleetThatWouldTakeMoreMemoryThanThereIsIsRefused() throws Exception {
        open(Map.of("fleet.memory-percent", "1"));
        long heap = Runtime.getRuntime().maxMemory() / 100;
        String tags = IntStream.range(0, 64)
                .mapToObj(i -> "\"t" + i + "\":\"" + "x".repeat(1000) + "\"")
                .collect(Collectors.joining(","));
        StringBuilder file = new StringBuilder();
        for (int i = 0; (long) i * 64 * 2000 < heap; i++) {
            file.append("{\"machine\":{\"name\":\"m").append(i).append("\",\"tags\":{" + tags + "}}}\n");
        }
        Reply refused = harness.put(FLEET, file.toString());
        assertEquals(413, refused.status(), refused.json().toString());
        assertTrue(refused.error().contains("fleet.memory-percent, 1 %"), refused.error());
        // What was reserved for it is free again.
        assertEquals(200, harness.put(FLEET, machines("a", 10)).status());
    }

    @Test
    void anOwnersFileIsSmallerThanAnOperators() throws Exception {
        open(Map.of("tenants.max-file-bytes", "1000", "fleet.max-file-bytes", "2000"));
        assertEquals(413, owner("PUT", FLEET, "#" + "x".repeat(1000)).status());
        assertEquals(
                200,
                owner("PUT", FLEET, "#" + "x".repeat(950) + "\nmachines: [{name: a}]")
                        .status());
        assertEquals(
                200,
                harness.put(FLEET, "#" + "x".repeat(1900) + "\nmachines: [{name: b}]")
                        .status());
        assertEquals(413, harness.put(FLEET, "#" + "x".repeat(2000)).status());
        try (Socket endless = new Socket(
                harness.service().control().host(), harness.service().control().port())) {
            endless.setSoTimeout(30_000);
            OutputStream out = endless.getOutputStream();
            out.write(("PUT /v1/fleet HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + owner
                            + "\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(("7d0\r\n" + "#".repeat(2000) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
            byte[] status = endless.getInputStream().readNBytes(12);
            assertEquals("HTTP/1.1 413", new String(status, StandardCharsets.US_ASCII));
        }
    }

    /** One long line of YAML cost its square in time. */
    @Test
    void aLongLineOfYamlIsRefusedAndTheSameAsJsonIsNot() throws Exception {
        open(Map.of());
        String items = IntStream.range(0, 6000)
                .mapToObj(i -> "{\"name\":\"m" + i + "\"}")
                .collect(Collectors.joining(","));
        Reply yaml = owner("PUT", FLEET, "machines: [" + items + "]");
        assertEquals(400, yaml.status());
        assertEquals("line 1: is longer than 65536 bytes; break it, or write the fleet as JSON", yaml.error());
        Reply json = owner("PUT", FLEET, "{\"machines\":[" + items + "]}");
        assertEquals(200, json.status(), json.json().toString());
    }

    @Test
    void anOwnerTakesNeitherAddressesNorHosts() throws Exception {
        open(Map.of());
        assertEquals(
                200,
                harness.put("/v1/machines/shop%2Fa", "{\"host\":\"rack-1\",\"addresses\":[\"10.0.0.1\"]}")
                        .status());
        Reply stolen = owner("PUT", "/v1/machines/thief", "{\"addresses\":[\"10.0.0.9\"]}");
        assertEquals(403, stolen.status());
        assertTrue(stolen.error().contains("forewarn tenant set shop --addresses"), stolen.error());
        Reply placed = owner("PUT", FLEET, "machines:\n  - {name: x, host: host-1}\n  - {name: y, host: host-1}\n");
        assertEquals(403, placed.status());
        assertEquals(2, placed.json().path("details").size(), placed.json().toString());

        String exported = owner("GET", "/v1/fleet", "").response().body();
        Reply again = owner("PUT", FLEET, exported);
        assertEquals(200, again.status(), again.json().toString());

        assertEquals(
                200,
                harness.put("/v1/tenants/shop", "{\"addresses\":[\"10.0.0.0/28\"],\"hosts\":[\"rack-*\"]}")
                        .status());
        assertEquals(
                200,
                owner("PUT", "/v1/machines/b", "{\"host\":\"rack-2\",\"addresses\":[\"10.0.0.9\"]}")
                        .status());
        assertEquals(
                403,
                owner("PUT", "/v1/machines/b", "{\"addresses\":[\"10.0.0.16\"]}")
                        .status());
        Reply shown = owner("GET", "/v1/tenants/shop", "");
        assertEquals("[\"10.0.0.0/28\"]", shown.json().path("addresses").toString());
        for (String wrong : new String[] {
            "{\"addresses\":[\"10.0.0.1/8\"]}",
            "{\"addresses\":[null]}",
            "{\"hosts\":[\"\"]}",
            "{}",
            "{\"quotas\":{\"machine\":1}}",
            "{\"quotas\":{\"machines\":-1}}",
            "{\"quotas\":{\"machines\":null}}"
        }) {
            assertEquals(400, harness.put("/v1/tenants/shop", wrong).status(), wrong);
        }
    }

    @Test
    void anOwnersNoticeIsBounded() throws Exception {
        open(Map.of("tenants.max-notice", "2d"));
        assertEquals(200, owner("PUT", "/v1/machines/a", "{}").status());
        assertEquals(403, owner("POST", "/v1/policies", "{\"notice\":\"365d\"}").status());
        assertEquals(
                400,
                owner("POST", "/v1/machines/a/restart", "{\"notice\":\"3d\"}").status());
        assertEquals(
                200,
                harness.post("/v1/policies", "{\"tenant\":\"shop\",\"notice\":\"30d\"}")
                        .status());
        assertEquals(200, owner("POST", "/v1/policies", "{\"notice\":\"2d\"}").status());
        assertEquals(
                200,
                owner("POST", "/v1/machines/a/restart", "{\"notice\":\"2d\"}").status());
    }

    @Test
    void anOwnerIsWarnedThatWindowsDelayPlatformWorkForALimitedTime() throws Exception {
        open(Map.of("tenants.max-hold", "10d"));
        assertEquals(200, owner("PUT", "/v1/machines/a", "{}").status());
        String weekly = "{\"windows\":[\"sun 12:00 1h UTC\"]}";
        assertTrue(owner("POST", "/v1/policies", weekly).json().path("warning").isMissingNode());
        String months = "{\"tenant\":\"shop\",\"blackouts\":[\"" + LocalDate.now(ZoneOffset.UTC) + ".."
                + LocalDate.now(ZoneOffset.UTC).plusDays(90) + "\"]}";
        String warning =
                owner("POST", "/v1/policies", months).json().path("warning").asText();
        assertTrue(warning.startsWith("platform work would wait for more than 10d"), warning);
        String operator = "{\"tenant\":\"shop\",\"windows\":[]," + months.substring("{\"tenant\":\"shop\",".length());
        assertTrue(harness.post("/v1/policies", operator).json().path("warning").isMissingNode());
    }

    /** Who keeps files coming in keeps its own tenant waiting and nobody else. */
    @Test
    void aTenantHasFewFilesUnderWay() throws Exception {
        open(Map.of());
        String head = "PUT /v1/fleet HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + owner
                + "\r\nContent-Length: 100\r\n\r\nm";
        Socket[] slow = new Socket[FleetIntake.AT_ONCE + 1];
        try {
            for (int i = 0; i < slow.length; i++) {
                slow[i] = new Socket(
                        harness.service().control().host(),
                        harness.service().control().port());
                slow[i].getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            }
            assertEquals(1, answered(slow), "one too many");
            assertEquals(503, owner("PUT", FLEET, machines("a", 1)).status());
            assertEquals(200, harness.put(FLEET, machines("op", 1)).status());
        } finally {
            for (Socket socket : slow) {
                close(socket);
            }
        }
        until(200, machines("a", 1));
    }

    /** How many have an answer; waits for the first. Whoever is not answered has been let in. */
    private static int answered(Socket... sockets) throws Exception {
        return eventually(
                () -> {
                    int answered = 0;
                    for (Socket socket : sockets) {
                        answered += socket.getInputStream().available() > 0 ? 1 : 0;
                    }
                    return answered;
                },
                answered -> answered > 0);
    }

    private static void close(Socket socket) throws IOException {
        if (socket != null) {
            socket.close();
        }
    }

    private void until(int status, String file) throws Exception {
        eventually(() -> owner("PUT", FLEET, file).status() == status);
    }

    /** The file comes in whole, and is long to read; its sender leaves with the last byte. */
    @Test
    void readingAFileStopsWhenItsSenderDisconnects() throws Exception {
        open(Map.of());
        String file = machines("gone", 400_000);
        try (Socket leaves = new Socket(
                harness.service().control().host(), harness.service().control().port())) {
            OutputStream out = leaves.getOutputStream();
            out.write(("PUT /v1/fleet HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + harness.token()
                            + "\r\nContent-Length: " + file.length() + "\r\n\r\n" + file)
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            awaitReceived(file.length());
        }
        String asked = eventually(
                () -> harness.get("/v1/audit?limit=5").json().toString(), audit -> audit.contains("PUT /v1/fleet"));
        assertTrue(asked.contains("has disconnected; nothing was changed"), asked);
        assertEquals(404, harness.get("/v1/machines/gone0").status());
    }

    /** Waits until a file of this length is on the disk, where it is read from. */
    private static void awaitReceived(long length) throws Exception {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        eventually(() -> {
            try (Stream<Path> files = Files.list(folder)) {
                return files.filter(f -> f.getFileName().toString().contains("fleet"))
                        .anyMatch(f -> f.toFile().length() == length);
            }
        });
    }
}
