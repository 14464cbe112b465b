package io.forewarn.server.metadata;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.forewarn.wire.azure.ApiVersion;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Recognizes the poll that nearly every machine sends: one whole request with nothing behind it, its target spelled as usual, and only
 * headers that are listed here, in characters that every reader of HTTP understands in the same way. What is not recognized is not
 * refused: it goes to the decoder of HTTP, which alone decides what a request is. Reused for one request after the other.
 */
final class PlainPoll {
    private static final ApiVersion[] VERSIONS = ApiVersion.values();
    private static final byte[][] LINES = new byte[VERSIONS.length][];
    private static final byte[] HOST = name("host");
    private static final byte[] METADATA = name("metadata");
    private static final byte[] CONNECTION = name("connection");
    private static final byte[] IF_NONE_MATCH = name("if-none-match");
    /** Headers without a meaning here. */
    private static final byte[][] IGNORED = {
        name("user-agent"),
        name("accept"),
        name("accept-encoding"),
        name("accept-language"),
        name("cache-control"),
        name("pragma")
    };

    private static final byte[] TRUE = name("true");
    private static final byte[] CLOSE = name("close");
    private static final byte[] KEEP_ALIVE = name("keep-alive");

    static {
        for (ApiVersion version : VERSIONS) {
            LINES[version.slot()] = ("GET " + RequestTarget.usual(version) + " HTTP/1.1\r\n").getBytes(US_ASCII);
        }
    }

    private final int most;
    private final Predicate<String> named;
    private byte[] bytes;
    /** The names that machines use for this service are few; the last one is remembered as it was sent. */
    private byte[] lastHost = {};

    private ApiVersion version = VERSIONS[VERSIONS.length - 1];
    private boolean host;
    private boolean metadata;
    private boolean connection;
    private boolean closes;
    private String ifNoneMatch;

    /**
     * @param most the longest request that is recognized, in bytes
     * @param named whether a {@code Host} header means this service
     */
    PlainPoll(int most, Predicate<String> named) {
        this.most = most;
        this.named = named;
    }

    private static byte[] name(String lowerCase) {
        return lowerCase.getBytes(US_ASCII);
    }

    ApiVersion version() {
        return version;
    }

    /** Whether the client asks for the end of the connection. */
    boolean closes() {
        return closes;
    }

    /** Null if the client sent none. */
    String ifNoneMatch() {
        return ifNoneMatch;
    }

    /** Whether the first bytes of the array are a plain poll, and nothing else. */
    boolean recognizes(byte[] received, int length) {
        bytes = received;
        host = false;
        metadata = false;
        connection = false;
        closes = false;
        ifNoneMatch = null;
        int at = length > most ? -1 : line(length);
        while (at >= 0 && at + 1 < length) {
            if (received[at] == '\r') {
                return received[at + 1] == '\n' && at + 2 == length && host && metadata;
            }
            at = header(at, length);
        }
        return false;
    }

    /** Where the first header begins; -1 if the request line is another one. */
    private int line(int length) {
        if (begins(LINES[version.slot()], length)) {
            return LINES[version.slot()].length; // As the last one.
        }
        for (ApiVersion other : VERSIONS) {
            if (begins(LINES[other.slot()], length)) {
                version = other;
                return LINES[other.slot()].length;
            }
        }
        return -1;
    }

    private boolean begins(byte[] line, int length) {
        return length > line.length && Arrays.equals(bytes, 0, line.length, line, 0, line.length);
    }

    /** Where the next header begins; -1 if this one is not for us to read. */
    private int header(int from, int length) {
        int colon = from;
        while (colon < length && bytes[colon] != ':') {
            colon++;
        }
        int begin = colon + 1;
        while (begin < length && bytes[begin] == ' ') {
            begin++;
        }
        int end = begin;
        while (end < length && bytes[end] >= ' ' && bytes[end] < 0x7f) {
            end++;
        }
        if (end + 1 >= length || bytes[end] != '\r' || bytes[end + 1] != '\n') {
            return -1;
        }
        int last = end;
        while (last > begin && bytes[last - 1] == ' ') {
            last--;
        }
        return understood(from, colon, begin, last) ? end + 2 : -1;
    }

    private boolean understood(int from, int colon, int begin, int end) {
        if (is(HOST, from, colon)) {
            boolean first = !host;
            host = true;
            return first && namesUs(begin, end);
        }
        if (is(METADATA, from, colon)) {
            boolean first = !metadata;
            metadata = true;
            return first && is(TRUE, begin, end);
        }
        if (is(CONNECTION, from, colon)) {
            boolean first = !connection;
            connection = true;
            closes = is(CLOSE, begin, end);
            return first && (closes || is(KEEP_ALIVE, begin, end));
        }
        if (is(IF_NONE_MATCH, from, colon)) {
            boolean first = ifNoneMatch == null;
            ifNoneMatch = new String(bytes, begin, end - begin, US_ASCII);
            return first && !Etags.isAny(ifNoneMatch);
        }
        for (byte[] ignored : IGNORED) {
            if (is(ignored, from, colon)) {
                return true;
            }
        }
        return false;
    }

    private boolean namesUs(int begin, int end) {
        if (Arrays.equals(bytes, begin, end, lastHost, 0, lastHost.length)) {
            return end > begin;
        }
        if (!named.test(new String(bytes, begin, end - begin, US_ASCII))) {
            return false;
        }
        lastHost = Arrays.copyOfRange(bytes, begin, end);
        return true;
    }

    /** Ignores case. */
    private boolean is(byte[] lowerCase, int from, int to) {
        if (to - from != lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            int given = bytes[from + i];
            int lower = given >= 'A' && given <= 'Z' ? given + ('a' - 'A') : given;
            if (lower != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }
}
