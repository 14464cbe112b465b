package io.forewarn.server.http;

import io.netty.buffer.ByteBuf;

/**
 * Follows the chunks of one connection's request bodies and looks at each chunk size before Netty's decoder reads it. Netty adds up any
 * number of digits in 32 bits, so that a size of nine digits wraps around and what a proxy took for body is read as the next request. It
 * also takes {@code 2 3} for 2, which another reader may take for 23.
 */
final class ChunkSizeCheck {
    private static final int MOST_DIGITS = 8;
    private static final int LINE_END = 2;
    private static final int DELETE = 0x7f;

    private boolean chunked;
    /** What the decoder has yet to take of the chunk it is at, with its lines' ends; 0 where a size comes next. */
    private long left;

    /** The head of a request is there. */
    void begin(boolean withChunks) {
        chunked = withChunks;
        left = 0;
    }

    /** Whether a size comes next and cannot be one. Leaves the reader index where it is. */
    boolean refuses(ByteBuf in) {
        if (!chunked || left > 0) {
            return false;
        }
        long size = 0;
        int digits = 0;
        int at = in.readerIndex();
        for (; at < in.writerIndex(); at++) {
            int digit = Character.digit(in.getByte(at), 16);
            if (digit < 0) {
                break;
            }
            if (++digits > MOST_DIGITS) {
                return true;
            }
            size = size * 16 + digit;
        }
        if (digits == 0) {
            return at < in.writerIndex();
        }
        int end = in.indexOf(at, in.writerIndex(), (byte) '\n');
        if (end < 0) {
            return false; // The decoder waits for the whole line, too.
        }
        if (!endsSize(in, at, end)) {
            return true;
        }
        chunked = size > 0;
        left = end + 1 - in.readerIndex() + size + LINE_END;
        return false;
    }

    /** Whether nothing but blanks and an extension follows the digits. Netty stops at the first blank and drops the rest. */
    private static boolean endsSize(ByteBuf in, int from, int end) {
        boolean extension = false;
        for (int at = from; at < end - 1; at++) {
            byte next = in.getByte(at);
            boolean blank = next == ' ' || next == '\t';
            extension |= next == ';';
            if (!blank && (!extension || next >= 0 && next < ' ' || next == DELETE)) {
                return false;
            }
        }
        return end > from && in.getByte(end - 1) == '\r';
    }

    /** The decoder took so many bytes. */
    void consumed(int bytes) {
        left = Math.max(0, left - bytes);
    }
}
