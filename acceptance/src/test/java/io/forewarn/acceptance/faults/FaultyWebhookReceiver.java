package io.forewarn.acceptance.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.forewarn.store.etcd.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A real receiver of webhooks with the manners of real ones: it is down, fails, hangs, or answers when nobody waits any more. */
final class FaultyWebhookReceiver implements AutoCloseable {
    /** How it behaves at present. */
    enum Manner {
        WELL,
        DOWN,
        FAILS,
        HANGS,
        LATE
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final long lateNanos;
    private final int port;
    private final List<JsonNode> accepted = new ArrayList<>();
    private HttpServer server;
    private volatile Manner manner = Manner.WELL;
    private int copies;

    /** @param lateNanos how long it takes when it is late: longer than anybody waits */
    FaultyWebhookReceiver(long lateNanos) throws IOException {
        this.lateNanos = lateNanos;
        port = Ports.free();
        listen();
    }

    private void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 100);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    void be(Manner next) throws IOException {
        if (next == Manner.DOWN && manner != Manner.DOWN) {
            server.stop(0);
        }
        if (next != Manner.DOWN && manner == Manner.DOWN) {
            listen();
        }
        manner = next;
    }

    private void handle(HttpExchange exchange) throws IOException {
        JsonNode came = JSON.readTree(exchange.getRequestBody().readAllBytes());
        switch (manner) {
            case HANGS -> {
                return;
            }
            case FAILS -> exchange.sendResponseHeaders(500, -1);
            case LATE -> {
                accept(came);
                LockSupport.parkNanos(lateNanos);
                exchange.sendResponseHeaders(200, -1);
            }
            default -> {
                accept(came);
                exchange.sendResponseHeaders(200, -1);
            }
        }
        exchange.close();
    }

    private synchronized void accept(JsonNode came) {
        accepted.add(came);
    }

    /** What it took in, in order, without the second copies: told apart by nothing but their ids. */
    synchronized List<String> took() {
        Map<String, String> firsts = new LinkedHashMap<>();
        for (JsonNode one : accepted) {
            firsts.putIfAbsent(
                    one.path("id").asText(),
                    one.at("/data/event").asText() + " " + one.at("/data/kind").asText());
        }
        copies = accepted.size() - firsts.size();
        return List.copyOf(firsts.values());
    }

    synchronized int copies() {
        return copies;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        try {
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
