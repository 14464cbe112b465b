package io.forewarn.server.cluster;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Chooses the format in which records are written: the newest that all live nodes can read. During a rolling upgrade that is
 * the old format, and the new one once the last node is upgraded.
 *
 * <p>It goes down at once, but up only after a while: a node that is being restarted is absent for a moment, and would
 * return to records that it cannot read. For the same reason a node starts with the oldest format.
 *
 * <p>A node that can read nothing this release writes is reported, and not waited for.
 */
public final class FormatNegotiation {
    static final Duration BEFORE_RAISING = Duration.ofMinutes(1);

    /** Which formats this release writes. */
    public record Range(int oldest, int newest) {
        /** @param read the newest that each node reads */
        int common(Collection<Integer> read) {
            int all = read.stream().mapToInt(Integer::intValue).reduce(newest, Math::min);
            return Math.max(all, oldest);
        }
    }

    private final Range range;
    private final IntConsumer writes;
    private final LongSupplier elapsedNanos;
    private final Log log;
    private final Set<String> reported = new HashSet<>();
    private volatile int written;
    private Long highSince;

    /** @param writes receives the format in which records are to be written from now on */
    public FormatNegotiation(Range range, IntConsumer writes, LongSupplier elapsedNanos, Log log) {
        this.range = range;
        this.writes = writes;
        this.elapsedNanos = elapsedNanos;
        this.log = log;
        // A node that starts alone does not know which others are about to return.
        this.written = range.oldest;
        writes.accept(written);
    }

    /** The newest format that this node reads. */
    int newest() {
        return range.newest;
    }

    /** The format in which records are written. Any thread. */
    int written() {
        return written;
    }

    /** The live nodes. One thread. */
    public void seen(Map<String, String> nodes) {
        Map<String, NodeInfo> all = new HashMap<>();
        nodes.forEach((name, about) -> all.put(name, NodeInfo.of(about)));
        settle(range.common(all.values().stream().map(NodeInfo::reads).toList()));
        reported.retainAll(all.keySet());
        all.forEach((name, info) -> {
            if (isTooOld(info) && reported.add(name)) {
                log.write(LogLine.warning("node-too-old")
                        .with("node", name)
                        .with("release", info.release())
                        .with("reason", problem(info))
                        .with("fix", "upgrade it, one release at a time"));
            }
        });
    }

    private void settle(int common) {
        if (common > written) {
            long now = elapsedNanos.getAsLong();
            highSince = highSince == null ? now : highSince;
            if (now - highSince < BEFORE_RAISING.toNanos()) {
                return;
            }
        }
        highSince = null;
        if (common != written) {
            written = common;
            writes.accept(common);
        }
    }

    private boolean isTooOld(NodeInfo info) {
        return info.reads() < range.oldest;
    }

    /** Why a node cannot follow; null if it can. Any thread. */
    String problem(NodeInfo info) {
        return isTooOld(info)
                ? "it reads records up to format " + info.reads() + ", and none older than " + range.oldest
                        + " are written"
                : null;
    }
}
