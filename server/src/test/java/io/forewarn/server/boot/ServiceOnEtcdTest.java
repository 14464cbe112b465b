package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.Loaded;
import io.forewarn.store.etcd.EtcdCluster;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.LocalToken;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole service on a real etcd. */
class ServiceOnEtcdTest {
    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private EtcdCluster etcd;

    @BeforeEach
    void startEtcd() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        etcd = EtcdCluster.start(folder, 1);
    }

    @AfterEach
    void endEtcd() {
        if (etcd != null) {
            etcd.close();
        }
    }

    private Service start() {
        Map<String, String> flags = Map.of(
                "listen.metadata", "127.0.0.1:0",
                "listen.control", "127.0.0.1:0",
                "store.location", etcd.location(),
                "store.etcd.timeout", "1s",
                "clock.kind", "manual");
        return Service.start(
                Loaded.load(null, Map.of(), flags).settings(),
                Log.to(log::add, LogFormat.LOGFMT),
                failure -> log.add("died: " + failure));
    }

    private String poll(Service service) throws Exception {
        return ask(service.metadata(), "GET", "/metadata/scheduledevents?api-version=2020-07-01", "", 200);
    }

    private String ask(HostPort at, String method, String path, String body, int status) throws Exception {
        HttpResponse<String> response = send(at, method, path, body);
        assertEquals(status, response.statusCode(), response.body());
        return response.body();
    }

    private HttpResponse<String> send(HostPort at, String method, String path, String body) throws Exception {
        return http.send(request(at, method, path, body), BodyHandlers.ofString());
    }

    private static HttpRequest request(HostPort at, String method, String path, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + at + path))
                .header("Metadata", "true")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        LocalToken.find(at).ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request.timeout(Duration.ofSeconds(60)).build();
    }

    @Test
    void whatWasScheduledIsThereAfterARestartAndStartsInTime() throws Exception {
        String before;
        try (Service service = start()) {
            poll(service);
            ask(service.control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}", 200);
            before = poll(service);
            assertTrue(before.contains("\"EventStatus\":\"Scheduled\""), before);
        }
        try (Service service = start()) {
            assertEquals(before, poll(service));
            ask(service.control(), "POST", "/v1/clock/advance", "{\"by\":\"15m\"}", 200);
            assertTrue(poll(service).contains("\"EventStatus\":\"Started\""));
            ask(service.control(), "POST", "/v1/clock/advance", "{\"by\":\"90s\"}", 200);
            assertEquals("{\"DocumentIncarnation\":4,\"Events\":[]}", poll(service));
            String history = ask(service.control(), "GET", "/v1/history?machine=FrontEnd_IN_0", "", 200);
            assertTrue(history.contains("announced"), history);
        }
        assertEquals(List.of(), log.stream().filter(l -> l.startsWith("died")).toList());
    }

    @Test
    void readersAreAnsweredWhileEtcdIsStoppedAndWritersAreToldSo() throws Exception {
        try (Service service = start()) {
            String before = poll(service);
            etcd.pause(0);
            assertEquals(before, poll(service));
            String restart = "/v1/machines/FrontEnd_IN_0/restart";
            // The first is told nothing until it is known what became of it; who comes after it is refused.
            CompletableFuture<HttpResponse<String>> first =
                    http.sendAsync(request(service.control(), "POST", restart, "{}"), BodyHandlers.ofString());
            await(() -> service.desk().trouble().isPresent());
            ask(service.control(), "POST", "/v1/machines/db-1/restart", "{}", 503);
            assertFalse(first.isDone());
            assertEquals(before, poll(service));
            etcd.resume(0);
            int told = first.get(60, TimeUnit.SECONDS).statusCode();
            boolean scheduled = poll(service).contains("\"EventStatus\":\"Scheduled\"");
            assertEquals(scheduled ? 200 : 503, told);
            // 409: done by a request that could not be told so.
            await(() -> List.of(200, 409)
                    .contains(send(service.control(), "POST", "/v1/machines/db-1/restart", "{}")
                            .statusCode()));
        }
    }

    private interface Check {
        boolean holds() throws Exception;
    }

    private static void await(Check check) throws Exception {
        for (int i = 0; i < 300; i++) {
            if (check.holds()) {
                return;
            }
            Thread.sleep(100);
        }
        fail("it never came");
    }
}
