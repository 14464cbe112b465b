package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How long somebody waits for a short command, and what it costs. */
final class CommandTime {
    // Bash reports the times of the command and of everything it started.
    private static final String TIMED = "TIMEFORMAT='%3R %3U %3S'; time \"$@\" >/dev/null 2>&1";
    private static final double MILLIS = 1_000;

    private final BenchSetup setup;

    CommandTime(BenchSetup setup) {
        this.setup = setup;
    }

    /** A command, and what was measured of it. */
    private record Timed(List<String> command, Measurements wall, Measurements cpu) {
        Timed(List<String> command) {
            this(command, new Measurements(), new Measurements());
        }

        Timed(String... command) {
            this(List.of(command));
        }

        void run(String url) throws IOException {
            List<String> words = new ArrayList<>(List.of("bash", "-c", TIMED, "bash"));
            words.addAll(command);
            ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
            builder.environment().put("FOREWARN_URL", url);
            Process process = builder.start();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            try {
                if (process.waitFor() != 0) {
                    throw new IllegalStateException(command + " failed");
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
            String[] seconds = said.split(" ");
            wall.add(Double.parseDouble(seconds[0]) * MILLIS);
            cpu.add((Double.parseDouble(seconds[1]) + Double.parseDouble(seconds[2])) * MILLIS);
        }

        String row(String name) {
            return "| " + name + " | " + wall.spread(" ms") + " | " + cpu.spread(" ms") + " |\n";
        }
    }

    Finding measure() throws IOException, URISyntaxException {
        String program = setup.program().toString();
        Timed list = new Timed(program, "vm", "list");
        Timed version = new Timed(program, "--version");
        Timed empty = new Timed(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-cp",
                Path.of(EmptyProgram.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString(),
                EmptyProgram.class.getName());
        String store = ForewarnProcess.store(setup.folder("commands").resolve("store"));
        try (ForewarnProcess server = ForewarnProcess.start(setup, "", "--profile", "test", "--store", store)) {
            String url = "http://127.0.0.1:" + server.controlPort();
            for (int round = 0; round < setup.rounds(25); round++) {
                list.run(url);
                version.run(url);
                empty.run(url);
            }
        }
        List<ReportRow> rows = List.of(
                ReportRow.atMost(
                        "`forewarn vm list`, elapsed", "≤ 150 ms", list.wall().median(), 150, " ms"),
                ReportRow.atMost(
                        "`forewarn vm list`, CPU", "≤ 200 ms", list.cpu().median(), 200, " ms"));
        String how = "`./forewarn vm list`, `./forewarn --version` and a JVM that runs an empty program are started in"
                + " turn; the server of `vm list` runs on the same processors and has the demo fleet. `./forewarn` was built"
                + " beforehand; its script, which compares the sources with those it was built from, is included. CPU is that of"
                + " all processes and threads.\n\n"
                + "| | elapsed | CPU |\n|---|---|---|\n"
                + list.row("`vm list`") + version.row("`--version`")
                + empty.row("empty program").strip();
        return new Finding("Commands", rows, how);
    }
}
