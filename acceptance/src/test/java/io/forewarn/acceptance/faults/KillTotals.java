package io.forewarn.acceptance.faults;

import static io.forewarn.acceptance.faults.FaultReportPage.row;

import java.util.ArrayList;
import java.util.List;

/**
 * What rounds of killing came to.
 *
 * @param rounds each of them a kill and a restart
 * @param acknowledged commands and approvals answered 200
 * @param repeated commands nobody answered, asked again under their keys and then acknowledged
 */
record KillTotals(
        int rounds,
        long acknowledged,
        long polls,
        long repeated,
        long events,
        long startedByTime,
        long startedByApproval,
        long failures,
        List<String> violations) {
    static final KillTotals NONE = new KillTotals(0, 0, 0, 0, 0, 0, 0, 0, List.of());

    KillTotals plus(KillTotals more) {
        List<String> all = new ArrayList<>(violations);
        all.addAll(more.violations);
        return new KillTotals(
                rounds + more.rounds,
                acknowledged + more.acknowledged,
                polls + more.polls,
                repeated + more.repeated,
                events + more.events,
                startedByTime + more.startedByTime,
                startedByApproval + more.startedByApproval,
                failures + more.failures,
                all);
    }

    /** As rows of a table. */
    String table() {
        return row("rounds, each a `kill -9` under load and a restart", rounds)
                + row("commands and approvals acknowledged", acknowledged)
                + row("commands without an answer, repeated with their keys, then acknowledged", repeated)
                + row("documents read and compared", polls)
                + row("events", events)
                + row("started because their notice was over", startedByTime)
                + row("started because they were approved", startedByApproval)
                + row("hardware failures", failures)
                + row("violations", violations.size());
    }
}
