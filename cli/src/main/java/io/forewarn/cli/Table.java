package io.forewarn.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints tables. The first rows decide the column widths, so that a long list is printed as it arrives. Columns that do
 * not fit beside the others go below them, on indented lines, so that nothing is cut off.
 */
final class Table {
    private static final int LOOKED_AT = 500;
    private static final int GAP = 2;
    private static final String MOVED_IN = "    ";

    private final PrintWriter out;
    private final List<String> heads;
    private final int columns;
    private final List<List<String>> waiting = new ArrayList<>();
    private int[] widths;
    /** The first column of each line of a row. */
    private List<Integer> begins;

    private int rows;

    Table(PrintWriter out, List<String> heads) {
        this(out, heads, Terminal.here().columns());
    }

    Table(PrintWriter out, List<String> heads, int columns) {
        this.out = out;
        this.heads = heads;
        this.columns = columns;
    }

    void row(List<String> cells) {
        rows++;
        List<String> texts = cells.stream().map(Table::text).toList();
        if (widths != null) {
            print(texts);
            return;
        }
        waiting.add(texts);
        if (waiting.size() == LOOKED_AT) {
            begin();
        }
    }

    /** Prints the remaining rows and returns how many there were. */
    int end() {
        if (widths == null && rows > 0) {
            begin();
        }
        out.flush();
        return rows;
    }

    private void begin() {
        widths = new int[heads.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            int widest =
                    waiting.stream().mapToInt(r -> r.get(column).length()).max().orElse(0);
            widths[i] =
                    Math.min(columns - MOVED_IN.length(), Math.max(heads.get(i).length(), widest));
        }
        begins = folded();
        print(heads.stream().map(h -> h.toUpperCase(Locale.ROOT)).toList());
        waiting.forEach(this::print);
        waiting.clear();
    }

    private List<Integer> folded() {
        List<Integer> lines = new ArrayList<>();
        int used = columns;
        for (int i = 0; i < widths.length; i++) {
            if (i == 0 || used + GAP + widths[i] > columns) {
                used = (i == 0 ? 0 : MOVED_IN.length()) + widths[i];
                lines.add(i);
            } else {
                used += GAP + widths[i];
            }
        }
        return lines;
    }

    private void print(List<String> cells) {
        for (int line = 0; line < begins.size(); line++) {
            int end = line + 1 < begins.size() ? begins.get(line + 1) : cells.size();
            StringBuilder text = new StringBuilder(line == 0 ? "" : MOVED_IN);
            for (int i = begins.get(line); i < end; i++) {
                String cell = cells.get(i);
                text.append(cell);
                if (i < end - 1) {
                    text.append(" ".repeat(Math.max(0, widths[i] - cell.length()) + GAP));
                }
            }
            wrap(text.toString().stripTrailing());
        }
    }

    /** Breaks a line that is still too long between words or list items; a word that is too long is not broken. */
    private void wrap(String line) {
        String rest = line;
        while (rest.length() > columns) {
            int at = breakBefore(rest);
            if (at < 0) {
                break;
            }
            out.println(rest.substring(0, at).stripTrailing());
            rest = MOVED_IN + rest.substring(at).stripLeading();
        }
        out.println(rest);
    }

    private int breakBefore(String line) {
        for (int i = columns; i > MOVED_IN.length(); i--) {
            boolean after = line.charAt(i - 1) == ',' || line.charAt(i - 1) == ' ';
            if (after && !line.substring(0, i).isBlank()) {
                return i;
            }
        }
        return -1;
    }

    private static String text(String cell) {
        return cell == null || cell.isEmpty() ? "-" : ControlCharacters.line(cell);
    }
}
