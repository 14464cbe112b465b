package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.boot.Service;
import io.forewarn.server.boot.ServicesOnEtcd;
import io.forewarn.server.control.Peers;
import io.forewarn.store.etcd.Access;
import io.forewarn.store.etcd.Membership;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node says to another that passes something on: two nodes on a real etcd, and one that knows their secret. */
class InternalTest {
    private static final String PATH = "/machines";
    private static final Duration LEASE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Service> nodes = new ArrayList<>();
    private ServicesOnEtcd on;
    private Membership membership;
    private Seals seals;
    private HostPort writer;
    private HostPort other;

    @BeforeEach
    void startAll() throws Exception {
        on = new ServicesOnEtcd(folder);
        for (int i = 0; i < 2; i++) {
            nodes.add(on.start(Map.of("cluster.lease", LEASE.toSeconds() + "s")));
        }
        membership = new Membership(Access.to(on.etcd().urls(), "forewarn/"), LEASE);
        seals = new Seals(membership.secret(Seals.fresh()), () -> "nobody:1", Instant::now);
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

    private HttpResponse<String> tell(HostPort node, HostPort sealedFor) throws Exception {
        byte[] body = Json.write(new Word.Words(List.of(), List.of()));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + node + "/internal" + PATH))
                .timeout(Duration.ofSeconds(60))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        String digest = Peers.Passed.of("POST", PATH, "application/json", body, "", null)
                .digest();
        seals.seal(sealedFor.toString(), "POST", PATH, digest, "").forEach(request::header);
        return http.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void onlyTheWriterTakesWhatIsPassedOnAndOnlyIfItWasMeant() throws Exception {
        assertEquals(200, tell(writer, writer).statusCode());
        assertEquals(421, tell(other, other).statusCode(), "so that it is sent again, because nothing was done");
        HttpResponse<String> caught = tell(writer, other);
        assertEquals(403, caught.statusCode());
        assertTrue(caught.body().contains("its seal is wrong"), caught.body());
    }
}
