package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import io.forewarn.core.history.LogPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Collects the idempotent results of the last day: those of the commits it is given, and those of earlier commits, which it
 * reads from the log, newest first and a slice at a time. A follower does that while it is idle, so that it need not start
 * when it takes over.
 */
final class IdempotencyLoader {
    /** Pages of the log may be large: a busy commit has hundreds of entries. */
    private static final int SLICE = 200;

    /** Between two pages no more than this counts, because service time may have been set in between. */
    private static final Duration LONGEST_STEP = Duration.ofHours(1);

    /** This many are read however old they are, because a manual clock may have moved by years. */
    private static final int LEAST = 1000;

    /**
     * Pages that are still to be read.
     *
     * @param before they are below this key
     * @param known and above this commit
     * @param last when the last that was read was written; null as long as none was
     * @param age how much older that is than the newest of them
     * @param read how many were
     */
    private record Gap(String before, long known, Instant last, Duration age, int read) {}

    private final Store store;
    private final RecordFormat format;
    private final IdempotencyCache results = new IdempotencyCache();
    private final Deque<Gap> gaps = new ArrayDeque<>();
    private final LongSupplier elapsedNanos;
    private final ServiceTimeWatch timeWatch = new ServiceTimeWatch();
    private long upTo;

    /** @param elapsedNanos real time that passed */
    IdempotencyLoader(Store store, RecordFormat format, LongSupplier elapsedNanos) {
        this.store = store;
        this.format = format;
        this.elapsedNanos = elapsedNanos;
    }

    IdempotencyCache answers() {
        return results;
    }

    /** The commit up to which results are known or listed as missing. */
    void reach(long seq) {
        if (seq > upTo) {
            gaps.push(new Gap(LogPage.key(seq + 1), upTo, null, Duration.ZERO, 0));
            upTo = seq;
        }
    }

    /** All commits up to this one were passed to it. */
    void knows(long seq) {
        upTo = Math.max(upTo, seq);
    }

    /** A page that was just written. Also drops old results, which a follower would otherwise keep for ever. */
    void add(LogPage page) {
        remember(page);
        ClockReading now = new ClockReading(page.at(), elapsedNanos.getAsLong());
        timeWatch.leap(now);
        if (timeWatch.mayForgetAnswers(now)) {
            results.forget(page.at());
        }
    }

    private void remember(LogPage page) {
        page.done().forEach(idempotencyRecord -> results.remember(idempotencyRecord, page.at()));
    }

    /** Whether nothing is missing. */
    boolean isWhole() {
        return gaps.isEmpty();
    }

    /** Reads some of the missing pages. Returns false if none is missing. */
    boolean slice() throws StoreException {
        Gap gap = gaps.peek();
        if (gap == null) {
            return false;
        }
        List<String> keys = new ArrayList<>();
        List<byte[]> values = new ArrayList<>();
        store.scanDown(LogPage.PREFIX, gap.before(), SLICE, (key, value) -> {
            keys.add(key);
            values.add(value);
        });
        boolean more = keys.size() == SLICE;
        Instant last = gap.last();
        Duration age = gap.age();
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).compareTo(LogPage.key(gap.known())) <= 0) {
                more = false;
                break;
            }
            LogPage page = RecordType.read(format, keys.get(i), values.get(i), LogPage.class);
            age = age.plus(step(page.at(), last));
            last = page.at();
            if (age.compareTo(IdempotencyCache.KEPT) > 0 && gap.read() + i >= LEAST) {
                more = false;
                break;
            }
            remember(page);
        }
        gaps.pop();
        if (more) {
            gaps.push(new Gap(keys.get(SLICE - 1), gap.known(), last, age, gap.read() + SLICE));
        }
        return true;
    }

    private static Duration step(Instant from, Instant to) {
        Duration step = to == null ? Duration.ZERO : Duration.between(from, to);
        return step.isNegative() ? Duration.ZERO : step.compareTo(LONGEST_STEP) > 0 ? LONGEST_STEP : step;
    }
}
