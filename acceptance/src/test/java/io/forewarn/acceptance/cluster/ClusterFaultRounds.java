package io.forewarn.acceptance.cluster;

import io.forewarn.acceptance.faults.FaultReportPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What {@code bench/faults cluster} runs: rounds of {@link NodesFailUnderLoadIT} with every fault there is, a fresh cluster for each dozen or so. */
final class ClusterFaultRounds {
    private static final String HEAD = String.join(
            "\n",
            "# Three nodes on three members of etcd, under faults",
            "",
            "Written by `bench/faults cluster`. Sixty-four callers schedule, cancel, approve and poll at all nodes, and go on",
            "to the next when one does not answer; commands carry keys. Meanwhile a fault strikes, which must be proved, then",
            "all is made well, and what the nodes say, and what their driver was told to do, is held against what callers were",
            "told. A violation would be: an acknowledged command that is gone, an event that started early, by the service's",
            "time, by the caller's or by the driver's, without the notice promised, or twice, work carried out twice, or not at",
            "all, or before it was written down, a command done twice for one key, an incarnation that went back on a node or",
            "was shown with two contents, nodes that do not come to show the same, a boot too many or too few.");

    private ClusterFaultRounds() {}

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        Path page = Path.of(args[2]);
        List<ClusterFault> kinds = args.length > 3
                ? Stream.of(args[3].split(",")).map(ClusterFault::valueOf).toList()
                : List.of(ClusterFault.values());
        FaultTotals faultTotals = FaultTotals.NONE;
        long started = System.nanoTime();
        for (long cluster = seed; faultTotals.rounds() < rounds; cluster++) {
            List<ClusterFault> faults = new ArrayList<>(kinds);
            Collections.shuffle(faults, new Random(cluster));
            Path folder = Files.createTempDirectory("forewarn-faults");
            FaultTotals more = new FaultCampaign(folder, cluster)
                    .run(faults.subList(0, Math.min(faults.size(), rounds - faultTotals.rounds())));
            faultTotals = faultTotals.plus(more);
            System.out.println(faultTotals.rounds() + " rounds, " + faultTotals.acknowledged() + " acknowledged, "
                    + faultTotals.violations().size() + " violations");
            more.troubles().forEach(System.out::println);
            FaultReportPage.write(page, HEAD, seed, started, faultTotals.table(), faultTotals.troubles());
            if (!more.troubles().isEmpty() || more.rounds() == 0) {
                System.out.println("seed " + cluster + ", " + faults + "; the logs are left in " + folder);
            } else {
                FaultReportPage.delete(folder);
            }
            if (!more.violations().isEmpty() || more.rounds() == 0) {
                break;
            }
        }
        System.exit(faultTotals.stands() ? 0 : 1);
    }
}
