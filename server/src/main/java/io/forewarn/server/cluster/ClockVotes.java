package io.forewarn.server.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the clocks of all live nodes say, and what the majority agrees on.
 *
 * @param nodes the live nodes
 * @param votes by node; nodes without a vote still count as nodes
 */
record ClockVotes(Set<String> nodes, Map<String, ClockVote> votes) {
    static final ClockVotes NONE = new ClockVotes(Set.of(), Map.of());

    /** Clocks agree if they are no further apart than this. */
    private static final Duration ALIKE = Duration.ofSeconds(2);

    /** Older votes do not count. */
    private static final Duration FRESH = Duration.ofSeconds(30);

    /** By how much each node's clock is ahead, for nodes that voted recently. */
    Map<String, Duration> off(Instant now) {
        Map<String, Duration> off = new TreeMap<>();
        votes.forEach((node, vote) -> {
            if (nodes.contains(node) && isFresh(vote, now)) {
                off.put(node, vote.off());
            }
        });
        return off;
    }

    private static boolean isFresh(ClockVote vote, Instant now) {
        return Duration.between(vote.at(), now).abs().compareTo(FRESH) <= 0;
    }

    /** By how much cluster time is behind what more than half of the live nodes agree on; empty if they do not. */
    Optional<Duration> agreed(Instant now) {
        List<Duration> offs = new ArrayList<>();
        off(now).forEach((node, off) -> {
            if (!votes.get(node).jumped()) {
                offs.add(off);
            }
        });
        offs.sort(Duration::compareTo);
        int needed = nodes.size() / 2 + 1;
        for (int first = 0; nodes.size() > 1 && first + needed <= offs.size(); first++) {
            Duration lowest = offs.get(first);
            if (offs.get(first + needed - 1).minus(lowest).compareTo(ALIKE) <= 0) {
                return Optional.of(offs.get(first + needed / 2));
            }
        }
        return Optional.empty();
    }
}
