package io.forewarn.server.control;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Audits refused commands, with a limit per minute for each caller and for all together: a caller that is refused often
 * must not fill the disk or the log. Omitted refusals are counted, and the count is recorded. Thread-safe.
 */
final class RefusalLog {
    static final int PER_CALLER = 30;
    static final int FOR_ALL = 300;
    private static final long MINUTE_MILLIS = 60_000;

    private final Log log;
    private final Map<String, AtomicInteger> byCaller = new ConcurrentHashMap<>();
    private final AtomicInteger all = new AtomicInteger();
    private final AtomicInteger leftOut = new AtomicInteger();

    RefusalLog(Vertx vertx, Log log) {
        this(log);
        vertx.setPeriodic(MINUTE_MILLIS, timer -> minute());
    }

    RefusalLog(Log log) {
        this.log = log;
    }

    void write(String caller, LogLine line) {
        boolean told =
                byCaller.computeIfAbsent(caller, name -> new AtomicInteger()).incrementAndGet() <= PER_CALLER
                        && all.incrementAndGet() <= FOR_ALL;
        if (told) {
            log.write(line);
        } else {
            leftOut.incrementAndGet();
        }
    }

    /** Resets the counts after a minute. */
    void minute() {
        byCaller.clear();
        all.set(0);
        int untold = leftOut.getAndSet(0);
        if (untold > 0) {
            log.write(LogLine.warning("refused-left-out").with("count", untold));
        }
    }
}
