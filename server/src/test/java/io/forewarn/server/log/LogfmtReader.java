package io.forewarn.server.log;

import java.util.ArrayList;
import java.util.List;

/** Reads a line of logfmt as its readers do: pairs between blanks, quoted values as JSON quotes them. */
final class LogfmtReader {
    private LogfmtReader() {}

    /** Each as {@code key=value}, without quotes. */
    static List<String> of(String line) {
        List<String> pairs = new ArrayList<>();
        int i = 0;
        while (i < line.length()) {
            StringBuilder pair = new StringBuilder();
            while (line.charAt(i) != '=') {
                pair.append(line.charAt(i++));
            }
            pair.append(line.charAt(i++));
            i = line.charAt(i) == '"' ? quoted(line, i + 1, pair) : plain(line, i, pair);
            if (i < line.length() && line.charAt(i++) != ' ') {
                throw new AssertionError("something follows the quotes in: " + line);
            }
            pairs.add(pair.toString());
        }
        return pairs;
    }

    private static int plain(String line, int from, StringBuilder pair) {
        int i = from;
        while (i < line.length() && line.charAt(i) != ' ') {
            pair.append(line.charAt(i++));
        }
        return i;
    }

    private static int quoted(String line, int from, StringBuilder pair) {
        int i = from;
        while (line.charAt(i) != '"') {
            char c = line.charAt(i++);
            if (c != '\\') {
                pair.append(c);
                continue;
            }
            char escape = line.charAt(i++);
            switch (escape) {
                case 'n' -> pair.append('\n');
                case 'r' -> pair.append('\r');
                case 't' -> pair.append('\t');
                case 'u' -> {
                    pair.append((char) Integer.parseInt(line.substring(i, i + 4), 16));
                    i += 4;
                }
                default -> pair.append(escape);
            }
        }
        return i + 1;
    }
}
