package io.forewarn.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Columns for people. The first rows decide how wide they are; a long list is printed as it comes. */
final class Table {
    private static final int LOOKED_AT = 500;

    private final PrintWriter out;
    private final List<String> heads;
    private final List<List<String>> waiting = new ArrayList<>();
    private int[] widths;
    private int rows;

    Table(PrintWriter out, List<String> heads) {
        this.out = out;
        this.heads = heads;
    }

    void row(List<String> cells) {
        rows++;
        if (widths != null) {
            print(cells);
            return;
        }
        waiting.add(cells);
        if (waiting.size() == LOOKED_AT) {
            begin();
        }
    }

    /** Prints what is left and says how many rows there were. */
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
            widths[i] = Math.max(
                    heads.get(i).length(),
                    waiting.stream()
                            .mapToInt(r -> text(r.get(column)).length())
                            .max()
                            .orElse(0));
        }
        print(heads.stream().map(h -> h.toUpperCase(Locale.ROOT)).toList());
        waiting.forEach(this::print);
        waiting.clear();
    }

    private void print(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = text(cells.get(i));
            line.append(cell);
            if (i < cells.size() - 1) {
                line.append(" ".repeat(Math.max(0, widths[i] - cell.length()) + 2));
            }
        }
        out.println(line.toString().stripTrailing());
    }

    private static String text(String cell) {
        return cell == null || cell.isEmpty() ? "-" : cell;
    }
}
