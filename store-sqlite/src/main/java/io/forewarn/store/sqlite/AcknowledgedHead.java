package io.forewarn.store.sqlite;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.forewarn.core.engine.Store.Head;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Records beside the database which commit was acknowledged last, so that the store detects a database that lost
 * commits or is missing. Written after each commit and never synced: that costs nothing; after {@code kill -9} it is
 * exact, and after a power loss it is some seconds old, so it may be too low, but never too high.
 */
final class AcknowledgedHead {
    private static final Pattern TEXT =
            Pattern.compile("(commit=0*(\\d{1,19}) writer=0*(\\d{1,19})) check=([0-9a-f]{8})\n");

    private static final int DIGITS = 19;
    private static final int CHECK_DIGITS = 8;

    private final Path path;
    private FileChannel file;
    private Head last;

    private AcknowledgedHead(Path path, Head last) {
        this.path = path;
        this.last = last;
    }

    /** Reads the file; one that a power loss left incomplete counts as missing. */
    static AcknowledgedHead at(Path path) throws IOException {
        return new AcknowledgedHead(path, Files.exists(path) ? parse(Files.readString(path, US_ASCII)) : null);
    }

    private static Head parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches() && check(matcher.group(1)).equals(matcher.group(4))
                ? new Head(Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3)))
                : null;
    }

    private static String check(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(US_ASCII));
        return HexFormat.of().toHexDigits(crc.getValue(), CHECK_DIGITS);
    }

    Path path() {
        return path;
    }

    /** The last commit and writer that were acknowledged; empty if none is known. */
    Optional<Head> last() {
        return Optional.ofNullable(last);
    }

    boolean isBeyond(Head head) {
        return last != null && (last.seq() > head.seq() || last.epoch() > head.epoch());
    }

    /** Records that the store is synced up to this head. */
    void acknowledged(Head head) {
        last = head;
        try {
            write();
        } catch (IOException stale) {
            // The value is then too low, as after a power loss. The commit itself is durable.
            close();
        }
    }

    /**
     * Writes the file again if it is missing: the next start must know that there was a store. Not where the folder is
     * missing as well: it may have been moved away, and must find its place free when it is moved back.
     */
    void leaveBehind() {
        close();
        if (last == null || !Files.isDirectory(path.getParent())) {
            return;
        }
        try {
            write();
        } catch (IOException nothingCanBeLeft) {
            close();
        }
    }

    /** The same when the store is closed, creating the directory if it is missing. */
    void leaveBehindForGood() {
        try {
            if (last != null) {
                Files.createDirectories(
                        path.getParent(),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            leaveBehind();
        } catch (IOException nothingCanBeLeft) {
            close();
        }
    }

    void forget() throws IOException {
        close();
        Files.deleteIfExists(path);
        last = null;
    }

    private void write() throws IOException {
        if (file == null) {
            file = FileChannel.open(
                    path,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        String text = "commit=" + digits(last.seq()) + " writer=" + digits(last.epoch());
        file.write(ByteBuffer.wrap((text + " check=" + check(text) + "\n").getBytes(US_ASCII)), 0);
    }

    private static String digits(long number) {
        String digits = Long.toString(number);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    void close() {
        if (file == null) {
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            // The descriptor is closed in any case.
        }
        file = null;
    }
}
