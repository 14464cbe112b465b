package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.store.etcd.EtcdCluster;
import io.forewarn.wire.control.EtcdMemberBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.LocalToken;
import io.forewarn.wire.control.StatusBody;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the status says of the store's members. */
// Takes more than 20 s: members of etcd are stopped for longer than their time limits.
class EtcdHealthTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private static Service start(String store) {
        Map<String, String> flags =
                Map.of("listen.metadata", "127.0.0.1:0", "listen.control", "127.0.0.1:0", "store.location", store);
        return Service.start(
                LoadedSettings.load(null, Map.of(), flags).settings(),
                Log.to(line -> {}, LogFormat.LOGFMT),
                failure -> {});
    }

    private String send(Service service, String method, String path, String body, String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + service.control() + path))
                .header("Authorization", "Bearer " + token)
                .timeout(Duration.ofSeconds(60))
                .method(method, BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        return answer.body();
    }

    private String status(Service service) throws Exception {
        return send(
                service,
                "GET",
                "/v1/status",
                "",
                LocalToken.find(service.control()).orElseThrow());
    }

    private List<EtcdMemberBody> await(Service service, Predicate<List<EtcdMemberBody>> holds) throws Exception {
        return eventually(
                () -> Json.answer(StatusBody.class, status(service).getBytes()).etcd(), holds);
    }

    @Test
    void theStatusTellsAKilledMemberAndAStoppedOneFromTheRest() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 3);
                Service service = start(etcd.location())) {
            List<EtcdMemberBody> well =
                    await(service, all -> all.stream().allMatch(m -> m.responding() && m.name() != null));
            assertEquals(
                    List.of(etcd.url(0), etcd.url(1), etcd.url(2)),
                    well.stream().map(EtcdMemberBody::url).toList());
            assertEquals(1, well.stream().filter(EtcdMemberBody::leader).count(), well::toString);
            assertTrue(well.stream().allMatch(m -> m.databaseBytes() > 0 && m.revisionsBehind() >= 0), well::toString);

            etcd.kill(0);
            etcd.pause(1);
            List<EtcdMemberBody> ill = await(
                    service,
                    all -> !all.get(0).responding()
                            && !all.get(1).responding()
                            && all.get(2).responding());
            assertTrue(ill.get(0).problem().contains("nothing answers"), ill::toString);
            assertTrue(ill.get(1).problem().contains("did not answer"), ill::toString);
            String doctor = send(
                    service,
                    "GET",
                    "/v1/doctor",
                    "",
                    LocalToken.find(service.control()).orElseThrow());
            assertTrue(doctor.contains("nothing answers at " + etcd.url(0)), doctor);
            etcd.resume(1);
            await(service, all -> all.stream().anyMatch(EtcdMemberBody::leader));
        }
    }

    @Test
    void ownersDoNotSeeEtcdMembers() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                Service service = start(etcd.location())) {
            String made = send(
                    service,
                    "POST",
                    "/v1/tokens",
                    "{\"name\":\"viewer\",\"role\":\"viewer\",\"tenant\":\"default\"}",
                    LocalToken.find(service.control()).orElseThrow());
            String token = made.replaceFirst("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
            assertFalse(
                    send(service, "GET", "/v1/status", "", token).contains("\"etcd\":"), "the members are not for all");
        }
    }

    @Test
    void aServiceWithAFileSaysNothingOfEtcd() throws Exception {
        try (Service service = start("sqlite:" + folder)) {
            assertFalse(status(service).contains("\"etcd\":"), status(service));
        }
    }
}
