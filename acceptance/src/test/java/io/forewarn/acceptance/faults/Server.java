package io.forewarn.acceptance.faults;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.acceptance.deploy.ServeLauncher;
import io.forewarn.store.etcd.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code ./forewarn serve} as a process of its own. Its store outlives it, so it can be killed and started again. */
public final class Server implements AutoCloseable {
    public static final String POLL = "/metadata/scheduledevents?api-version=2020-07-01";
    public static final Map<String, String> MACHINE = Map.of("Metadata", "true");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final Fleet fleet;
    private Path store;
    private String location;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private List<String> wrapper = List.of();
    private ServeLauncher serve;
    private Process process;
    private String metadata;
    private String control;

    public Server(Path folder, Fleet fleet) throws IOException {
        this.folder = folder;
        this.fleet = fleet;
        store = folder.resolve("store");
        Files.createDirectories(folder.resolve("run"));
        Files.writeString(folder.resolve("fleet.yaml"), fleet.yaml());
        set("metadata.requests-per-second", "0");
    }

    public Server set(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Notice and work so short that an event is over in a few seconds. */
    public Server hurried() {
        return set("terms.notice.freeze", "1s")
                .set("terms.notice.reboot", "1s")
                .set("terms.notice.redeploy", "1s")
                .set("terms.recovery", "300ms")
                .set("terms.user-operations", "1000")
                .set("clock.resume-grace", "200ms")
                .set("driver.simulated.freeze", "500ms")
                .set("driver.simulated.reboot", "1s")
                .set("driver.simulated.redeploy", "1s")
                .set("driver.simulated.failure", "1s");
    }

    /** What the server is started through, such as a namespace; it must end in becoming the server. */
    public Server through(List<String> command) {
        wrapper = command;
        return this;
    }

    /** Starts it and returns when it answers. */
    public Server start() throws IOException {
        launch();
        awaitReady();
        return this;
    }

    public Process launch() throws IOException {
        serve = new ServeLauncher(folder)
                .with("--fleet", folder.resolve("fleet.yaml").toString())
                .with("--store", location == null ? "sqlite:" + store() : location);
        if (location != null) {
            serve.with("--metadata", metadata, "--control", control);
        }
        settings.forEach((key, value) -> serve.with("--set", key + "=" + value));
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(serve.words());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
        builder.environment().put("XDG_RUNTIME_DIR", folder.resolve("run").toString());
        builder.environment()
                .put(
                        "FOREWARN_JAVA_OPTS",
                        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx96m -XX:MaxDirectMemorySize=64m");
        process = builder.start();
        return process;
    }

    public void awaitReady() throws IOException {
        ServeLauncher.Addresses addresses = serve.awaitReady(process, this::log);
        metadata = addresses.metadata();
        control = addresses.control();
    }

    Path store() {
        return store;
    }

    Server onStoreOf(Server other) {
        store = other.store;
        return this;
    }

    public Fleet fleet() {
        return fleet;
    }

    public Process process() {
        return process;
    }

    public long pid() {
        return process.pid();
    }

    /** A node among others: on their store, at an address that it keeps when it is started again. */
    public Server among(String sharedStore, String host) throws IOException {
        location = sharedStore;
        metadata = host + ":" + Ports.free();
        control = host + ":" + Ports.free();
        return this;
    }

    /** HOST:PORT where machines ask. */
    public String metadata() {
        return metadata;
    }

    /** HOST:PORT where operators ask: the name of a node among others. */
    public String control() {
        return control;
    }

    /** A connection as a machine has it. */
    BoundConnection machine(String address) {
        return new BoundConnection(metadata, address);
    }

    /** A connection as an operator has it. */
    BoundConnection operator() {
        return new BoundConnection(control, "127.0.0.1");
    }

    /** What opens the control API. */
    public Map<String, String> token() throws IOException {
        Path file = folder.resolve("run/forewarn").resolve(control.replace(':', '_') + ".token");
        return Map.of("Authorization", "Bearer " + Files.readString(file).strip());
    }

    /** One question of the operator's, which must be answered 200. */
    public JsonNode get(String path) throws IOException {
        try (BoundConnection line = operator()) {
            BoundConnection.Answer answer = line.ask("GET", path, token(), null);
            assertEquals(200, answer.status(), answer::body);
            return JSON.readTree(answer.body());
        }
    }

    /** One command of the operator's, whatever the answer. */
    public BoundConnection.Answer post(String path, String body) throws IOException {
        try (BoundConnection line = operator()) {
            return line.ask("POST", path, token(), body);
        }
    }

    /** One command that makes one event, and must be done. */
    public JsonNode schedule(String machine, String action, String body) throws IOException {
        BoundConnection.Answer answer = post("/v1/machines/" + machine + "/" + action, body);
        assertEquals(200, answer.status(), () -> answer.body() + log());
        return JSON.readTree(answer.body()).path("events").path(0);
    }

    /** What a machine is shown. */
    public BoundConnection.Answer poll(String address) throws IOException {
        try (BoundConnection line = machine(address)) {
            return line.ask("GET", POLL, MACHINE, null);
        }
    }

    public static JsonNode json(BoundConnection.Answer answer) throws IOException {
        return JSON.readTree(answer.body());
    }

    public void signal(String name) throws IOException {
        try {
            assertEquals(
                    0,
                    new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                            .start()
                            .waitFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As the power does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** How much it has logged so far. */
    public long logged() throws IOException {
        return Files.size(folder.resolve("log"));
    }

    /** What it has logged since then. */
    public String log(long since) throws IOException {
        try (InputStream log = Files.newInputStream(folder.resolve("log"))) {
            log.skipNBytes(since);
            return new String(log.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public String log() {
        try {
            String log = Files.readString(folder.resolve("log"));
            return "\nlog: " + log.substring(Math.max(0, log.length() - 4000));
        } catch (IOException e) {
            return "\n(no log)";
        }
    }

    /** Something that becomes true. */
    public interface Hope {
        boolean fulfilled() throws IOException;
    }

    public static void await(String what, Hope hope) throws IOException {
        try {
            eventually(() -> "waited in vain until " + what, () -> holds(hope));
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }

    private static boolean holds(Hope hope) {
        try {
            return hope.fulfilled();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
    }
}
