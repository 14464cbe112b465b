package io.forewarn.cli;

import java.io.PrintWriter;

/** Escapes all control characters except line ends in what commands print to a terminal. */
final class ControlCharacterWriter extends PrintWriter {
    private final PrintWriter raw;

    ControlCharacterWriter(PrintWriter raw) {
        super(raw, true);
        this.raw = raw;
    }

    /** The underlying writer, without escaping: for machine-readable output and for drawing. */
    static PrintWriter raw(PrintWriter out) {
        return out instanceof ControlCharacterWriter visible ? visible.raw : out;
    }

    @Override
    public void write(int c) {
        write(String.valueOf((char) c));
    }

    @Override
    public void write(char[] text, int offset, int length) {
        write(new String(text, offset, length));
    }

    @Override
    public void write(String text, int offset, int length) {
        String visible = ControlCharacters.text(text.substring(offset, offset + length));
        super.write(visible, 0, visible.length());
    }
}
