package io.forewarn.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Describes the terminal that a command prints to.
 *
 * @param columns its width
 * @param shown whether it is a terminal
 * @param draws whether it can redraw a line
 */
record Terminal(int columns, boolean shown, boolean draws) {
    private static final int USUAL = 80;
    private static final int NARROWEST = 40;
    // state, parent, group, session, terminal, the terminal's group
    private static final int GROUP = 2;
    private static final int TERMINALS_GROUP = 5;

    /** The start script passes the width of its terminal, or nothing if it prints to something else. */
    static Terminal here() {
        return of(Integer.getInteger("forewarn.columns"), System.getenv("TERM"), System.getenv("COLUMNS"));
    }

    static Terminal of(Integer columns, String kind) {
        return of(columns, kind, null);
    }

    /** @param wanted the width if there is no terminal, from the conventional variable COLUMNS */
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

    /**
     * Whether the output goes to a terminal, and not into a file or a journal. {@code System.console()} no longer tells: on newer
     * Java it is there in any case.
     */
    static boolean isOutput() {
        try {
            String output = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return output.startsWith("/dev/pts/") || output.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    /** Whether this is the foreground process: one started with {@code &} must not draw over what the user types. */
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
