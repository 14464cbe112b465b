package io.forewarn.server.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a node's own clock says, as stored in etcd.
 *
 * @param wall the node's clock
 * @param at the cluster's time when it was read
 * @param jumped whether the clock was set recently; it is not trusted then
 */
record ClockVote(Instant wall, Instant at, boolean jumped) {
    private static final Pattern TEXT = Pattern.compile("wall=(\\S{1,40}) at=(\\S{1,40})( jumped)?");

    String text() {
        return "wall=" + wall + " at=" + at + (jumped ? " jumped" : "");
    }

    /** Empty if it cannot be parsed; such a node has no vote. */
    static Optional<ClockVote> of(String text) {
        Matcher matcher = TEXT.matcher(text);
        try {
            return matcher.matches()
                    ? Optional.of(new ClockVote(
                            Instant.parse(matcher.group(1)), Instant.parse(matcher.group(2)), matcher.group(3) != null))
                    : Optional.empty();
        } catch (DateTimeParseException wrong) {
            return Optional.empty();
        }
    }

    static Map<String, ClockVote> of(Map<String, String> texts) {
        Map<String, ClockVote> votes = new TreeMap<>();
        texts.forEach((node, text) -> of(text).ifPresent(vote -> votes.put(node, vote)));
        return votes;
    }

    /** By how much the node's clock was ahead of the cluster's time. */
    Duration off() {
        return Duration.between(at, wall);
    }
}
