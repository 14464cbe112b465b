package io.forewarn.bench;

import io.forewarn.core.event.Cause;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The plan of a rollout over all hosts of fleets of three sizes. */
final class PlanTime {
    private static final int TIMES = 5;

    private final BenchSetup setup;

    PlanTime(BenchSetup setup) {
        this.setup = setup;
    }

    Finding measure() throws Exception {
        List<ReportRow> rows = new ArrayList<>();
        List<Integer> sizes = setup.quick() ? List.of(10_000, 100_000) : List.of(10_000, 100_000, 1_000_000);
        Path work = setup.folder("plans");
        for (int machines : sizes) {
            CapturedCommits capturedCommits =
                    new CapturedCommits(FleetFile.spread(work.resolve("fleet.jsonl"), machines));
            for (ConcurrencyLimit atOnce :
                    List.of(ConcurrencyLimit.ALL, new ConcurrencyLimit(ConcurrencyLimit.Kind.PERCENT, 1))) {
                rows.add(measure(capturedCommits, machines, atOnce));
            }
        }
        return new Finding(
                "Plans",
                rows,
                "A reboot of all hosts is planned " + TIMES
                        + " times in one process, from the fleet in memory to the list of steps; the table shows the slowest time,"
                        + " which is usually the first. There are 25 machines per host, in groups of ten with five update domains,"
                        + " and no two machines of a group are on the same host. A plan with at most 1 % of the hosts at once has to"
                        + " consider a hundred times as many points in time.");
    }

    private static ReportRow measure(CapturedCommits capturedCommits, int machines, ConcurrencyLimit atOnce) {
        RolloutSpec spec = RolloutSpec.of(
                        "os",
                        Cause.HOST_REBOOT,
                        new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of(RolloutTarget.EVERY_HOST)))
                .withAtOnce(atOnce);
        double slowest = 0;
        RolloutPlan plan = null;
        for (int i = 0; i < TIMES; i++) {
            long began = System.nanoTime();
            plan = capturedCommits.plan(spec);
            slowest = Math.max(slowest, (System.nanoTime() - began) / 1e9);
        }
        String what = String.format(
                "plan over %,d machines on %,d hosts, %d %% at once", machines, plan.units(), atOnce.number());
        return ReportRow.atMost(what, "≤ 5 s", slowest, 5, " s");
    }
}
