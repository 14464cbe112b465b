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
            "# Faults in a cluster of three nodes and three etcd members",
            "",
            "Written by `bench/faults cluster`. Sixty-four clients schedule, cancel, approve and poll at all nodes, and move on",
            "to the next node when one does not answer; commands carry idempotency keys. Meanwhile a fault is injected, and must",
            "prove that it took effect. After the fault is repaired, the state of the nodes, and what their driver was told to do,",
            "are compared with the answers that clients got. Violations are: an acknowledged command that is lost; an event that",
            "started early by the time of the service, the client or the driver, without its promised notice, or twice; work carried",
            "out twice, not at all, or before it was durable; a command carried out twice for one key; an incarnation that went back",
            "on a node or had two contents; nodes that do not converge; one boot too many or too few.");

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
