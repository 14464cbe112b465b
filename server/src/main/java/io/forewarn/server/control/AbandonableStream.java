package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/** Aborts the reading of a long file when its sender has disconnected. */
final class AbandonableStream extends FilterInputStream {
    private final BooleanSupplier abandoned;

    AbandonableStream(InputStream in, BooleanSupplier abandoned) {
        super(in);
        this.abandoned = abandoned;
    }

    @Override
    public int read() throws IOException {
        check();
        return super.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int most) throws IOException {
        check();
        return super.read(bytes, offset, most);
    }

    private void check() {
        if (abandoned.getAsBoolean()) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the sender of the fleet file has disconnected; nothing was changed");
        }
    }
}
