package io.forewarn.acceptance.page;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A socket, and enough HTTP to know where an answer ends. */
final class RawSocket implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");

    private final Socket socket = new Socket();
    private final InputStream in;

    RawSocket(String hostAndPort, InetAddress from) throws IOException {
        int colon = hostAndPort.lastIndexOf(':');
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(
                hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1))));
        socket.setSoTimeout(30_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Head and body of one answer. */
    String answer() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int matched = 0; matched < 4; ) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("closed after " + bytes);
            }
            bytes.write(next);
            matched = next == "\r\n\r\n".charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
        }
        String head = bytes.toString(StandardCharsets.UTF_8);
        Matcher length = LENGTH.matcher(head);
        return length.find()
                ? head + new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8)
                : head;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
