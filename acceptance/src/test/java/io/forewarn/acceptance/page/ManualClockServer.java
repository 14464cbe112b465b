package io.forewarn.acceptance.page;

import io.forewarn.acceptance.deploy.InstalledTools;
import io.forewarn.acceptance.deploy.ServeLauncher;
import io.forewarn.acceptance.deploy.StoreChoice;
import io.forewarn.acceptance.page.TerminalPrograms.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code forewarn serve} as a process of its own, on a manual clock, and {@code forewarn …} against it. */
final class ManualClockServer implements AutoCloseable {
    private static final Pattern ID = Pattern.compile("[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}");

    private final Path folder;
    private final List<String> prefix;
    private final Process process;
    private final ServeLauncher.Addresses addresses;

    /** @param prefix what the server is started through, such as a network namespace */
    ManualClockServer(List<String> prefix, String metadataAt, String... machines) {
        try {
            this.prefix = prefix;
            folder = Files.createTempDirectory("forewarn");
            String fleet = resource("fleet.yaml");
            for (int i = 0; i < machines.length; i++) {
                fleet = fleet.replace("ADDRESS_" + i, machines[i]);
            }
            Path fleetFile = Files.writeString(folder.resolve("fleet.yaml"), fleet);
            ServeLauncher serve = new ServeLauncher(folder)
                    .with("--fleet", fleetFile.toString(), "--metadata", metadataAt, "--clock", "manual")
                    .with("--set", "metadata.requests-per-second=0")
                    .with(StoreChoice.flags(folder));
            List<String> command = new ArrayList<>(prefix);
            command.addAll(serve.words());
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile());
            builder.environment().putAll(environment());
            process = builder.start();
            addresses = serve.awaitReady(process, this::log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ManualClockServer onLoopback() {
        return new ManualClockServer(List.of(), "127.0.0.1:0", "127.0.0.1", "127.0.0.2", "127.0.0.3");
    }

    /** Where machines ask, {@code HOST:PORT}. */
    String metadata() {
        return addresses.metadata();
    }

    /** A command of the operator; it must succeed. */
    Outcome operator(String... args) {
        Map<String, String> environment = new java.util.HashMap<>(environment());
        environment.put("FOREWARN_URL", "http://" + addresses.control());
        return TerminalPrograms.run(forewarn(args), environment).ok();
    }

    /** Restarts a machine and returns the event's id. */
    String restart(String machine) {
        Outcome outcome = operator("vm", "restart", machine, "--json");
        Matcher id = ID.matcher(outcome.out());
        if (!id.find()) {
            throw new AssertionError("no event id in " + outcome.out());
        }
        return id.group();
    }

    static String resource(String name) throws IOException {
        try (var in = ManualClockServer.class.getResourceAsStream("/page/" + name)) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    private Map<String, String> environment() {
        return Map.of(
                "HOME", folder.toString(), "XDG_RUNTIME_DIR", folder.toString(), "XDG_STATE_HOME", folder.toString());
    }

    private List<String> forewarn(String... args) {
        List<String> command = new ArrayList<>(prefix);
        command.add(InstalledTools.project().resolve("forewarn").toString());
        command.addAll(Arrays.asList(args));
        return command;
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException unreadable) {
            return "(no log)";
        }
    }

    @Override
    public void close() {
        process.destroy();
        try (Stream<Path> files = Files.walk(folder)) {
            process.waitFor(30, TimeUnit.SECONDS);
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
