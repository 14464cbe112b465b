package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds up the service time in which no document could be read: jumps of the wall clock against the monotonic clock, stalls,
 * and the time between the last mark of one process and the start of the next. The sum is stored with every {@link
 * TimeMark}, so that the notice an event is still owed is known after any number of restarts.
 */
final class DowntimeTracker {
    static final int MOST = 100;

    /** Less than this is added up before it becomes a span of its own. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final List<DowntimeSpan> spans = new ArrayList<>();
    private ClockReading counted;
    private long countedCommit;
    private Duration stalled = Duration.ZERO;

    /**
     * Continues from the last mark.
     *
     * @param since until when documents could be read before this process; null if nothing was missed
     * @param commit the last one in the store
     */
    void resume(StoredTime stored, Instant since, ClockReading now, long commit) {
        spans.clear();
        if (stored.mark() != null) {
            spans.addAll(stored.mark().downtime());
        }
        if (since != null) {
            add(new DowntimeSpan(commit, Duration.between(since, now.wall())));
        }
        counted = now;
        countedCommit = commit;
    }

    void stalled(Duration missed) {
        stalled = stalled.plus(missed);
    }

    /** For how much of the time since a commit documents could not be read, as far as it was counted. */
    Duration since(long commit) {
        Duration sum = Duration.ZERO;
        for (DowntimeSpan span : spans) {
            sum = span.commit() >= commit ? sum.plus(span.length()) : sum;
        }
        return sum;
    }

    /**
     * Counts up to now, for a mark.
     *
     * @param commit the last one that is durable
     * @param oldest the oldest commit whose events still wait for their notice: earlier ones are not needed
     */
    List<DowntimeSpan> upTo(ClockReading now, long commit, long oldest) {
        spans.removeIf(span -> span.commit() < oldest);
        Duration more = Duration.between(counted.wall(), now.wall())
                .minusNanos(now.nanos() - counted.nanos())
                .plus(stalled);
        if (more.isZero()) {
            return List.copyOf(spans);
        }
        // An event scheduled meanwhile may have missed all of it, and must not be credited with time that was set back
        // before.
        DowntimeSpan last = new DowntimeSpan(more.isNegative() ? countedCommit : commit, more);
        if (more.abs().compareTo(LEAST) < 0) {
            List<DowntimeSpan> all = new ArrayList<>(spans);
            all.add(last);
            return List.copyOf(all);
        }
        add(last);
        counted = now;
        countedCommit = commit;
        stalled = Duration.ZERO;
        return List.copyOf(spans);
    }

    /** If there are too many, merges the two oldest so that no event is owed less than before. */
    private void add(DowntimeSpan span) {
        spans.add(span);
        if (spans.size() > MOST) {
            DowntimeSpan first = spans.remove(0);
            DowntimeSpan second = spans.remove(0);
            Duration both = first.length().plus(second.length());
            Duration longer = both.compareTo(second.length()) > 0 ? both : second.length();
            spans.add(0, new DowntimeSpan(Math.max(first.commit(), second.commit()), longer));
        }
    }
}
