package io.forewarn.cli;

import io.forewarn.wire.control.ErrorBody;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.LocalToken;
import io.forewarn.wire.control.Route;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import javax.net.ssl.HttpsURLConnection;

/** Calls the control API for all commands, by its route table. */
final class ControlClient {
    private static final int CONNECT_MILLIS = 5_000;
    // Applying a big fleet or moving the clock far can take minutes.
    private static final int ANSWER_MILLIS = 600_000;

    private final String base;
    private final String token;
    private final String authority;

    /**
     * @param token null to use the one that the server stored for its own user
     * @param authority PEM file of the server's certificate authority; null for Java's default ones
     */
    ControlClient(String url, String token, String authority) {
        this.base = url.replaceAll("/+$", "");
        this.token = token;
        this.authority = authority;
    }

    String url() {
        return base;
    }

    /** Writes a request body. */
    interface Sending {
        void to(HttpURLConnection connection) throws IOException;
    }

    private static final Sending NOTHING = connection -> {};

    <T extends Record> T ask(Class<T> type, Route route, String... parts) {
        return read(type, bytes(route, List.of(parts), Map.of(), NOTHING));
    }

    <T extends Record> T ask(Class<T> type, Route route, List<String> parts, Map<String, String> query) {
        return read(type, bytes(route, parts, query, NOTHING));
    }

    <T extends Record> T send(Class<T> type, Route route, Object body, String... parts) {
        return read(type, bytes(route, List.of(parts), Map.of(), json(body)));
    }

    /** Returns the unparsed response. */
    byte[] bytes(Route route, List<String> parts, Map<String, String> query, Sending sending) {
        try (InputStream in = open(route, parts, query, sending)) {
            return in.readAllBytes();
        } catch (IOException broken) {
            throw new ServerUnreachableException(base, reason(broken));
        }
    }

    byte[] bytes(Route route, List<String> parts, Map<String, String> query) {
        return bytes(route, parts, query, NOTHING);
    }

    /** Passes a long response on item by item, and returns the members that follow the list. */
    <T extends Record> Map<String, String> each(
            Class<T> type, Route route, Map<String, String> query, Consumer<T> consumer) {
        return each(type, route, List.of(), query, consumer);
    }

    <T extends Record> Map<String, String> each(
            Class<T> type, Route route, List<String> parts, Map<String, String> query, Consumer<T> consumer) {
        try (InputStream in = open(route, parts, query, NOTHING)) {
            return Json.each(type, in, consumer);
        } catch (IOException broken) {
            throw new ServerUnreachableException(base, "the response was cut off: " + reason(broken));
        }
    }

    /** Copies a long response. */
    void copy(Route route, Map<String, String> query, OutputStream out) {
        copy(route, List.of(), query, out);
    }

    void copy(Route route, List<String> parts, Map<String, String> query, OutputStream out) {
        try (InputStream in = open(route, parts, query, NOTHING)) {
            in.transferTo(out);
        } catch (IOException broken) {
            throw new ServerUnreachableException(base, "the response was cut off: " + reason(broken));
        }
    }

    /** Passes an endless response on line by line. */
    void lines(Route route, Map<String, String> query, Consumer<String> consumer) {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(open(route, List.of(), query, NOTHING), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                consumer.accept(line);
            }
        } catch (IOException broken) {
            throw new ServerUnreachableException(base, "the response was cut off: " + reason(broken));
        }
    }

    static Sending json(Object body) {
        return connection -> {
            byte[] bytes = Json.write(body);
            connection.setRequestProperty("Content-Type", "application/json");
            // Not streamed: in streaming mode the JDK hides the body of a 401.
            connection.getOutputStream().write(bytes);
        };
    }

    private InputStream open(Route route, List<String> parts, Map<String, String> query, Sending sending) {
        int status;
        URL url = url(route.uri(parts, query));
        HttpURLConnection connection = null;
        try {
            connection = connect(url);
            connection.setRequestMethod(route.method());
            if (!route.method().equals("GET")) {
                connection.setRequestProperty(
                        "Idempotency-Key", UUID.randomUUID().toString());
                connection.setDoOutput(
                        route.method().equals("POST") || route.method().equals("PUT"));
                sending.to(connection);
            }
            status = connection.getResponseCode();
            if (status < 300) {
                return connection.getInputStream();
            }
        } catch (HttpRetryException kept) {
            throw new CommandRefusedException(
                    new ErrorBody(base + ": invalid or expired token", "unauthenticated", null));
        } catch (ProtocolException unsent) {
            throw unsent(connection, unsent);
        } catch (IOException broken) {
            throw HandshakeErrors.explain(base, url, port(url), broken)
                    .orElseGet(() -> new ServerUnreachableException(base, reason(broken)));
        }
        throw new CommandRefusedException(error(connection, status));
    }

    /** The server refused before the body was sent; the JDK hides the response body. */
    private RuntimeException unsent(HttpURLConnection connection, ProtocolException why) {
        int status;
        try {
            status = connection.getResponseCode();
        } catch (IOException unknown) {
            return new ServerUnreachableException(base, reason(why));
        }
        return switch (status) {
            case 401 ->
                new CommandRefusedException(
                        new ErrorBody(base + ": invalid or expired token", "unauthenticated", null));
            case 413 ->
                new CommandRefusedException(new ErrorBody(
                        base + " accepts no file of this size from you; apply it in parts, without --prune",
                        "too-large",
                        null));
            default ->
                new CommandRefusedException(
                        base + " answered " + status + " and did not accept the file; try again in a moment");
        };
    }

    private HttpURLConnection connect(URL url) throws IOException {
        boolean here = HostPort.parse(url.getHost() + ":" + port(url))
                .map(HostPort::loopback)
                .orElse(false);
        HttpURLConnection connection =
                (HttpURLConnection) (here ? url.openConnection(Proxy.NO_PROXY) : url.openConnection());
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(ANSWER_MILLIS);
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("Accept", "*/*");
        if (authority != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(TrustedAuthority.trusting(authority));
        }
        token(url).ifPresent(secret -> connection.setRequestProperty("Authorization", "Bearer " + secret));
        return connection;
    }

    private URL url(String uri) {
        try {
            URL url = new URL(base + uri);
            if (url.getProtocol().startsWith("http") && !url.getHost().isEmpty()) {
                return url;
            }
        } catch (MalformedURLException wrong) {
            // Said below, with what would be right.
        }
        String right = HostPort.parse(base).isPresent() ? "http://" + base : ServerCommand.DEFAULT_URL;
        throw CommandRefusedException.wrong(
                "'" + base + "' is not the address of a server; " + right + " would be right");
    }

    private Optional<String> token(URL url) throws IOException {
        if (token != null) {
            return Optional.of(token);
        }
        return LocalToken.find(new HostPort(url.getHost().replaceAll("[\\[\\]]", ""), port(url)));
    }

    private static int port(URL url) {
        return url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
    }

    private ErrorBody error(HttpURLConnection connection, int status) {
        try (InputStream in = connection.getErrorStream()) {
            byte[] bytes = in == null ? new byte[0] : in.readAllBytes();
            ErrorBody error = bytes.length == 0 ? null : Json.answer(ErrorBody.class, bytes);
            // The metadata endpoint refuses requests without its header and gives no error code: contract §1.
            boolean metadata = status == 400 || status == 404;
            if (error != null && error.error() != null && error.problem() == null && metadata) {
                return new ErrorBody(
                        base
                                + " is the metadata endpoint, for machines; commands use the control API, on port 8170 unless 'serve' was given"
                                + " another one: set FOREWARN_URL or --url",
                        "refused",
                        null);
            }
            if (error != null
                    && error.error() != null
                    && status == 401
                    && token(connection.getURL()).isEmpty()) {
                return new ErrorBody(
                        base
                                + " requires a token: set FOREWARN_TOKEN, or run this on the server's machine as the user that runs the server",
                        error.problem(),
                        null);
            }
            if (error != null && error.error() != null) {
                return error;
            }
        } catch (IOException unreadable) {
            // Not our error format: said below.
        }
        return new ErrorBody(base + " answered " + status + ", but not like a Forewarn server", "refused", null);
    }

    private <T extends Record> T read(Class<T> type, byte[] bytes) {
        try {
            return Json.answer(type, bytes);
        } catch (IOException strange) {
            throw new ServerUnreachableException(
                    base,
                    "its response is not one of a Forewarn server: "
                            + new String(bytes, 0, Math.min(60, bytes.length), StandardCharsets.UTF_8));
        }
    }

    private static String reason(IOException broken) {
        String message = broken.getMessage();
        return message == null || message.isBlank() ? broken.getClass().getSimpleName() : message;
    }
}
