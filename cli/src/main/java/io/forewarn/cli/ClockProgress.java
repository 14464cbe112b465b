package io.forewarn.cli;

import io.forewarn.wire.control.ClockBody;
import java.io.PrintWriter;
import java.util.function.Supplier;

/** While the manual clock is being moved, shows on one line of the terminal where it is. */
final class ClockProgress {
    private static final String TO_THE_LEFT = "\r";
    private static final String CLEAR_THE_REST = "\u001b[K";

    private static final long BETWEEN_MILLIS = 1_000;

    private final PrintWriter out;
    private final Supplier<ClockBody> clock;
    private final Thread thread = new Thread(this::run, "clock-progress");
    private boolean drawn;
    private boolean stopped;

    ClockProgress(PrintWriter out, Supplier<ClockBody> clock) {
        this.out = out;
        this.clock = clock;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(BETWEEN_MILLIS);
                draw(clock.get());
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (CommandRefusedException | ServerUnreachableException unknown) {
            // The command itself says what is wrong, if anything is.
        }
    }

    private synchronized void draw(ClockBody now) {
        if (!stopped) {
            out.print(TO_THE_LEFT
                    + ControlCharacters.line("the clock is at " + DisplayNames.time(now.now()))
                    + CLEAR_THE_REST);
            out.flush();
            drawn = true;
        }
    }

    /** Clears the line. */
    synchronized void stop() {
        stopped = true;
        thread.interrupt();
        if (drawn) {
            out.print(TO_THE_LEFT + CLEAR_THE_REST);
            out.flush();
            drawn = false;
        }
    }
}
