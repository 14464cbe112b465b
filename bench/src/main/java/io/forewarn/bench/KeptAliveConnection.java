package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One kept-alive HTTP connection from a chosen source address, one request at a time. */
public final class KeptAliveConnection implements AutoCloseable {
    /** An answer; header names in lower case. */
    public record Answer(int status, Map<String, String> headers, byte[] body) {
        public String text() {
            return new String(body, UTF_8);
        }

        public Answer expect(int wanted) {
            if (status != wanted) {
                throw new IllegalStateException("answered " + status + ", not " + wanted + ": " + text());
            }
            return this;
        }
    }

    private final Socket socket;
    private final InputStream in;

    public KeptAliveConnection(String source, int port) throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(600_000);
        socket.bind(new InetSocketAddress(InetAddress.getByName(source), 0));
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** @param headers whole lines, each ending in CRLF */
    public static byte[] request(String method, String uri, String headers, String body) {
        String length = body.isEmpty() ? "" : "Content-Length: " + body.getBytes(UTF_8).length + "\r\n";
        return (method + " " + uri + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + length + "\r\n" + body)
                .getBytes(UTF_8);
    }

    public Answer ask(byte[] request) throws IOException {
        send(request);
        return receive();
    }

    /** Its answer is to be received before the next request. */
    public void send(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
    }

    public Answer receive() throws IOException {
        int status = status();
        while (status == 100) {
            // What takes long says so meanwhile.
            line();
            status = status();
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            return new Answer(status, headers, chunks());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        byte[] body = in.readNBytes(status == 304 ? 0 : length);
        return new Answer(status, headers, body);
    }

    private int status() throws IOException {
        return Integer.parseInt(line().split(" ")[1]);
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            whole.write(in.readNBytes(size));
            line();
        }
        line();
        return whole.toByteArray();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection was closed");
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
