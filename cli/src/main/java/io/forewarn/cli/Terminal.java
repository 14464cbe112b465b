package io.forewarn.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What is printed to.
 *
 * @param columns how wide it is
 * @param shown whether it is a terminal
 * @param draws whether a line may be drawn over: a terminal that knows how
 */
record Terminal(int columns, boolean shown, boolean draws) {
    private static final int USUAL = 80;
    private static final int NARROWEST = 40;
    // state, parent, group, session, terminal, the terminal's group
    private static final int GROUP = 2;
    private static final int TERMINALS_GROUP = 5;

    /** The script that starts us says how wide its terminal is, and nothing if it prints to something else. */
    static Terminal here() {
        return of(Integer.getInteger("forewarn.columns"), System.getenv("TERM"), System.getenv("COLUMNS"));
    }

    static Terminal of(Integer columns, String kind) {
        return of(columns, kind, null);
    }

    /** @param wanted how wide it shall be where there is no terminal, as other programs are told: COLUMNS */
    static Terminal of(Integer columns, String kind, String wanted) {
        return new Terminal(
                columns == null ? wanted(wanted) : Math.max(NARROWEST, columns),
                columns != null,
                columns != null && kind != null && !kind.equals("dumb"));
    }

    private static int wanted(String columns) {
        boolean number = columns != null && columns.matches("[1-9]\\d{0,4}");
        return number ? Math.max(NARROWEST, Integer.parseInt(columns)) : USUAL;
    }

    /** Whoever was put into the background with {@code &} must not draw over what is typed in front. */
    static boolean inFront() {
        try {
            return inFront(Files.readString(Path.of("/proc/self/stat")));
        } catch (IOException elsewhere) {
            return true;
        }
    }

    static boolean inFront(String stat) {
        String[] after = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        return after.length <= TERMINALS_GROUP || after[GROUP].equals(after[TERMINALS_GROUP]);
    }
}
