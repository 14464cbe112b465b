package io.forewarn.acceptance.cluster;

import static io.forewarn.acceptance.faults.FaultReportPage.row;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What rounds of faults came to.
 *
 * @param faults how often each struck
 * @param missed faults that did not take effect, with the reason
 * @param takeovers milliseconds from the loss of a writer until another node wrote
 * @param handovers milliseconds from the end of a writer that was restarted until a node wrote
 * @param late takeovers and handovers of more than two leases
 * @param acknowledged commands and approvals answered 200
 * @param unanswered commands no node knew the answer to, asked again when all was well
 * @param cameLate of these, refused then, and done later, once, when a copy nobody answered arrived
 * @param carriedOut tasks the driver carried out
 * @param tooLate tasks the driver turned away because a replaced writer handed them out too late
 */
record FaultTotals(
        Map<ClusterFault, Integer> faults,
        List<String> missed,
        List<Long> takeovers,
        List<Long> handovers,
        List<String> late,
        long acknowledged,
        long polls,
        long unanswered,
        long cameLate,
        long events,
        long startedByTime,
        long startedByApproval,
        long carriedOut,
        long tooLate,
        List<String> violations) {
    static final FaultTotals NONE =
            new FaultTotals(Map.of(), List.of(), List.of(), List.of(), List.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

    FaultTotals plus(FaultTotals more) {
        Map<ClusterFault, Integer> both = new EnumMap<>(ClusterFault.class);
        faults.forEach((clusterFault, count) -> both.merge(clusterFault, count, Integer::sum));
        more.faults.forEach((clusterFault, count) -> both.merge(clusterFault, count, Integer::sum));
        return new FaultTotals(
                both,
                joined(missed, more.missed),
                joined(takeovers, more.takeovers),
                joined(handovers, more.handovers),
                joined(late, more.late),
                acknowledged + more.acknowledged,
                polls + more.polls,
                unanswered + more.unanswered,
                cameLate + more.cameLate,
                events + more.events,
                startedByTime + more.startedByTime,
                startedByApproval + more.startedByApproval,
                carriedOut + more.carriedOut,
                tooLate + more.tooLate,
                joined(violations, more.violations));
    }

    private static <T> List<T> joined(List<T> some, List<T> more) {
        List<T> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    int rounds() {
        return faults.values().stream().mapToInt(Integer::intValue).sum() + missed.size();
    }

    /** Whether every fault struck and no promise was broken. */
    boolean stands() {
        return violations.isEmpty() && missed.isEmpty();
    }

    /** What is to be told one by one. */
    List<String> troubles() {
        return Stream.of(violations, missed, late).flatMap(List::stream).toList();
    }

    /** As rows of a table. */
    String table() {
        StringBuilder rows = new StringBuilder(row("rounds, each a fault under load", rounds()));
        faults.forEach((clusterFault, count) -> rows.append(row("· " + clusterFault.words(), count)));
        return rows.append(row("faults that did not take effect", missed.size()))
                .append(row("a writer was lost and another node took over", takeovers.size()))
                .append(row("· time until then, median, milliseconds", median(takeovers)))
                .append(row("· longest time, milliseconds", longest(takeovers)))
                .append(row("a writer was restarted", handovers.size()))
                .append(row("· time until a node was the writer again, median, milliseconds", median(handovers)))
                .append(row("· longest time, milliseconds", longest(handovers)))
                .append(row(
                        "there was no writer for longer than two leases, " + 2 * Cluster.LEASE.toMillis() + " ms",
                        late.size()))
                .append(row("commands and approvals acknowledged", acknowledged))
                .append(row("commands without an answer, repeated with their keys", unanswered))
                .append(row("· refused then, and carried out once when a copy arrived late", cameLate))
                .append(row("documents read and compared", polls))
                .append(row("events", events))
                .append(row("started because their notice was over", startedByTime))
                .append(row("started because they were approved", startedByApproval))
                .append(row("tasks the driver carried out", carriedOut))
                .append(row("tasks it refused because a replaced writer sent them too late", tooLate))
                .append(row("violations", violations.size()))
                .toString();
    }

    private static long median(List<Long> times) {
        return times.isEmpty() ? 0 : times.stream().sorted().toList().get(times.size() / 2);
    }

    private static long longest(List<Long> times) {
        return times.stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
