package io.forewarn.bench.attack;

import io.forewarn.bench.BenchSetup;
import io.forewarn.bench.ForewarnProcess;
import io.forewarn.wire.control.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An owner sends fleet files whose reading costs the square of their length, or that stand for more than they are. */
final class LongLines implements Attack {
    /** All files together; one of them took 26 s. */
    private static final double MOST_CPU_MICROS = 15_000_000;

    private static int bytes(boolean quick) {
        return quick ? 4 << 20 : 8 << 20;
    }

    @Override
    public String name() {
        return "long-lines";
    }

    @Override
    public String tried(boolean quick) {
        return "fleet files of " + (bytes(quick) >> 20)
                + " MiB by one owner: one long line of each kind, deep nesting, aliases of aliases";
    }

    @Override
    public List<AttackFinding> run(BenchSetup setup) throws Exception {
        List<AttackFinding> findings = new ArrayList<>();
        try (ForewarnProcess server = ForewarnProcess.start(
                setup, "-Xmx512m", "--profile", "test", "--store", ForewarnProcess.store(setup.folder("store")))) {
            OwnerClient owner = OwnerClient.of(server, "shop");
            double before = server.cpuMicros();
            Map<String, Integer> answers = new LinkedHashMap<>();
            for (Map.Entry<String, String> file : files(bytes(setup.quick())).entrySet()) {
                answers.put(file.getKey(), owner.status(Route.FLEET_APPLY, List.of(), file.getValue()));
            }
            double cpu = server.cpuMicros() - before;
            findings.add(AttackFinding.of(
                    answers.values().stream().allMatch(status -> status == 400), "all are refused: %s", answers));
            findings.add(AttackFinding.of(
                    cpu < MOST_CPU_MICROS,
                    "they cost %.1f s of CPU together, at most %.0f",
                    cpu / 1e6,
                    MOST_CPU_MICROS / 1e6));
            findings.add(AttackFinding.of(
                    owner.status(Route.FLEET_APPLY, List.of(), "{\"machines\":[{\"name\":\"a\"}]}") == 200,
                    "the next file is taken"));
        }
        return findings;
    }

    private static Map<String, String> files(int bytes) {
        String letters = "x".repeat(bytes);
        Map<String, String> files = new LinkedHashMap<>();
        files.put("name", "machines:\n  - {name: " + letters + "}\n");
        files.put("quoted", "machines:\n  - {name: \"" + letters + "\"}\n");
        files.put("comment", "machines: [] #" + letters + "\n");
        files.put("blanks", "machines:" + " ".repeat(bytes) + "[]\n");
        files.put("anchor", "machines: &" + letters + " []\n");
        files.put("tag", "machines: !<" + letters + "> []\n");
        files.put("directive", "%YAML 1." + "1".repeat(bytes) + "\n---\nmachines: []\n");
        files.put("nested", "machines: [\n" + " [\n".repeat(bytes / 3));
        files.put("nested JSON", "{\"machines\":" + "[".repeat(bytes));
        files.put("aliases", aliases());
        return files;
    }

    /** Ten lines that would stand for a billion machines. */
    private static String aliases() {
        StringBuilder file = new StringBuilder("machines:\n - &a0 {name: a}\n");
        for (int i = 1; i < 10; i++) {
            file.append(" - &a")
                    .append(i)
                    .append(" [")
                    .append(("*a" + (i - 1) + ", ").repeat(9))
                    .append("]\n");
        }
        return file.toString();
    }
}
