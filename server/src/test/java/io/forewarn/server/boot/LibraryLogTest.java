package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class LibraryLogTest {
    @Test
    void librariesAreQuotedInOneLineAndOnlyWhenItMatters() {
        Logger root = Logger.getLogger("");
        Handler[] before = root.getHandlers();
        List<String> lines = new ArrayList<>();
        try {
            LibraryLog.install(Log.to(lines::add, LogFormat.LOGFMT));
            Logger.getLogger("io.netty").info("hello");
            Logger.getLogger("io.netty").log(Level.WARNING, "no accept", new IllegalStateException("too many"));
            org.slf4j.Logger other = LoggerFactory.getLogger("com.example");
            other.info("hello");
            other.warn("{} of {} are left", 1, 2);
            other.error("gone", new IllegalStateException("really"));
            LoggerFactory.getLogger("io.etcd.jetcd").warn("a request failed");
            Logger.getLogger("io.netty").log(Level.WARNING, "reset", new IOException("Connection reset by peer"));
            assertEquals(1, root.getHandlers().length);
        } finally {
            root.removeHandler(root.getHandlers()[0]);
            for (Handler handler : before) {
                root.addHandler(handler);
            }
        }
        assertEquals(
                List.of(
                        "level=warning what=library from=io.netty message=\"no accept\""
                                + " failure=\"java.lang.IllegalStateException: too many\"",
                        "level=warning what=library from=com.example message=\"1 of 2 are left\"",
                        "level=error what=library from=com.example message=gone"
                                + " failure=\"java.lang.IllegalStateException: really\""),
                lines);
    }
}
