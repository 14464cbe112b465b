package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
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

    private ServicesOnEtcd on;

    @BeforeEach
    void startEtcd() throws Exception {
        on = new ServicesOnEtcd(folder);
    }

    @AfterEach
    void endEtcd() {
        if (on != null) {
            on.close();
        }
    }

    private Service start() {
        return on.start(Map.of("store.etcd.timeout", "1s", "clock.kind", "manual"));
    }

    private String poll(Service service) throws Exception {
        return on.ask(service.metadata(), "GET", "/metadata/scheduledevents?api-version=2020-07-01", "", 200);
    }

    @Test
    void scheduledEventsSurviveARestartAndStartOnTime() throws Exception {
        String before;
        try (Service service = start()) {
            poll(service);
            on.ask(service.control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}", 200);
            before = poll(service);
            assertTrue(before.contains("\"EventStatus\":\"Scheduled\""), before);
        }
        try (Service service = start()) {
            assertEquals(before, poll(service));
            on.ask(service.control(), "POST", "/v1/clock/advance", "{\"by\":\"15m\"}", 200);
            assertTrue(poll(service).contains("\"EventStatus\":\"Started\""));
            on.ask(service.control(), "POST", "/v1/clock/advance", "{\"by\":\"90s\"}", 200);
            assertEquals("{\"DocumentIncarnation\":4,\"Events\":[]}", poll(service));
            String history = on.ask(service.control(), "GET", "/v1/history?machine=FrontEnd_IN_0", "", 200);
            assertTrue(history.contains("scheduled"), history);
        }
        assertEquals(
                List.of(), on.log().stream().filter(l -> l.startsWith("died")).toList());
    }

    @Test
    void whileEtcdIsStoppedReadsAreServedAndWritesAreRefused() throws Exception {
        try (Service service = start()) {
            String before = poll(service);
            on.etcd().pause(0);
            assertEquals(before, poll(service));
            String restart = "/v1/machines/FrontEnd_IN_0/restart";
            // The first is told that nobody knows what became of it when the lease is lost; who comes after it is
            // refused.
            CompletableFuture<HttpResponse<String>> first = on.http()
                    .sendAsync(
                            ServicesOnEtcd.request(service.control(), "POST", restart, "{}")
                                    .build(),
                            BodyHandlers.ofString());
            eventually(() -> service.gateway().trouble().isPresent());
            on.ask(service.control(), "POST", "/v1/machines/db-1/restart", "{}", 503);
            on.ask(service.control(), "GET", "/v1/audit", "", 503);
            HttpResponse<String> told = first.get(60, TimeUnit.SECONDS);
            assertEquals(503, told.statusCode());
            assertTrue(told.body().contains("\"problem\":\"outcome-unknown\""), told.body());
            assertEquals(before, poll(service));
            on.etcd().resume(0);
            // 409: done by a request that could not be told so.
            eventually(() -> List.of(200, 409)
                    .contains(on.send(ServicesOnEtcd.request(
                                    service.control(), "POST", "/v1/machines/db-1/restart", "{}"))
                            .statusCode()));
        }
    }
}
