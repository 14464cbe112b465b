package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.store.etcd.EtcdCluster;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.LocalToken;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Whole services of this process on a real etcd of one member, and whoever asks them. */
public final class ServicesOnEtcd implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final EtcdCluster etcd;

    public ServicesOnEtcd(Path folder) throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        etcd = EtcdCluster.start(folder, 1);
    }

    public EtcdCluster etcd() {
        return etcd;
    }

    /** What all of them wrote, and of what they died. */
    List<String> log() {
        return log;
    }

    HttpClient http() {
        return http;
    }

    /** @param more settings besides where it listens and what it is on; whoever starts it closes it */
    public Service start(Map<String, String> more) {
        Map<String, String> flags = new HashMap<>(Map.of(
                "listen.metadata", "127.0.0.1:0",
                "listen.control", "127.0.0.1:0",
                "store.location", etcd.location()));
        flags.putAll(more);
        return Service.start(
                LoadedSettings.load(null, Map.of(), flags).settings(),
                Log.to(log::add, LogFormat.LOGFMT),
                failure -> log.add("died: " + failure));
    }

    /** Begins to end it; whoever started it still closes it. */
    public static void end(Service service) {
        service.end();
    }

    /** As a machine, and as whoever is on the server's own machine. */
    static HttpRequest.Builder request(HostPort at, String method, String path, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + at + path))
                .header("Metadata", "true")
                .timeout(Duration.ofSeconds(60))
                .method(method, BodyPublishers.ofString(body));
        LocalToken.find(at).ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    public String ask(HostPort at, String method, String path, String body, int status) throws Exception {
        HttpResponse<String> response = send(request(at, method, path, body));
        assertEquals(status, response.statusCode(), response.body());
        return response.body();
    }

    @Override
    public void close() {
        etcd.close();
    }
}
