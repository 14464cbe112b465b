package io.forewarn.server.boot;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import java.io.IOException;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Writes log records of libraries to the operator's log. The JDK's own handler opens a time zone file for its first
 * line: when descriptors run out, that kills the thread that wanted to log it.
 */
public final class LibraryLog extends Handler {
    private final Log log;

    private LibraryLog(Log log) {
        this.log = log;
        setLevel(Level.WARNING);
    }

    /** Replaces all handlers, for the whole process. */
    public static void install(Log log) {
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        root.addHandler(new LibraryLog(log));
    }

    @Override
    public void publish(LogRecord message) {
        Throwable thrown = message.getThrown();
        // Disconnecting clients need no action, and must not be able to fill the log.
        if (isLoggable(message) && !(thrown instanceof IOException)) {
            LogLine line = message.getLevel() == Level.SEVERE ? LogLine.error("library") : LogLine.warning("library");
            log.write(line.with("from", message.getLoggerName())
                    .with("message", message.getMessage())
                    .with("failure", thrown));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
