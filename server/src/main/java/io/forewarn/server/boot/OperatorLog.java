package io.forewarn.server.boot;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.log.LogLine;
import io.forewarn.server.log.QueuedLog;
import io.forewarn.server.settings.LogSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Writes the operator's log on its own thread. */
public final class OperatorLog implements Log, AutoCloseable {
    private static final int LAST_SECONDS = 2;

    private final ExecutorService writing = Executors.newSingleThreadExecutor(r -> {
        Thread thread = new Thread(r, "forewarn-log");
        thread.setDaemon(true);
        return thread;
    });
    private final Log queue;

    /** @param out receives text without its last line end */
    public OperatorLog(Consumer<String> out, LogFormat format) {
        queue = new QueuedLog(out, format, Instant::now, writing);
    }

    /** The configured format, or the one that fits standard error. */
    public static LogFormat format(LogSettings.Form form, Map<String, String> environment) {
        return switch (form) {
            case LOGFMT -> LogFormat.LOGFMT;
            case JSON -> LogFormat.JSON;
            case JOURNALD -> LogFormat.JOURNALD;
            case AUTO ->
                isJournal(environment.get("JOURNAL_STREAM"), Path.of("/proc/self/fd/2"))
                        ? LogFormat.JOURNALD
                        : LogFormat.LOGFMT;
        };
    }

    /** systemd identifies the journal's socket by device and inode; child processes may have another standard error. */
    static boolean isJournal(String stream, Path error) {
        if (stream == null) {
            return false;
        }
        try {
            Map<String, Object> file = Files.readAttributes(error, "unix:dev,ino");
            return stream.equals(file.get("dev") + ":" + file.get("ino"));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException elsewhere) {
            return false;
        }
    }

    @Override
    public void write(List<LogLine> lines) {
        write(lines.size(), () -> lines);
    }

    @Override
    public void write(int count, Supplier<List<LogLine>> lines) {
        if (!writing.isShutdown()) {
            queue.write(count, lines);
        }
    }

    /** Writes queued lines, with a time limit in case there is no reader. */
    @Override
    public void close() {
        writing.shutdown();
        try {
            writing.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
