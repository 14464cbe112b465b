package io.forewarn.server.boot;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import java.io.IOException;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What libraries have to say, as one line each among ours. The JDK's own handler opens a file of time zones for its first
 * line: when descriptors run out, that kills the thread that only wanted to say so.
 */
public final class LibraryLog extends Handler {
    private final Log log;

    private LibraryLog(Log log) {
        this.log = log;
        setLevel(Level.WARNING);
    }

    /** Takes the place of whatever was there, for the whole process. */
    public static void install(Log log) {
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        root.addHandler(new LibraryLog(log));
    }

    @Override
    public void publish(LogRecord said) {
        Throwable thrown = said.getThrown();
        // Clients break off, and nobody must act: as many lines as they like would be theirs to write.
        if (isLoggable(said) && !(thrown instanceof IOException)) {
            LogLine line = said.getLevel() == Level.SEVERE ? LogLine.error("library") : LogLine.warning("library");
            log.write(line.with("from", said.getLoggerName())
                    .with("message", said.getMessage())
                    .with("failure", thrown));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
