package io.forewarn.wire.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Limits the length of lines for the YAML parser. The YAML library copies all of a token whenever it needs more of it, so
 * that its cost is quadratic in the token's length; a token ends with its line at the latest.
 */
final class LineLimitStream extends FilterInputStream {
    private final int longest;
    private int line = 1;
    private int length;

    LineLimitStream(InputStream in, int longest) {
        super(in);
        this.longest = longest;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        if (next >= 0) {
            count((byte) next);
        }
        return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int most) throws IOException {
        int count = super.read(bytes, offset, most);
        for (int i = 0; i < count; i++) {
            count(bytes[offset + i]);
        }
        return count;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void count(byte next) {
        if (next == '\n') {
            line++;
            length = 0;
        } else if (++length > longest) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "line " + line + ": is longer than " + longest + " bytes; break it, or write the fleet as JSON");
        }
    }
}
