package io.forewarn.acceptance.faults;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One connection to a server, kept open, from an address of the caller's choice: the JDK's client cannot choose. */
public final class BoundConnection implements AutoCloseable {
    /** @param headers by their names in lower case */
    public record Answer(int status, Map<String, String> headers, String body) {
        public String header(String name) {
            return headers.get(name);
        }
    }

    private static final int PATIENCE_MILLIS = 30_000;

    private final int patienceMillis;
    private final String host;
    private final int port;
    private final String from;
    private Socket socket;
    private InputStream in;

    /** @param at {@code HOST:PORT} */
    public BoundConnection(String at, String from) {
        this(at, from, PATIENCE_MILLIS);
    }

    public BoundConnection(String at, String from, int patienceMillis) {
        this.patienceMillis = patienceMillis;
        int colon = at.lastIndexOf(':');
        host = at.substring(0, colon);
        port = Integer.parseInt(at.substring(colon + 1));
        this.from = from;
    }

    /** Sends one request and takes in its answer. */
    public Answer ask(String method, String path, Map<String, String> headers, String body) throws IOException {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        if (body != null) {
            head.append("Content-Length: ").append(bytes.length).append("\r\n");
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        request.write(bytes);
        send(request.toByteArray());
        return answer();
    }

    void send(byte[] bytes) throws IOException {
        if (socket == null) {
            connect();
        }
        socket.getOutputStream().write(bytes);
    }

    /** Nothing more will be sent; answers can still come. */
    void endSending() throws IOException {
        socket.shutdownOutput();
    }

    void connect() throws IOException {
        socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(host, port), patienceMillis);
        socket.setSoTimeout(patienceMillis);
        in = new BufferedInputStream(socket.getInputStream());
    }

    void patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    Answer answer() throws IOException {
        String status = readLine();
        if (!status.matches(".{0,20} \\d{3} .*")) {
            throw new IOException("no status line: " + status);
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int code = Integer.parseInt(status.replaceFirst(".*? (\\d{3}) .*", "$1"));
        if (code == 100) {
            return answer();
        }
        String body = code == 304 ? "" : body(headers);
        if ("close".equalsIgnoreCase(headers.get("connection"))) {
            close();
        }
        return new Answer(code, headers, body);
    }

    private String body(Map<String, String> headers) throws IOException {
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            for (int size = chunk(); size > 0; size = chunk()) {
                whole.write(exactly(size));
                readLine();
            }
            readLine();
            return whole.toString(StandardCharsets.UTF_8);
        }
        return new String(
                exactly(Integer.parseInt(headers.getOrDefault("content-length", "0"))), StandardCharsets.UTF_8);
    }

    private int chunk() throws IOException {
        return Integer.parseInt(readLine().strip(), 16);
    }

    private byte[] exactly(int size) throws IOException {
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw new EOFException("the answer was cut");
        }
        return bytes;
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection was closed");
            }
            line.append((char) next);
        }
        return line.toString().stripTrailing();
    }

    /** Goes away without a word, as a caller whose cable is pulled. */
    void abandon() {
        try {
            if (socket != null) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException gone) {
            // Closed by the other side already.
        }
        close();
    }

    @Override
    public void close() {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException gone) {
            // It is closed all the same.
        }
        socket = null;
    }
}
