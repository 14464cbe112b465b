package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.LostCommits;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.server.settings.Settings;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.LocalToken;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceTest {
    @TempDir
    Path folder;

    private static final MachineId FIRST = new MachineId("default", "FrontEnd_IN_0");

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> log = new CopyOnWriteArrayList<>();

    private Settings settings(Map<String, String> more) {
        Map<String, String> flags = new HashMap<>(Map.of(
                "listen.metadata", "127.0.0.1:0",
                "listen.control", "127.0.0.1:0",
                "store.location", "sqlite:" + folder.resolve("data"),
                "clock.kind", "manual"));
        flags.putAll(more);
        return LoadedSettings.load(null, Map.of(), flags).settings();
    }

    private Service start(Map<String, String> more) {
        return Service.start(
                settings(more), Log.to(log::add, LogFormat.LOGFMT), failure -> log.add("died: " + failure));
    }

    private String poll(Service service) throws Exception {
        return ask(service.metadata(), "GET", "/metadata/scheduledevents?api-version=2020-07-01", "", 200);
    }

    private String ask(HostPort at, String method, String path, String body, int status) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + at + path))
                .header("Metadata", "true")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        LocalToken.find(at).ifPresent(token -> request.header("Authorization", "Bearer " + token));
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(status, response.statusCode(), response.body());
        return response.body();
    }

    private static String eventId(String document) {
        Matcher id = Pattern.compile("\"EventId\":\"([^\"]+)\"").matcher(document);
        assertTrue(id.find(), document);
        return id.group(1);
    }

    @Test
    void theDemoFleetComesIntoNoStoreThatWasUsed() throws Exception {
        try (Service service = start(Map.of())) {
            ask(service.control(), "DELETE", "/v1/groups/web", "", 200);
            assertFalse(service.knows(FIRST));
        }
        try (Service service = start(Map.of())) {
            assertFalse(service.knows(FIRST), "whoever emptied the fleet wants it empty");
        }
        Path file = folder.resolve("data/forewarn.db");
        Files.delete(file);
        for (int i = 0; i < 2; i++) {
            String refusal = assertThrows(
                            RefusedException.class, () -> start(Map.of()).close())
                    .getMessage();
            assertTrue(refusal.contains("store accept-loss sqlite:" + file), refusal);
        }
        LostCommits lost = StoreLoss.accept(settings(Map.of("store.location", "sqlite:" + file)));
        assertEquals(1, lost.first());
        assertTrue(lost.last() >= 2, lost::toString);
        try (Service service = start(Map.of())) {
            assertFalse(service.knows(FIRST));
            String proof = ask(service.control(), "GET", "/v1/audit/verify", "", 200);
            assertTrue(proof.contains("\"intact\":true") && proof.contains("go on without " + lost), proof);
        }
    }

    @Test
    void aStoreDeletedWhileItServesTakesNoCommandsAndTheDoctorSaysSo() throws Exception {
        try (Service service = start(Map.of())) {
            Files.delete(folder.resolve("data/forewarn.db"));
            String refused = ask(service.control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}", 503);
            assertTrue(refused.contains("deleted"), refused);
            assertTrue(ask(service.control(), "GET", "/v1/doctor", "", 200).contains("was deleted"));
            assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}", poll(service));
        }
    }

    @Test
    void aRestartIsScheduledApprovedStartedAndCompleted() throws Exception {
        try (Service service = start(Map.of())) {
            assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}", poll(service));
            ask(service.control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}", 200);
            String scheduled = poll(service);
            assertTrue(scheduled.contains("\"EventStatus\":\"Scheduled\""), scheduled);
            String approval = "{\"StartRequests\":[{\"EventId\":\"" + eventId(scheduled) + "\"}]}";
            ask(service.metadata(), "POST", "/metadata/scheduledevents?api-version=2020-07-01", approval, 200);
            String started = poll(service);
            assertTrue(started.contains("\"EventStatus\":\"Started\""), started);
            assertEquals(eventId(scheduled), eventId(started));
            ask(service.control(), "POST", "/v1/clock/advance", "{\"by\":\"90s\"}", 200);
            assertEquals("{\"DocumentIncarnation\":4,\"Events\":[]}", poll(service));
        }
    }

    @Test
    void scheduledEventsSurviveARestartAndStartOnTime() throws Exception {
        String before;
        try (Service service = start(Map.of())) {
            poll(service);
            ask(service.control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "{}", 200);
            before = poll(service);
        }
        try (Service service = start(Map.of())) {
            assertEquals(before, poll(service));
            ask(service.control(), "POST", "/v1/clock/advance", "{\"by\":\"14m59s\"}", 200);
            assertEquals(before, poll(service));
            ask(service.control(), "POST", "/v1/clock/advance", "{\"by\":\"1s\"}", 200);
            assertTrue(poll(service).contains("\"EventStatus\":\"Started\""));
        }
        try (Service service = start(Map.of())) {
            assertTrue(poll(service).contains("\"EventStatus\":\"Started\""));
            ask(service.control(), "POST", "/v1/clock/advance", "{\"by\":\"90s\"}", 200);
            assertEquals("{\"DocumentIncarnation\":4,\"Events\":[]}", poll(service));
        }
        assertEquals(List.of(), log.stream().filter(l -> l.startsWith("died")).toList());
    }

    @Test
    void aSecondServiceOnTheSameStoreIsRefused() {
        try (Service first = start(Map.of())) {
            RefusedException refusal =
                    assertThrows(RefusedException.class, () -> start(Map.of()), "beside " + first.control());
            assertTrue(
                    refusal.getMessage().contains("in use")
                            || refusal.getMessage().contains("lock"),
                    refusal.getMessage());
        }
        start(Map.of()).close();
    }

    @Test
    void aPortInUseIsReportedAndNothingStaysOpen() {
        try (Service service = start(Map.of())) {
            Map<String, String> taken = Map.of(
                    "listen.metadata",
                    service.metadata().toString(),
                    "store.location",
                    "sqlite:" + folder.resolve("other"));
            RefusedException refusal = assertThrows(RefusedException.class, () -> start(taken));
            assertTrue(refusal.getMessage().contains(service.metadata().toString()), refusal.getMessage());
            Map<String, String> empty =
                    Map.of("store.location", "sqlite:" + folder.resolve("other"), "fleet.demo", "false");
            try (Service second = start(empty)) {
                assertFalse(
                        second.knows(new MachineId("default", "FrontEnd_IN_0")), "a failed start wrote the demo fleet");
            }
        }
    }

    @Test
    void anUnusableListenAddressIsExplained() {
        for (String which : List.of("metadata", "control")) {
            try (Service service = start(Map.of())) {
                String other = "sqlite:" + folder.resolve("other");
                String taken = (which.equals("control") ? service.control() : service.metadata()).toString();
                assertRefused(
                        taken + ": another program listens there. ",
                        Map.of("listen." + which, taken, "store.location", other));
                assertRefused(
                        "192.0.2.1:9: 192.0.2.1 is not an address of this machine. ",
                        Map.of("listen." + which, "192.0.2.1:9", "store.location", other));
                assertRefused(
                        "no address found for the name no.such.invalid",
                        Map.of("listen." + which, "no.such.invalid:9", "store.location", other));
            }
        }
    }

    @Test
    void anUnreadableFleetFileIsExplained() {
        Path missing = folder.resolve("missing.yaml");
        assertRefused("the fleet file " + missing + " does not exist", Map.of("fleet.file", missing.toString()));
        assertRefused("the fleet file " + folder + " is a directory", Map.of("fleet.file", folder.toString()));
    }

    private void assertRefused(String sentence, Map<String, String> flags) {
        RefusedException refusal = assertThrows(RefusedException.class, () -> start(flags));
        assertTrue(refusal.getMessage().contains(sentence), refusal.getMessage());
    }

    @Test
    void aListenerThatCannotBeOpenedIsLogged() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                Service service = start(Map.of())) {
            String taken = "127.0.0.1:" + other.getLocalPort();
            ask(service.control(), "PUT", "/v1/machines/tap", "{\"listen\":\"" + taken + "\"}", 200);
            eventually(() -> log.stream().anyMatch(l -> l.contains(taken)));
            assertEquals(1, log.stream().filter(l -> l.contains(taken)).count(), log.toString());
        }
    }
}
