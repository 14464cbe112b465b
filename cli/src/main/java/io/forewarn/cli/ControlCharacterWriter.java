package io.forewarn.cli;

import java.io.PrintWriter;

/** Prints for people: whatever a command prints, no control character of it but the end of a line reaches the terminal. */
final class ControlCharacterWriter extends PrintWriter {
    private final PrintWriter raw;

    ControlCharacterWriter(PrintWriter raw) {
        super(raw, true);
        this.raw = raw;
    }

    /** What is printed to as it is: for data that goes to a program, and for drawing. */
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
