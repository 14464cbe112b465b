package io.forewarn.acceptance.driver;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import io.forewarn.acceptance.deploy.ServeLauncher;
import io.forewarn.acceptance.deploy.StoreChoice;
import io.forewarn.store.etcd.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service with the command driver and one machine, {@code 127.0.0.1}; it can be killed and started again. */
final class CommandDriverService implements AutoCloseable {
    private static final Pattern EVENT_ID = Pattern.compile("\"EventId\":\"([0-9A-F-]{36})\"");

    private final HttpClient client = HttpClient.newHttpClient();
    private final Path folder;
    private final int metadata;
    private final int control;
    private Process process;

    CommandDriverService(Path folder, String machine, List<String> argv) throws Exception {
        this.folder = folder;
        metadata = Ports.free();
        control = Ports.free();
        Files.writeString(
                folder.resolve("fleet.yaml"),
                "machines:\n  - {name: " + machine + ", host: host-1, addresses: [127.0.0.1]}\n");
        StringBuilder list = new StringBuilder();
        argv.forEach(word -> list.append("\n      - '").append(word).append("'"));
        Files.writeString(
                folder.resolve("config.yaml"),
                "driver:\n  kind: command\n  command:\n    status-interval: 100ms\n    argv:" + list + "\n");
        start();
    }

    void start() throws Exception {
        ServeLauncher serve = new ServeLauncher(folder)
                .with(
                        "--profile",
                        "test",
                        "--config",
                        folder.resolve("config.yaml").toString())
                .with("--fleet", folder.resolve("fleet.yaml").toString())
                .with("--metadata", "127.0.0.1:" + metadata, "--control", "127.0.0.1:" + control)
                .with(StoreChoice.flags(folder));
        process = new ProcessBuilder(serve.words())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
        serve.awaitReady(process, this::log);
    }

    /** As the power does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** What the machine is shown. */
    String document() throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request().GET().build(), HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() == 200 ? answer.body() : null;
    }

    void awaitDocument(String what, Predicate<String> wanted) throws Exception {
        eventually(() -> "waited in vain until " + what, () -> {
            String document = document();
            return document != null && wanted.test(document);
        });
    }

    /** Waits until the event is gone. */
    void awaitIdle() throws Exception {
        awaitDocument("no event is left", document -> document.contains("\"Events\":[]"));
    }

    /** Says go ahead to the one event there is, as the machine. */
    void approve() throws Exception {
        Matcher id = EVENT_ID.matcher(document());
        assertTrue(id.find(), "there is an event to approve");
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id.group(1) + "\"}]}";
        HttpResponse<String> answer = client.send(
                request().POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer::body);
    }

    /** Runs the operator's command, which must succeed. */
    String operator(String... words) throws Exception {
        List<String> argv = new ArrayList<>(
                List.of(InstalledTools.project().resolve("forewarn").toString()));
        argv.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(argv).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("FOREWARN_URL", "http://127.0.0.1:" + control);
        Process command = builder.start();
        command.getOutputStream().close();
        String said = new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, command.waitFor(), () -> String.join(" ", argv) + "\n" + said + log());
        return said;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private HttpRequest.Builder request() {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + metadata + "/metadata/scheduledevents?api-version=2020-07-01"))
                .header("Metadata", "true");
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return "(no log)";
        }
    }
}
