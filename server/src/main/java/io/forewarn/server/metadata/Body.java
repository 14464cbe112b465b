package io.forewarn.server.metadata;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Takes in a request's body up to a limit. What is too large is read and thrown away, so that the client can read our answer. */
final class Body {
    private final Buffer bytes = Buffer.buffer();
    private boolean tooLarge;

    private Body() {}

    /** Calls exactly one of the two, unless the client goes away first. */
    static void read(HttpServerRequest request, int limit, Consumer<Buffer> whole, Runnable tooLarge) {
        Body body = new Body();
        request.exceptionHandler(gone -> {});
        request.handler(part -> body.add(part, limit, tooLarge));
        request.endHandler(end -> {
            if (body.tooLarge) {
                request.connection().close();
            } else {
                whole.accept(body.bytes);
            }
        });
        if (announced(request) > limit) {
            body.tooLarge = true;
            tooLarge.run();
        }
    }

    private void add(Buffer part, int limit, Runnable whenTooLarge) {
        if (tooLarge) {
            return;
        }
        if (bytes.length() + part.length() > limit) {
            tooLarge = true;
            whenTooLarge.run();
        } else {
            bytes.appendBuffer(part);
        }
    }

    /** Content-Length, 0 if it is not given; what is no number never gets past the decoder. */
    static long announced(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
