package io.forewarn.acceptance.cluster;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What rounds of faults came to.
 *
 * @param faults how often each struck
 * @param handovers rounds after which another node wrote than before
 * @param acknowledged commands and approvals answered 200
 * @param unanswered commands no node knew the answer to, asked again when all was well
 */
record Tally(
        Map<Fault, Integer> faults,
        long handovers,
        long acknowledged,
        long polls,
        long unanswered,
        long events,
        long startedByTime,
        long startedByApproval,
        List<String> violations) {
    static final Tally NONE = new Tally(Map.of(), 0, 0, 0, 0, 0, 0, 0, List.of());

    Tally plus(Tally more) {
        Map<Fault, Integer> both = new EnumMap<>(Fault.class);
        faults.forEach((fault, count) -> both.merge(fault, count, Integer::sum));
        more.faults.forEach((fault, count) -> both.merge(fault, count, Integer::sum));
        List<String> all = new ArrayList<>(violations);
        all.addAll(more.violations);
        return new Tally(
                both,
                handovers + more.handovers,
                acknowledged + more.acknowledged,
                polls + more.polls,
                unanswered + more.unanswered,
                events + more.events,
                startedByTime + more.startedByTime,
                startedByApproval + more.startedByApproval,
                all);
    }

    int rounds() {
        return faults.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** As rows of a table. */
    String table() {
        StringBuilder rows = new StringBuilder(row("rounds, each a fault under load", rounds()));
        faults.forEach((fault, count) ->
                rows.append(row("· " + fault.name().toLowerCase(Locale.ROOT).replace('_', ' '), count)));
        return rows.append(row("another node wrote afterwards", handovers))
                .append(row("commands and approvals acknowledged", acknowledged))
                .append(row("commands no node had an answer to, asked again under their keys", unanswered))
                .append(row("documents handed out and compared", polls))
                .append(row("events", events))
                .append(row("started because their notice was over", startedByTime))
                .append(row("started because they were approved", startedByApproval))
                .append(row("violations", violations.size()))
                .toString();
    }

    private static String row(String what, long count) {
        return "| " + what + " | " + count + " |\n";
    }
}
