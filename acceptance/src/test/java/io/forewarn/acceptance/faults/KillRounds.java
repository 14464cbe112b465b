package io.forewarn.acceptance.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@code bench/faults} runs: the rounds of {@link ServerIsKilledMidEventIT}, a fresh store every twenty. */
final class KillRounds {
    private static final int ROUNDS_PER_STORE = 20;
    private static final String HEAD = String.join(
            "\n",
            "# Kill under load",
            "",
            "Written by `bench/faults`. A server is killed with `kill -9` at random moments while operators schedule,",
            "cancel and approve and machines poll and approve. It is then restarted on the same store, and its state is",
            "compared with the answers that clients got. Violations are: an acknowledged command that is lost, an",
            "event that started early, without its promised notice, or twice, a command carried out twice for one key, an",
            "incarnation that went back or had two contents, and one boot too many or too few.");

    private KillRounds() {}

    public static void main(String[] args) throws IOException {
        int rounds = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        Path page = Path.of(args[2]);
        KillTotals killTotals = KillTotals.NONE;
        long started = System.nanoTime();
        for (int done = 0; done < rounds; done += ROUNDS_PER_STORE) {
            Path folder = Files.createTempDirectory("forewarn-faults");
            KillTotals more = new KillCampaign(folder, seed + done / ROUNDS_PER_STORE)
                    .run(Math.min(ROUNDS_PER_STORE, rounds - done));
            killTotals = killTotals.plus(more);
            System.out.println(killTotals.rounds() + " rounds, " + killTotals.acknowledged() + " acknowledged, "
                    + killTotals.violations().size() + " violations");
            if (!more.violations().isEmpty()) {
                System.out.println("the store and the log are left in " + folder);
                break;
            }
            FaultReportPage.delete(folder);
        }
        FaultReportPage.write(page, HEAD, seed, started, killTotals.table(), killTotals.violations());
        killTotals.violations().forEach(System.out::println);
        System.exit(killTotals.violations().isEmpty() ? 0 : 1);
    }
}
