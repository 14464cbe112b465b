package io.forewarn.acceptance.cluster;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The time from the loss of the writer until a node writes that etcd, too, takes for the writer. */
final class WriterVacancy {
    /** Lost for good: under its name a new process may write at any time. */
    static final int NOBODY = -1;

    private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final Cluster cluster;
    private final int lost;
    private final String why;
    private final long since;
    private final Thread[] watchers = new Thread[Cluster.NODES];
    private volatile boolean back;
    private volatile boolean over;
    private int next = NOBODY;
    private long nanos = PATIENCE;
    private long longestGlance;
    private double load;

    /** @param lost the node that wrote and cannot, whatever it believes, until it is back; or nobody */
    WriterVacancy(Cluster cluster, int lost, String why, long since) {
        this.cluster = cluster;
        this.lost = lost;
        this.why = why;
        this.since = since;
        for (int i = 0; i < watchers.length; i++) {
            int node = i;
            watchers[i] = new Thread(() -> watch(node), "vacancy-" + i);
            watchers[i].start();
        }
    }

    private void watch(int node) {
        while (!over && System.nanoTime() - since < PATIENCE) {
            long began = System.nanoTime();
            // One that is cut off may go on believing that it writes.
            if ((node != lost || back) && cluster.writes(node)) {
                found(node);
            }
            LockSupport.parkNanos(GLANCE);
            glanced(System.nanoTime() - began);
        }
    }

    private synchronized void found(int node) {
        if (!over) {
            over = true;
            next = node;
            nanos = System.nanoTime() - since;
            load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        }
    }

    private synchronized void glanced(long took) {
        longestGlance = Math.max(longestGlance, took);
    }

    /** The lost node may write again, if nobody else does. */
    void back() {
        back = true;
    }

    /** Waits until somebody writes, a minute at most. */
    void end() {
        back();
        for (Thread watcher : watchers) {
            try {
                watcher.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether the one that was lost went on writing when it was back. */
    boolean wasShort() {
        return next >= 0 && next == lost;
    }

    boolean wasHandedOver() {
        return why.equals(ClusterFault.HANDED_OVER);
    }

    /** Whether nobody wrote for longer than two leases. */
    boolean wasLong() {
        return next < 0 || millis() > 2 * Cluster.LEASE.toMillis();
    }

    long millis() {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @Override
    public String toString() {
        return why + ": " + (next < 0 ? "nobody wrote for " : "node " + next + " wrote after ") + millis()
                + " ms; a look at the nodes took up to " + TimeUnit.NANOSECONDS.toMillis(longestGlance)
                + " ms, and " + Math.round(load) + " processes wanted to run on "
                + Runtime.getRuntime().availableProcessors() + " processors";
    }
}
