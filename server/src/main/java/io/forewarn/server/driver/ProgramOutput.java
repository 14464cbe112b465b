package io.forewarn.server.driver;

import io.forewarn.wire.control.TemporaryFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Captures the output of a program in an unlinked file. Not in a pipe: the program may outlive the service, and must
 * not be killed by its next line of output.
 */
final class ProgramOutput implements AutoCloseable {
    private static final int LONGEST = 1 << 20;
    private static final int KEPT = 8 << 10;
    private static final int LINES = 5;

    private final Path path;
    private final FileChannel file;
    private String before = "";

    ProgramOutput() throws IOException {
        path = Files.createTempFile(TemporaryFiles.prefix(), ".out");
        file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    ProcessBuilder.Redirect redirect() {
        return ProcessBuilder.Redirect.appendTo(path.toFile());
    }

    /** Deletes the name once the program has the file open; the file vanishes when it is closed. */
    void unlink() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException itStaysBehind) {
            // Only a temporary file is left behind; the work continues.
        }
    }

    /**
     * Truncates the file, so that a verbose program cannot fill the disk. The program appends, so it continues at the
     * new end.
     */
    void bound() {
        try {
            if (file.size() > LONGEST) {
                before = end();
                file.truncate(0);
            }
        } catch (IOException tryAgainNextTime) {
            // The work continues; only its output may grow.
        }
    }

    /** Its last bytes. */
    String end() {
        String text = before + newest();
        return text.substring(Math.max(0, text.length() - KEPT));
    }

    private String newest() {
        try {
            long size = file.size();
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(size, KEPT));
            file.read(bytes, size - bytes.capacity());
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(its output could not be read: " + e.getMessage() + ")";
        }
    }

    /** Its last lines, joined into one. */
    String lastLines() {
        List<String> lines =
                end().lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }

    @Override
    public void close() {
        unlink();
        try {
            file.close();
        } catch (IOException nothingIsLostByIt) {
            // Everything was already read.
        }
    }
}
