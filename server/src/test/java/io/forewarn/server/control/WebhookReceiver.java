package io.forewarn.server.control;

import static io.forewarn.core.Eventually.eventually;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A real receiver of webhooks on loopback that answers as it is told to. */
public final class WebhookReceiver implements AutoCloseable {
    /** What came, in order of coming. */
    public record Came(
            String path, String id, String timestamp, String signature, String type, byte[] body, JsonNode json) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Came> came = new CopyOnWriteArrayList<>();
    private volatile Function<Came, Integer> answer = c -> 204;

    public WebhookReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 100);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    /** @param status the status of the answer; 0 for none ever */
    public void answers(Function<Came, Integer> status) {
        answer = status;
    }

    public List<Came> came() {
        return came;
    }

    public List<String> types() {
        return came.stream().map(c -> c.json().path("type").asText()).toList();
    }

    public void await(int count) {
        eventually(() -> "only " + came.size() + " of " + count + " came: " + types(), () -> came.size() >= count);
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Came one = new Came(
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst("webhook-id"),
                exchange.getRequestHeaders().getFirst("webhook-timestamp"),
                exchange.getRequestHeaders().getFirst("webhook-signature"),
                exchange.getRequestHeaders().getFirst("Content-Type"),
                body,
                JSON.readTree(body));
        came.add(one);
        int status = answer.apply(one);
        if (status == 0) {
            return;
        }
        if (status / 100 == 3) {
            exchange.getResponseHeaders().add("Location", url() + "/elsewhere");
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
