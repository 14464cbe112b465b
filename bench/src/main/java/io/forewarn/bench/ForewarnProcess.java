package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.ActionRequest;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.LocalToken;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The service as a user starts it, and its operator's connection. */
public final class ForewarnProcess extends ChildProcess {
    public static final String EVENTS = "/metadata/scheduledevents?api-version=2020-07-01";
    public static final String METADATA = "Metadata: true\r\n";
    public static final byte[] POLL = KeptAliveConnection.request("GET", EVENTS, METADATA, "");
    private static final int MOST_AT_ONCE = 50;
    private static final long LONGEST_START = 300_000_000_000L;
    private static final long LONGEST_IDLE = 5_000_000_000L;

    private final HostPort metadata;
    private final HostPort control;
    private final Path output;
    private KeptAliveConnection operator;
    private long asked;
    private String token;

    private ForewarnProcess(BenchSetup setup, String javaOptions, List<String> flags, int metadata, int control)
            throws IOException {
        super(command(setup, flags, metadata, control), options(javaOptions), setup.log("forewarn"));
        output = setup.log("forewarn");
        this.metadata = new HostPort("127.0.0.1", metadata);
        this.control = new HostPort("127.0.0.1", control);
    }

    /** What the caller set is kept: a profiler, another collector. */
    private static Map<String, String> options(String ours) {
        return Map.of("FOREWARN_JAVA_OPTS", System.getenv().getOrDefault("FOREWARN_JAVA_OPTS", "") + " " + ours);
    }

    private static List<String> command(BenchSetup setup, List<String> flags, int metadata, int control) {
        List<String> command = new ArrayList<>(List.of(setup.program().toString(), "serve"));
        command.addAll(List.of("--metadata", "127.0.0.1:" + metadata, "--control", "127.0.0.1:" + control));
        command.addAll(flags);
        return command;
    }

    /** Returns at once; nothing answers yet. */
    public static ForewarnProcess launch(BenchSetup setup, String javaOptions, String... flags) throws IOException {
        return new ForewarnProcess(setup, javaOptions, List.of(flags), BenchSetup.freePort(), BenchSetup.freePort());
    }

    /** Returns when the service is ready. */
    public static ForewarnProcess start(BenchSetup setup, String javaOptions, String... flags) throws IOException {
        ForewarnProcess started = launch(setup, javaOptions, flags);
        started.awaitReady();
        return started;
    }

    public void awaitReady() throws IOException {
        ReadinessProbe.await(
                this, control.port(), KeptAliveConnection.request("GET", Route.READY.uri(), "", ""), LONGEST_START);
        token = LocalToken.find(control).orElseThrow();
        operator = new KeptAliveConnection("127.0.0.1", control.port());
        asked = System.nanoTime();
    }

    public int port() {
        return metadata.port();
    }

    public int controlPort() {
        return control.port();
    }

    /** What opens the control API to the operator. */
    public String token() {
        return token;
    }

    /** What it printed so far: its log. */
    public String said() throws IOException {
        return Files.readString(output);
    }

    /** Asks as the operator. */
    public KeptAliveConnection.Answer control(Route route, List<String> parts, byte[] body) throws IOException {
        if (System.nanoTime() - asked > LONGEST_IDLE) {
            // The service hangs up on who says nothing for long.
            operator.close();
            operator = new KeptAliveConnection("127.0.0.1", control.port());
        }
        asked = System.nanoTime();
        return operator.ask(controlRequest(route, parts, new String(body, UTF_8)));
    }

    public byte[] controlRequest(Route route, List<String> parts, String body) {
        String headers = "Authorization: Bearer " + token + "\r\nContent-Type: application/json\r\n";
        return KeptAliveConnection.request(route.method(), route.uri(parts, Map.of()), headers, body);
    }

    /** Restarts machines, one event each, long enough ahead that none starts by itself; their event ids in that order. */
    public List<String> restart(List<String> machines) throws IOException {
        List<String> ids = new ArrayList<>();
        for (int from = 0; from < machines.size(); from += MOST_AT_ONCE) {
            List<String> some = machines.subList(from, Math.min(machines.size(), from + MOST_AT_ONCE));
            byte[] body = Json.write(new ActionRequest(some, "12h", null, null, null));
            KeptAliveConnection.Answer answer =
                    control(Route.ACTION, List.of("restart"), body).expect(200);
            Json.answer(CommandResultBody.class, answer.body()).events().stream()
                    .map(EventBody::id)
                    .forEach(ids::add);
        }
        return ids;
    }

    /** One of the service's own figures. */
    public double metric(String name) throws IOException {
        return control(Route.METRICS, List.of(), new byte[0])
                .expect(200)
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Override
    public void close() {
        super.close();
        try {
            if (operator != null) {
                operator.close();
            }
        } catch (IOException gone) {
            return; // So is the server.
        }
    }

    /** Its records, for the next start. */
    public static String store(Path folder) throws IOException {
        Files.createDirectories(folder);
        return "sqlite:" + folder;
    }
}
