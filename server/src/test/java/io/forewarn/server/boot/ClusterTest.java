package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Eventually;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.StatusBody;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes on a real etcd. */
// Takes more than 20 s: nodes must lose leases of seconds before others take over.
class ClusterTest {
    private static final String EVENTS = "/metadata/scheduledevents?api-version=2020-07-01";

    /** Long enough that a loaded machine does not make another node the writer. */
    private static final String LONG_LEASE = "30s";

    @TempDir
    private Path folder;

    private final List<Service> nodes = new ArrayList<>();
    private ServicesOnEtcd on;

    @BeforeEach
    void startEtcd() throws Exception {
        on = new ServicesOnEtcd(folder);
    }

    private void startAll(String lease) {
        for (int i = 0; i < 3; i++) {
            nodes.add(start(Map.of("cluster.lease", lease)));
        }
    }

    @AfterEach
    void endAll() {
        nodes.forEach(Service::close);
        if (on != null) {
            on.close();
        }
    }

    private Service start(Map<String, String> more) {
        Map<String, String> flags =
                new HashMap<>(Map.of("cluster.lease", LONG_LEASE, "metadata.requests-per-second", "0"));
        flags.putAll(more);
        return on.start(flags);
    }

    private HttpResponse<String> send(HostPort at, String method, String path, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request = ServicesOnEtcd.request(at, method, path, body);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return on.send(request);
    }

    private String ask(HostPort at, String method, String path, String body, int status) throws Exception {
        return on.ask(at, method, path, body, status);
    }

    private String poll(Service node) throws Exception {
        return ask(node.metadata(), "GET", EVENTS, "", 200);
    }

    private StatusBody status(Service node) throws Exception {
        return Json.answer(
                StatusBody.class,
                ask(node.control(), "GET", "/v1/status", "", 200).getBytes());
    }

    private Service writer() throws Exception {
        String writer = status(nodes.get(0)).writer();
        return nodes.stream()
                .filter(n -> n.control().toString().equals(writer))
                .findFirst()
                .orElseThrow();
    }

    private void await(Eventually.Condition condition) {
        eventually(() -> "it never came:\n" + String.join("\n", on.log()), condition);
    }

    private static String eventId(String document) {
        Matcher id = Pattern.compile("\"EventId\":\"([^\"]+)\"").matcher(document);
        assertTrue(id.find(), document);
        return id.group(1);
    }

    @Test
    void commandsAndApprovalsMayComeToAnyNodeAndAllAnswerAlike() throws Exception {
        startAll(LONG_LEASE);
        Service writer = writer();
        List<Service> others = nodes.stream().filter(n -> n != writer).toList();
        assertEquals(3, status(others.get(0)).nodes().size());
        assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}", poll(others.get(0)));
        ask(others.get(1).control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}", 200);
        for (Service node : nodes) {
            await(() -> poll(node).contains("\"EventStatus\":\"Scheduled\""));
        }
        String approval = "{\"StartRequests\":[{\"EventId\":\"" + eventId(poll(others.get(0))) + "\"}]}";
        ask(others.get(0).metadata(), "POST", EVENTS, approval, 200);
        for (Service node : nodes) {
            await(() -> poll(node).contains("\"EventStatus\":\"Started\""));
            assertTrue(poll(node).contains("\"DocumentIncarnation\":3"), poll(node));
        }
        String key = "the-same-key";
        String first = made(others.get(0), key);
        for (Service node : nodes) {
            assertEquals(first, made(node, key));
        }
        // What is wrong is answered by the writer's words.
        ask(others.get(0).control(), "POST", "/v1/machines/nobody/restart", "{}", 404);
        ask(others.get(1).metadata(), "POST", EVENTS, "{\"StartRequests\":[{\"EventId\":\"x\"}]}", 400);
        String history = ask(others.get(1).control(), "GET", "/v1/history?machine=FrontEnd_IN_0", "", 200);
        assertTrue(history.contains("approved"), history);
    }

    @Test
    void readsAtANodeReflectItsEarlierResponses() throws Exception {
        startAll(LONG_LEASE);
        Service writer = writer();
        Service other = nodes.stream().filter(n -> n != writer).findFirst().orElseThrow();
        poll(other);
        ask(other.control(), "POST", "/v1/policies", "{\"tenant\":\"default\",\"guestPostponements\":\"1x1h\"}", 200);
        for (int round = 0; round < 30; round++) {
            String asked = done(other.control(), "/v1/machines/FrontEnd_IN_0/restart", "{}", told -> poll(other)
                    .contains(made(told)));
            String event = "/events/" + made(asked);
            done(
                    other.metadata(),
                    "/forewarn/v1" + event + "/postpone",
                    "{\"by\":\"1m\"}",
                    told -> told.contains("\"postponed\""));
            done(other.control(), "/v1" + event + "/cancel", "{}", told -> poll(other)
                    .endsWith("\"Events\":[]}"));
        }
    }

    private interface Proof {
        boolean holds(String answer) throws Exception;
    }

    /** Asks, and looks at once. A node waits no longer than a second to know what it answers: after a slow answer it may not. */
    private String done(HostPort at, String path, String body, Proof proof) throws Exception {
        long began = System.nanoTime();
        String answer = ask(at, "POST", path, body, 200);
        boolean slow = System.nanoTime() - began > Duration.ofMillis(900).toNanos();
        assertTrue(slow || proof.holds(answer), answer);
        return answer;
    }

    @Test
    void anyNodeTakesAsMuchAsTheWriterAndNoMore() throws Exception {
        startAll(LONG_LEASE);
        Service writer = writer();
        Service other = nodes.stream().filter(n -> n != writer).findFirst().orElseThrow();
        StringBuilder fleet = new StringBuilder();
        int machines = 16_000;
        for (int i = 0; i < machines / 50; i++) {
            fleet.append("{\"group\":{\"name\":\"g-").append(i).append("\"}}\n");
        }
        for (int i = 0; i < machines; i++) {
            fleet.append("{\"machine\":{\"name\":\"m-")
                    .append(i)
                    .append("\",\"group\":\"g-")
                    .append(i / 50)
                    .append("\",\"addresses\":[\"10.1.")
                    .append(i / 250)
                    .append('.')
                    .append(i % 250)
                    .append("\"]}}\n");
        }
        assertTrue(fleet.length() > 1 << 20, "more than any other body");
        ask(other.control(), "PUT", "/v1/fleet", fleet.toString(), 200);
        await(() -> status(other).machines() >= machines);
        for (Service node : nodes) {
            ask(node.control(), "POST", "/v1/tokens", "{\"name\":\"" + "a".repeat(1 << 20) + "\"}", 413);
        }
        ask(other.control(), "PUT", "/v1/fleet", "machines: [{nome: x}]", 400);
        await(() -> ask(writer.control(), "GET", "/v1/audit", "", 200).contains("\"PUT /v1/fleet\""));
        String audit = ask(other.control(), "GET", "/v1/audit", "", 200);
        assertTrue(!audit.contains("/internal"), audit);
    }

    /** The id of the event that was made, now or before under this key. */
    private String made(Service node, String key) throws Exception {
        String body = send(node.control(), "POST", "/v1/machines/db-1/restart", "{}", "Idempotency-Key", key)
                .body();
        return made(body);
    }

    private static String made(String body) {
        Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(body);
        assertTrue(id.find(), body);
        return id.group(1);
    }

    @Test
    void aKeyIsTheSameAtEveryNodeForEveryToken() throws Exception {
        startAll(LONG_LEASE);
        Service writer = writer();
        String made = ask(writer.control(), "POST", "/v1/tokens", "{\"name\":\"ci\"}", 200);
        String token = made.replaceFirst("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
        Set<String> events = new HashSet<>();
        for (Service node : nodes) {
            await(() -> asked(node, "GET", "/v1/status", token).statusCode() == 200);
            HttpResponse<String> answer = asked(node, "POST", "/v1/machines/FrontEnd_IN_0/restart", token);
            assertEquals(200, answer.statusCode(), answer.body());
            events.add(made(answer.body()));
        }
        assertEquals(1, events.size(), events::toString);
    }

    private HttpResponse<String> asked(Service node, String method, String path, String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + node.control() + path))
                .header("Authorization", "Bearer " + token)
                .header("Idempotency-Key", "one")
                .timeout(Duration.ofSeconds(60))
                .method(method, HttpRequest.BodyPublishers.ofString(""))
                .build();
        return on.http().send(request, BodyHandlers.ofString());
    }

    @Test
    void aFleetFileIsAppliedWhicheverNodeIsStartedWithIt() throws Exception {
        startAll(LONG_LEASE);
        Service writer = writer();
        long before = changes(writer);
        Path file = Files.writeString(
                folder.resolve("fleet.yaml"), "groups: [{name: late}]\nmachines: [{name: late-0, group: late}]\n");
        Service first = start(Map.of("fleet.file", file.toString()));
        nodes.add(first);
        assertTrue(first.knows(new MachineId("default", "late-0")), "it is there when the node is");
        for (Service node : nodes) {
            await(() -> node.knows(new MachineId("default", "late-0")));
        }
        assertEquals(before + 1, changes(writer));
        Service second = start(Map.of("fleet.file", file.toString()));
        nodes.add(second);
        assertEquals(before + 1, changes(writer), "where nothing differs nothing is asked for");

        Files.writeString(file, "machines: [{name: late-0, group: nowhere, adresses: []}]\n");
        RefusedException wrong =
                assertThrows(RefusedException.class, () -> start(Map.of("fleet.file", file.toString())));
        assertEquals(Problem.BAD_INPUT, wrong.problem(), wrong.getMessage());
    }

    /** How often the fleet was changed by a node that started. */
    private long changes(Service node) throws Exception {
        String audit = ask(node.control(), "GET", "/v1/audit", "", 200);
        return Pattern.compile("\"name\":\"serve\"").matcher(audit).results().count();
    }

    @Test
    void onlyNodesMayUseTheInternalPath() throws Exception {
        startAll(LONG_LEASE);
        HostPort control = writer().control();
        ask(control, "POST", "/internal/v1/machines/FrontEnd_IN_0/restart", "{}", 403);
        ask(control, "POST", "/internal/reports", "{\"commands\":[]}", 403);
        HttpResponse<String> forged =
                send(writer().metadata(), "GET", EVENTS, "", "Forewarn-Caller", "e30=", "Forewarn-Seal", "00");
        assertEquals(200, forged.statusCode());
        assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}", forged.body());
    }

    @Test
    void withoutEtcdEveryNodeReportsThatItIsNotReady() throws Exception {
        startAll("3s");
        String before = poll(nodes.get(0));
        on.etcd().pause(0);
        await(() -> send(nodes.get(0).control(), "GET", "/readyz", "").statusCode() == 503);
        for (Service node : nodes) {
            await(() -> !status(node).ready());
            await(() -> status(node).writer() == null);
            assertEquals(before, poll(node));
            await(() -> send(node.metadata(), "GET", EVENTS, "")
                    .headers()
                    .firstValue("Age")
                    .isPresent());
            ask(node.control(), "GET", "/v1/machines", "", 200);
        }
        await(() -> send(nodes.get(0).control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}")
                .body()
                .contains("nothing was changed, the store does not accept writes: etcd at "));
        on.etcd().resume(0);
        for (Service node : nodes) {
            await(() -> send(node.control(), "GET", "/readyz", "").statusCode() == 200);
        }
        // 409: done by a request that could not be told so.
        await(() -> List.of(200, 409)
                .contains(send(nodes.get(0).control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}")
                        .statusCode()));
        for (Service node : nodes) {
            await(() -> poll(node).contains("\"EventStatus\":\"Scheduled\""));
            await(() -> send(node.metadata(), "GET", EVENTS, "")
                    .headers()
                    .firstValue("Age")
                    .isEmpty());
        }
    }

    @Test
    void anotherNodeTakesOverAndNothingIsLost() throws Exception {
        startAll(LONG_LEASE);
        Service old = writer();
        poll(old);
        ask(old.control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}", 200);
        String before = poll(old);
        nodes.remove(old);
        old.close();
        await(() -> on.log().stream().anyMatch(line -> line.contains("what=node-lost node=" + old.control())));
        for (Service node : nodes) {
            await(() -> {
                String writer = status(node).writer();
                return writer != null && !writer.equals(old.control().toString());
            });
        }
        Service young = writer();
        assertEquals(before, poll(young));
        Service other = nodes.get(nodes.indexOf(young) == 0 ? 1 : 0);
        ask(other.control(), "POST", "/v1/events/" + eventId(before) + "/approve", "{}", 200);
        for (Service node : nodes) {
            await(() -> poll(node).contains("\"EventStatus\":\"Started\""));
        }
        assertTrue(status(young).epoch() > 1);
        Service back = start(Map.of());
        nodes.add(back);
        assertEquals(poll(young), poll(back));
        await(() -> young.control().toString().equals(status(back).writer()));
        assertEquals(
                List.of(), on.log().stream().filter(l -> l.startsWith("died")).toList());
    }
}
