package io.forewarn.server.metadata;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;

/** The answers to polls that get one document, as they go over the wire; byte for byte what an HTTP response of Vert.x would be. */
final class PollAnswers {
    private static final byte[] CLOSES = "connection: close\r\n".getBytes(US_ASCII);
    private static final byte[] END = "\r\n".getBytes(US_ASCII);

    private final byte[] document;
    /** Where in it a header can be added. */
    private final int ownHeaders;
    /** Where the body begins. */
    private final int head;

    private final byte[] unchanged;

    PollAnswers(byte[] body, String etag) {
        String own = "HTTP/1.1 200 OK\r\n" + PreparedReply.CONTENT_TYPE + ": " + PreparedReply.JSON + "\r\nETag: "
                + etag + "\r\n";
        byte[] headers = (own + "content-length: " + body.length + "\r\n\r\n").getBytes(US_ASCII);
        ownHeaders = own.length();
        head = headers.length;
        document = new byte[head + body.length];
        System.arraycopy(headers, 0, document, 0, head);
        System.arraycopy(body, 0, document, head, body.length);
        unchanged = ("HTTP/1.1 304 Not Modified\r\nETag: " + etag + "\r\n").getBytes(US_ASCII);
    }

    /** The document alone. */
    Buffer body() {
        return BufferInternal.buffer(
                Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(document, head, document.length - head)));
    }

    /** The longest that an answer can be. */
    int most() {
        return document.length + CLOSES.length;
    }

    void writeDocument(ByteBuffer out, boolean closes) {
        if (closes) {
            out.put(document, 0, ownHeaders).put(CLOSES).put(document, ownHeaders, document.length - ownHeaders);
        } else {
            out.put(document);
        }
    }

    void writeUnchanged(ByteBuffer out, boolean closes) {
        out.put(unchanged);
        if (closes) {
            out.put(CLOSES);
        }
        out.put(END);
    }
}
