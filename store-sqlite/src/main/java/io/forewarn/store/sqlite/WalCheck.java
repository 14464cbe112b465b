package io.forewarn.store.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Finds acknowledged commits after a damaged place in SQLite's write-ahead log.
 *
 * <p>SQLite reads the log up to the first frame with a wrong checksum and silently drops the rest: after a power loss, the
 * rest is the one commit that was being written. But a commit is written only after the previous one was synced. So a
 * complete commit after the damaged frame, followed by any part of another one, proves that SQLite would drop an
 * acknowledged commit. If only one commit is in doubt, the log cannot tell; {@link AcknowledgedHead} can.
 *
 * <p>Each frame's checksum continues that of the previous frame, as written there, so that a frame can be checked
 * although the previous one is damaged. A damaged header makes SQLite drop the whole log. Frames with other salts are
 * left over from an earlier pass through the file. The layout is that of SQLite's "WAL-mode file format".
 */
final class WalCheck {
    private static final int HEADER = 32;
    private static final int FRAME_HEADER = 24;
    private static final int MAGIC = 0x377f0682;
    private static final int SMALLEST_PAGE = 512;
    private static final int LARGEST_PAGE = 65_536;

    private final FileChannel file;
    private final ByteBuffer header = ByteBuffer.allocate(HEADER);
    private ByteOrder order;
    private ByteBuffer frame;
    /** The checksum so far: two 32-bit sums. */
    private int sum0;

    private int sum1;

    private WalCheck(FileChannel file) {
        this.file = file;
    }

    /** Whether SQLite would drop an acknowledged commit. */
    static boolean dropsAcknowledged(Path log) throws IOException {
        if (!Files.exists(log)) {
            return false;
        }
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ)) {
            return new WalCheck(file).dropsAcknowledged();
        }
    }

    private boolean dropsAcknowledged() throws IOException {
        if (!read(header, 0)) {
            return false;
        }
        order = (header.getInt(0) & 1) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        add(header, 0, HEADER - 8);
        int pageSize = header.getInt(8);
        if ((header.getInt(0) & ~1) != MAGIC
                || pageSize < SMALLEST_PAGE
                || pageSize > LARGEST_PAGE
                || Integer.bitCount(pageSize) != 1
                || sum0 != header.getInt(24)
                || sum1 != header.getInt(28)) {
            return framesBehind();
        }
        frame = ByteBuffer.allocate(FRAME_HEADER + pageSize);
        boolean damaged = false;
        boolean commitBehind = false;
        boolean endsCommit = false;
        sum0 = header.getInt(24);
        sum1 = header.getInt(28);
        for (long at = HEADER; read(frame, at); at += frame.capacity()) {
            boolean whole = isWhole();
            // An intact frame continues the previous one, which was therefore written in this pass, whatever is
            // damaged in it now.
            if (damaged && whole && (commitBehind || endsCommit)) {
                return true;
            }
            endsCommit = frame.getInt(4) != 0;
            commitBehind |= damaged && whole && endsCommit;
            damaged |= !whole;
            sum0 = frame.getInt(16);
            sum1 = frame.getInt(20);
        }
        return false;
    }

    /**
     * Whether frames follow a damaged header. SQLite syncs the header before it writes a frame, so
     * the header was intact once. Space that the file system allocated before a power loss reads as zeros.
     */
    private boolean framesBehind() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LARGEST_PAGE);
        long at = HEADER;
        for (int got = file.read(bytes, at); got > 0; got = file.read(bytes.clear(), at)) {
            at += got;
            for (int i = 0; i < got; i++) {
                if (bytes.get(i) != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the frame belongs to this pass through the file and is intact. */
    private boolean isWhole() {
        boolean current = frame.getInt(8) == header.getInt(16) && frame.getInt(12) == header.getInt(20);
        add(frame, 0, 8);
        add(frame, FRAME_HEADER, frame.capacity());
        return current && sum0 == frame.getInt(16) && sum1 == frame.getInt(20);
    }

    private void add(ByteBuffer bytes, int from, int to) {
        bytes.order(order);
        for (int i = from; i < to; i += 8) {
            sum0 += bytes.getInt(i) + sum1;
            sum1 += bytes.getInt(i + 4) + sum0;
        }
        bytes.order(ByteOrder.BIG_ENDIAN);
    }

    private boolean read(ByteBuffer into, long from) throws IOException {
        into.clear();
        long at = from;
        while (into.hasRemaining()) {
            int got = file.read(into, at);
            if (got < 0) {
                return false;
            }
            at += got;
        }
        return true;
    }
}
