package io.forewarn.server.metadata;

import io.forewarn.server.http.BodyBudget;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Receives a request body, up to a size limit and the memory budget of the process. */
final class BodyReader {
    /** Gets the result by exactly one call, unless the client disconnects first. */
    interface Receiver {
        void whole(Buffer body);

        /** The body exceeds the limit. The rest of it is discarded. */
        void tooLarge();

        /** Other bodies use up the memory budget. The rest of this one is discarded. */
        void noRoom();
    }

    private final Buffer bytes = Buffer.buffer();
    private final int limit;
    private final BodyBudget.Account account;
    private final Receiver receiver;
    private boolean over;

    private BodyReader(int limit, BodyBudget.Account account, Receiver receiver) {
        this.limit = limit;
        this.account = account;
        this.receiver = receiver;
    }

    static void read(HttpServerRequest request, int limit, BodyBudget.Account account, Receiver receiver) {
        BodyReader body = new BodyReader(limit, account, receiver);
        request.exceptionHandler(gone -> {});
        request.handler(body::add);
        request.endHandler(end -> body.end());
        if (announced(request) > limit) {
            body.over(receiver::tooLarge);
        }
    }

    /** Discards the body; completes at its end, or when it exceeds the limit. */
    static void discard(HttpServerRequest request, int limit, Consumer<Boolean> whole) {
        int[] came = {0};
        request.exceptionHandler(gone -> {});
        request.handler(part -> {
            boolean within = came[0] <= limit;
            came[0] += part.length();
            if (within && came[0] > limit) {
                whole.accept(false);
            }
        });
        request.endHandler(end -> {
            if (came[0] <= limit) {
                whole.accept(true);
            }
        });
    }

    private void add(Buffer part) {
        if (over) {
            return;
        }
        if (bytes.length() + part.length() > limit) {
            over(receiver::tooLarge);
        } else if (account.take(part.length())) {
            bytes.appendBuffer(part);
        } else {
            over(receiver::noRoom);
        }
    }

    private void over(Runnable told) {
        over = true;
        account.close();
        told.run();
    }

    private void end() {
        if (!over) {
            try {
                receiver.whole(bytes);
            } finally {
                account.close(); // From here on the engine's queue bounds what is kept.
            }
        }
    }

    /** Whether the request has a body. */
    static boolean follows(HttpServerRequest request) {
        return announced(request) > 0 || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    }

    /** Content-Length, 0 if absent; the decoder refuses invalid numbers. */
    static long announced(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
