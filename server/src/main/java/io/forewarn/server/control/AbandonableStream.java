package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/** Ends the reading of a long file when nobody waits for it any more. */
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
            throw new RefusedException(Problem.BAD_INPUT, "whoever sent the fleet file has gone; nothing was changed");
        }
    }
}
