package io.forewarn.server.boot;

import io.forewarn.server.http.HookedTransport;
import io.forewarn.server.metrics.Metrics;
import io.forewarn.store.sqlite.SqliteStore;
import java.util.logging.Logger;

/**
 * Initializes the classes of the largest libraries on a thread of its own, while the process reads the command line and
 * its settings. Whoever uses one of them waits for the end, so that never two threads initialize classes that need each
 * other.
 */
public final class ClassPreloader {
    private static Thread thread;

    private ClassPreloader() {}

    /** Begins, unless it has. */
    public static synchronized void start() {
        if (thread == null) {
            thread = new Thread(ClassPreloader::load, "forewarn-preload");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Returns when all is loaded; at once if it never began. */
    public static synchronized void await() {
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static void load() {
        try {
            SqliteStore.preload();
            Logger.getLogger("").getHandlers(); // Looks into every jar.
            new HookedTransport();
            new Metrics();
        } catch (RuntimeException | LinkageError failure) {
            // Happens again where the class is used, and is reported there.
            return;
        }
    }
}
