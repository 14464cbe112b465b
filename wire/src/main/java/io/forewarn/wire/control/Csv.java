package io.forewarn.wire.control;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes comma-separated values as in RFC 4180: CRLF, and quotes where a cell needs them. A cell that a spreadsheet
 * would take for a formula gets an apostrophe in front, because names and details come from users.
 */
public final class Csv {
    public static final String TYPE = "text/csv; charset=utf-8; header=present";

    private final OutputStream out;

    public Csv(OutputStream out) {
        this.out = out;
    }

    /** @param cells null is an empty cell */
    public void line(List<String> cells) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            if (i > 0) {
                line.append(',');
            }
            cell(line, cells.get(i));
        }
        out.write(line.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void cell(StringBuilder line, String text) {
        if (text == null || text.isEmpty()) {
            return;
        }
        String safe = "=+-@\t\r".indexOf(text.charAt(0)) < 0 ? text : "'" + text;
        boolean plain = safe.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n')
                && safe.strip().length() == safe.length();
        if (plain) {
            line.append(safe);
        } else {
            line.append('"').append(safe.replace("\"", "\"\"")).append('"');
        }
    }
}
