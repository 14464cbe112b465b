package io.forewarn.server.cluster;

import static io.forewarn.core.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Command;
import io.forewarn.server.boot.Service;
import io.forewarn.server.boot.ServicesOnEtcd;
import io.forewarn.server.forward.ForwardedCommand;
import io.forewarn.server.forward.ForwardedReports;
import io.forewarn.server.forward.ForwardedRequest;
import io.forewarn.server.forward.RequestSigner;
import io.forewarn.store.etcd.ClusterMembership;
import io.forewarn.store.etcd.EtcdAccess;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.LocalToken;
import io.forewarn.wire.control.StatusBody;
import io.forewarn.wire.control.TokenBody;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node says to another that passes something on: two nodes on a real etcd, and one that knows their secret. */
class InternalTest {
    private static final String REPORTS = "/reports";
    private static final Duration LEASE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Service> nodes = new ArrayList<>();
    private ServicesOnEtcd on;
    private ClusterMembership membership;
    private RequestSigner signer;
    private HostPort writer;
    private HostPort other;

    @BeforeEach
    void startAll() throws Exception {
        on = new ServicesOnEtcd(folder);
        for (int i = 0; i < 2; i++) {
            nodes.add(on.start(Map.of("cluster.lease", LEASE.toSeconds() + "s")));
        }
        membership = new ClusterMembership(EtcdAccess.to(on.etcd().urls(), "forewarn/"), LEASE);
        signer = new RequestSigner(membership.secret(RequestSigner.fresh()), () -> "nobody:1", Instant::now);
        writer = HostPort.parse(membership.writer().orElseThrow()).orElseThrow();
        other = nodes.stream()
                .map(Service::control)
                .filter(node -> !node.equals(writer))
                .findFirst()
                .orElseThrow();
    }

    @AfterEach
    void endAll() {
        if (membership != null) {
            membership.close();
        }
        nodes.forEach(Service::close);
        if (on != null) {
            on.close();
        }
    }

    private static ForwardedRequest reports(ForwardedCommand... said) {
        return ForwardedRequest.of(
                "POST", REPORTS, "application/json", Json.write(new ForwardedReports(List.of(said), null)), "", null);
    }

    private HttpResponse<String> pass(HostPort node, HostPort signedFor, String life, ForwardedRequest request)
            throws Exception {
        HttpRequest.Builder passed = HttpRequest.newBuilder(URI.create("http://" + node + "/internal" + request.uri()))
                .timeout(Duration.ofSeconds(60))
                .method(request.method(), HttpRequest.BodyPublishers.ofByteArray(request.body()));
        signer.sign(signedFor.toString(), life, request).forEach(passed::header);
        return http.send(passed.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> pass(HostPort node, ForwardedRequest request) throws Exception {
        return pass(node, node, life(node), request);
    }

    private String life(HostPort node) throws Exception {
        return life(about(node));
    }

    private static String life(String about) throws Exception {
        return NodeInfo.of(about).life();
    }

    private String about(HostPort node) throws Exception {
        return membership.nodes().get(node.toString());
    }

    /** With a key: a request that was under way when its writer was started anew is sent again only if it may be. */
    private String restart(HostPort node) throws Exception {
        HttpRequest restart = HttpRequest.newBuilder(
                        URI.create("http://" + node + "/v1/machines/FrontEnd_IN_0/restart"))
                .header("Authorization", "Bearer " + LocalToken.find(node).orElseThrow())
                .header("Idempotency-Key", "restart-1")
                .timeout(Duration.ofSeconds(60))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        HttpResponse<String> answer = http.send(restart, BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        return answer.body();
    }

    @Test
    void onlyTheWriterTakesWhatIsPassedOnAndOnlyIfItWasMeant() throws Exception {
        assertEquals(204, pass(writer, reports()).statusCode());
        assertEquals(421, pass(other, reports()).statusCode(), "so that it is sent again, because nothing was done");
        HttpResponse<String> caught = pass(writer, other, life(writer), reports());
        assertEquals(403, caught.statusCode());
        assertTrue(caught.body().contains("its signature is wrong"), caught.body());
        HttpResponse<String> old = pass(writer, writer, "before-it-was-started", reports());
        assertEquals(421, old.statusCode(), "who asks has not heard of it yet: nothing was done");
        nodes.stream().filter(node -> node.control().equals(writer)).forEach(ServicesOnEtcd::end);
        assertEquals(421, pass(writer, reports()).statusCode(), "it ends: the next one does it");
    }

    @Test
    void aNodeOfANewerReleaseMaySayMoreThanIsKnown() throws Exception {
        byte[] more = "{\"commands\":[],\"more\":\"of a newer release\"}".getBytes(UTF_8);
        byte[] nonsense = "said".getBytes(UTF_8);
        assertEquals(
                204,
                pass(writer, ForwardedRequest.of("POST", REPORTS, "application/json", more, "", null))
                        .statusCode());
        assertEquals(
                400,
                pass(writer, ForwardedRequest.of("POST", REPORTS, "application/json", nonsense, "", null))
                        .statusCode());
    }

    private ForwardedRequest restart(TokenBody by) {
        Map<String, String> caller = new HashMap<>();
        caller.put("name", by.name());
        caller.put("tenant", by.tenant());
        caller.put("role", by.role());
        caller.put("createdAt", by.createdAt());
        caller.put("expiresAt", by.expiresAt());
        caller.put("from", "10.0.0.9");
        caller.put("more", "of a newer release");
        return ForwardedRequest.of(
                "POST",
                "/v1/machines/FrontEnd_IN_0/restart",
                "application/json",
                "{}".getBytes(UTF_8),
                new String(Json.write(caller), UTF_8),
                "the-same");
    }

    private TokenBody made(String request) throws Exception {
        return Json.answer(
                TokenBody.class,
                on.ask(writer, "POST", "/v1/tokens", request, 200).getBytes(UTF_8));
    }

    @Test
    void aCallerIsLetInByTheWriterAsIfItCameThereWithItsToken() throws Exception {
        TokenBody ci = made("{\"name\":\"ci\",\"expiresIn\":\"90d\"}");
        TokenBody eyes = made("{\"name\":\"eyes\",\"role\":\"viewer\"}");
        assertEquals(200, pass(writer, restart(ci)).statusCode());
        assertEquals(403, pass(writer, restart(eyes)).statusCode());
        TokenBody raised = new TokenBody(
                eyes.name(), ci.role(), eyes.tenant(), eyes.createdAt(), eyes.expiresAt(), null, null, null);
        assertEquals(401, pass(writer, restart(raised)).statusCode(), "another role than its token has");
        TokenBody before = new TokenBody(
                ci.name(), ci.role(), ci.tenant(), Instant.EPOCH.toString(), ci.expiresAt(), null, null, null);
        assertEquals(401, pass(writer, restart(before)).statusCode(), "a token that had this name before");
        TokenBody brief = made("{\"name\":\"brief\",\"expiresIn\":\"1s\"}");
        eventually(() -> pass(writer, restart(brief)).statusCode() == 401);
        on.ask(writer, "DELETE", "/v1/tokens/ci", "", 200);
        HttpResponse<String> taken = pass(writer, restart(ci));
        assertEquals(401, taken.statusCode(), "the node that let it in has not heard that it was taken back");
        assertTrue(taken.headers().firstValue("WWW-Authenticate").isPresent());
        TokenBody local = new TokenBody("local", "operator", "*", Instant.EPOCH.toString(), null, null, null, null);
        assertEquals(
                409, pass(writer, restart(local)).statusCode(), "known to its own node alone, which answers for it");
    }

    private static ForwardedCommand enable(String group, String machine) {
        return ForwardedCommand.of(
                        new Command.Enable(new GroupId("default", group), Actor.machine(machine, "10.0.0.9")))
                .orElseThrow();
    }

    @Test
    void aMachineIsHeardForTheGroupItIsInAndForItselfAlone() throws Exception {
        ForwardedCommand newer =
                new ForwardedCommand("sing", null, null, null, null, null, null, null, null, null, null, null);
        ForwardedCommand forAnother = ForwardedCommand.of(new Command.Recovered(
                        new GroupId("default", "web"), "FrontEnd_IN_1", Actor.machine("default/FrontEnd_IN_0", "")))
                .orElseThrow();
        ForwardedCommand person = ForwardedCommand.of(
                        new Command.Enable(new GroupId("default", "web"), Actor.person("default/FrontEnd_IN_0", "")))
                .orElseThrow();
        ForwardedCommand sight = ForwardedCommand.of(new Command.Sight(
                        new GroupId("default", "web"),
                        "gone",
                        Set.of(),
                        Instant.EPOCH,
                        Actor.machine("default/gone", "")))
                .orElseThrow();
        HttpResponse<String> unknown = pass(writer, command(newer));
        assertEquals(503, unknown.statusCode(), unknown.body());
        assertTrue(unknown.body().contains("not-ready"), unknown.body());
        for (ForwardedCommand stranger : List.of(
                enable("web", "default/gone"),
                enable("web", "default/db-1"),
                enable("web", "other/FrontEnd_IN_0"),
                forAnother,
                person,
                sight)) {
            HttpResponse<String> refused = pass(writer, command(stranger));
            assertEquals(403, refused.statusCode(), stranger::toString);
            assertTrue(refused.headers().firstValue("Forewarn-Commit").isPresent(), "the writer has decided it");
        }
        assertEquals(
                204,
                pass(writer, command(enable("web", "default/FrontEnd_IN_0"))).statusCode());
        assertEquals(204, pass(writer, reports(newer, sight)).statusCode(), "nobody waits for what becomes of reports");
    }

    private static ForwardedRequest command(ForwardedCommand command) {
        return ForwardedRequest.of("POST", "/command", "application/json", Json.write(command), "", null);
    }

    /** Whether the node that does not write has heard that the other one says anything of itself. */
    private boolean knowsTheWriter() throws Exception {
        StatusBody status = Json.answer(
                StatusBody.class, on.ask(other, "GET", "/v1/status", "", 200).getBytes(UTF_8));
        return status.nodes().stream()
                .anyMatch(node -> node.control().equals(writer.toString()) && node.metadata() != null);
    }

    private void saysOfItself(HostPort node, String about) throws Exception {
        on.etcd().etcdctl("put", "forewarn/node/" + node, about);
    }

    @Test
    void forwardedRequestsWaitForAWriterAndAnyNodeReadsTheAuditLog() throws Exception {
        String about = about(writer);
        saysOfItself(writer, "{}");
        eventually(() -> !knowsTheWriter());
        assertTrue(on.ask(other, "GET", "/v1/audit", "", 200).contains("\"audit\""));
        CompletableFuture<String> asked = new CompletableFuture<>();
        Thread asking = new Thread(() -> {
            try {
                asked.complete(restart(other));
            } catch (Exception | AssertionError failed) {
                asked.completeExceptionally(failed);
            }
        });
        asking.start();
        // As if the writer had been started anew, and the other one had not heard of it.
        saysOfItself(writer, about.replace(life(about), "another-life"));
        eventually(this::knowsTheWriter);
        saysOfItself(writer, about);
        assertTrue(asked.get(60, TimeUnit.SECONDS).contains("\"id\""));
    }
}
