package io.forewarn.server.metadata;

import io.forewarn.server.http.BodyBudget;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Takes in a request's body, up to a limit and as far as the process has room for it. */
final class BodyReader {
    /** Is told how it went, by one call, unless the client goes away first. */
    interface Receiver {
        void whole(Buffer body);

        /** It is larger than it may be. What comes of it from now on is thrown away. */
        void tooLarge();

        /** Too much of other bodies is in memory. What comes of this one from now on is thrown away. */
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

    /** Nothing of it is kept; told when it has come to its end, or is larger than it may be. */
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
                account.close(); // What is kept of it from here on is bounded by the engine's queue.
            }
        }
    }

    /** Whether anything follows the head. */
    static boolean follows(HttpServerRequest request) {
        return announced(request) > 0 || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
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
