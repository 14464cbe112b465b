package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Measures everything, one after the other, and writes the page. */
public final class Bench {
    /** Something to measure. */
    private interface Measurement {
        Finding measure() throws Exception;
    }

    /** Measured only if it is named: with it, a full run would take too long. */
    private static final Set<String> TOO_LONG = Set.of("million");

    private Bench() {}

    /**
     * {@code WORK FOREWARN WIREMOCK_JAR PAGE [--quick] [NAME…]}: with names only those are measured, and only their sections are written.
     */
    public static void main(String[] arguments) throws Exception {
        List<String> rest = new ArrayList<>(List.of(arguments).subList(4, arguments.length));
        boolean quick = rest.remove("--quick");
        BenchSetup setup = new BenchSetup(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]), quick);
        Map<String, Measurement> all = new LinkedHashMap<>();
        all.put("polls", new PollCost(setup)::measure);
        all.put("tool", new ToolRace(setup)::measure);
        all.put("commands", new CommandTime(setup)::measure);
        all.put("memory", new Memory(setup)::measure);
        all.put("visible", new Visibility(setup)::measure);
        all.put("approvals", new Approvals(setup)::measure);
        all.put("nodes", new ClusterCost(setup)::measure);
        all.put("etcd", Approvals.onEtcd(setup)::measure);
        all.put("plans", new PlanTime(setup)::measure);
        all.put("rollouts", new RolloutTime(setup)::measure);
        all.put("million", new RolloutTime(setup)::measureMillion);
        all.put("changes", new FleetChanges(setup)::measure);
        all.put("files", new FleetFiles(setup)::measure);
        all.put("notices", new WebhookCost(setup)::measure);
        all.put("held", new HeldRequests(setup)::measure);
        List<Finding> findings = new ArrayList<>();
        boolean whole = true;
        for (Map.Entry<String, Measurement> entry : all.entrySet()) {
            if (rest.isEmpty() ? !TOO_LONG.contains(entry.getKey()) : rest.contains(entry.getKey())) {
                System.err.println("measuring " + entry.getKey() + " ...");
                Optional<Finding> finding = attempt(entry.getKey(), entry.getValue());
                finding.ifPresent(found -> {
                    found.rows().forEach(reportRow -> System.err.println("  " + reportRow.line()));
                    findings.add(found);
                });
                whole &= finding.isPresent();
            }
        }
        Path file = Path.of(arguments[3]);
        String page = ReportPage.of(quick || !Files.exists(file) ? "" : Files.readString(file), findings);
        if (!quick) {
            Files.writeString(file, page);
        }
        System.out.println(page);
        System.exit(whole ? 0 : 1); // Nothing of ours is left running, whatever threads are.
    }

    /** What cannot be measured does not take the rest along; its section stays as it is. */
    private static Optional<Finding> attempt(String name, Measurement measurement) {
        try {
            return Optional.of(measurement.measure());
        } catch (Exception failure) {
            System.err.println("  " + name + " could not be measured:");
            failure.printStackTrace();
            return Optional.empty();
        }
    }

    static String version(String... command) throws IOException {
        Process asked = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(asked.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .findFirst()
                .orElse("");
    }
}
