package io.forewarn.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Decodes UTF-8 bytes that arrive in arbitrary chunks, and passes the text to a writer. */
final class WriterStream extends OutputStream {
    private final PrintWriter out;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private ByteBuffer rest = ByteBuffer.allocate(0);

    WriterStream(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        ByteBuffer in = ByteBuffer.allocate(rest.remaining() + length);
        in.put(rest).put(bytes, offset, length).flip();
        CharBuffer text = CharBuffer.allocate(in.remaining());
        decoder.decode(in, text, false);
        rest = in;
        out.append(text.flip());
        out.flush();
    }
}
