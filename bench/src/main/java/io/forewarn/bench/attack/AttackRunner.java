package io.forewarn.bench.attack;

import io.forewarn.bench.BenchSetup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs attacks one after the other and prints a table of what held. */
public final class AttackRunner {
    /** Every attack there is: a new one is added here. */
    public static final List<Attack> ALL = List.of(
            new RefusedBodies(), //
            new IdleConnections(), //
            new FleetFlood(), //
            new LongLines(), //
            new StolenPlaces(), //
            new LogReaders());

    private static final int LONGEST_MINUTES = 5;

    private AttackRunner() {}

    /** {@code WORK FOREWARN [--quick] [NAME…]}; the exit code is 1 if something did not hold. */
    public static void main(String[] arguments) throws Exception {
        List<String> rest = new ArrayList<>(List.of(arguments).subList(2, arguments.length));
        boolean quick = rest.remove("--quick");
        if (rest.remove("--list")) {
            ALL.forEach(attack -> System.out.println(attack.name() + "\n    " + attack.tried(false)));
            return;
        }
        for (String name : rest) {
            if (ALL.stream().noneMatch(attack -> attack.name().equals(name))) {
                System.err.println("bench/attacks: unknown attack " + name + "; there are "
                        + ALL.stream().map(Attack::name).toList());
                System.exit(2);
            }
        }
        boolean held = true;
        StringBuilder table =
                new StringBuilder("| attack | what was tried | what held / did not hold |\n|---|---|---|\n");
        for (Attack attack : ALL) {
            if (rest.isEmpty() || rest.contains(attack.name())) {
                System.err.println("attacking: " + attack.name() + " ...");
                Path work = Files.createDirectories(Path.of(arguments[0]).resolve(attack.name()));
                List<AttackFinding> findings = run(attack, new BenchSetup(work, Path.of(arguments[1]), null, quick));
                held &= findings.stream().allMatch(AttackFinding::held);
                table.append(row(attack, quick, findings)).append('\n');
            }
        }
        System.out.print(table);
        System.exit(held ? 0 : 1); // Nothing of ours is left running, whatever threads are.
    }

    /** An attack that fails, or does not end in time, has not shown that anything holds. */
    public static List<AttackFinding> run(Attack attack, BenchSetup setup) throws InterruptedException {
        FutureTask<List<AttackFinding>> task = new FutureTask<>(() -> attack.run(setup));
        Thread thread = new Thread(task, attack.name());
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(LONGEST_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException failure) {
            failure.getCause().printStackTrace();
            return List.of(new AttackFinding(false, "the attack broke off: " + failure.getCause()));
        } catch (TimeoutException late) {
            task.cancel(true);
            return List.of(new AttackFinding(false, "not over after " + LONGEST_MINUTES + " minutes"));
        }
    }

    private static String row(Attack attack, boolean quick, List<AttackFinding> findings) {
        List<String> told = findings.stream()
                .map(finding -> (finding.held() ? "held: " : "**did not hold**: ") + finding.what())
                .toList();
        return "| " + attack.name() + " | " + attack.tried(quick) + " | " + String.join("; ", told) + " |";
    }
}
