package io.forewarn.cli;

import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.RolloutBody;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/** Shows the progress of a rollout: as a bar drawn in place on a terminal, elsewhere as a line for each change. */
final class RolloutWatch {
    private static final String TO_THE_LEFT = "\r";
    private static final String CLEAR_THE_REST = "\u001b[K";

    private final PrintWriter out;
    private final boolean json;
    private final int columns;
    private final BooleanSupplier inPlace;
    private String last = "";
    private String printed = "";
    private boolean drawn;

    RolloutWatch(PrintWriter out, boolean json, int columns, BooleanSupplier inPlace) {
        this.out = out;
        this.json = json;
        this.columns = columns;
        this.inPlace = inPlace;
    }

    /** Shows the current state; true if the rollout has ended or halted. */
    boolean show(RolloutBody rollout) {
        String line = json
                ? new String(Json.write(rollout), StandardCharsets.UTF_8)
                : ControlCharacters.line(RolloutProgressBar.of(rollout));
        boolean over = isOver(rollout);
        if (!json && inPlace.getAsBoolean()) {
            if (!line.equals(last) || !drawn) {
                draw(line, over);
            }
        } else if (!what(rollout).equals(printed) || over && drawn) {
            out.println((drawn ? TO_THE_LEFT + CLEAR_THE_REST : "") + line);
            printed = what(rollout);
            drawn = false;
        }
        last = line;
        out.flush();
        return over;
    }

    /** What a new line is printed for. */
    private String what(RolloutBody rollout) {
        return RolloutProgressBar.withoutEnd(rollout) + (json ? rollout.nextUnits() + " " + rollout.activeUnits() : "");
    }

    /** Cuts a line that is too long, because it could not be drawn over; the last one is printed in full. */
    private void draw(String line, boolean over) {
        String fits = over || line.length() < columns ? line : line.substring(0, columns - 2) + "…";
        out.print(TO_THE_LEFT + fits + CLEAR_THE_REST);
        drawn = !over;
        if (over) {
            out.println();
        }
    }

    static boolean isOver(RolloutBody rollout) {
        return !rollout.status().equals("running") && !rollout.status().equals("paused");
    }

    static int exit(RolloutBody rollout) {
        return rollout.status().equals("done") && rollout.failed() == 0 ? ExitCode.DONE : ExitCode.REFUSED;
    }
}
