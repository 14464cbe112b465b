package io.forewarn.server.metadata;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** One connection to the endpoint, byte by byte: what is sent is exactly what the test says. */
final class RawConnection implements AutoCloseable {
    static final String EVENTS = "/metadata/scheduledevents?api-version=";

    /** @param headers names in lower case */
    record Answer(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.get(name);
        }
    }

    private final Socket socket = new Socket();
    private final InputStream in;

    RawConnection(String host, int port, String from) {
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
            socket.connect(new InetSocketAddress(InetAddress.getByName(host), port));
            socket.setSoTimeout(30_000);
            in = socket.getInputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawConnection send(String text) {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    RawConnection send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void endOutput() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A request of the given lines, the first being the request line. */
    Answer ask(String... lines) {
        return send(String.join("\r\n", lines) + "\r\nHost: x\r\n\r\n").answer();
    }

    Answer get(String uri, String... headers) {
        return send(head("GET " + uri, headers) + "\r\n").answer();
    }

    Answer poll(String version, String... headers) {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Metadata: true";
        return get(EVENTS + version, all);
    }

    Answer post(String uri, String body, String... headers) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return send(head("POST " + uri, headers) + "Content-Length: " + bytes.length + "\r\n\r\n" + body)
                .answer();
    }

    Answer approve(String version, Object id) {
        return post(EVENTS + version, "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}", "Metadata: true");
    }

    static String head(String request, String... headers) {
        StringBuilder head = new StringBuilder(request + " HTTP/1.1\r\nHost: 169.254.169.254\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return head.toString();
    }

    Answer answer() {
        try {
            String[] head = readHead().split("\r\n");
            Map<String, String> headers = new TreeMap<>();
            for (int i = 1; i < head.length; i++) {
                int colon = head[i].indexOf(':');
                headers.put(
                        head[i].substring(0, colon).toLowerCase(java.util.Locale.ROOT),
                        head[i].substring(colon + 1).strip());
            }
            int status = Integer.parseInt(head[0].split(" ")[1]);
            int length =
                    status == 304 || status == 100 ? 0 : Integer.parseInt(headers.getOrDefault("content-length", "0"));
            return new Answer(status, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the server has closed the connection, with or without having said something first. */
    boolean closed() {
        try {
            while (in.read() >= 0) {}
            return true;
        } catch (IOException e) {
            return !(e instanceof java.net.SocketTimeoutException);
        }
    }

    /** All that still comes, until the server closes the connection. */
    String rest() {
        try {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String readHead() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int matched = 0;
        while (matched < 4) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("closed after: " + head);
            }
            head.write(next);
            matched = next == "\r\n\r\n".charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
