package io.forewarn.server.http;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;

/**
 * Refuses requests that two readers could understand in two ways: who stands in front may have believed the other one, and what it
 * took for a body would be read here as the next request. So a length is told once, by {@code Content-Length} or as chunks, the only
 * transfer coding there is; HTTP/1.1 names its host once; and the version is 1.0 or 1.1. The decoder refuses, so nothing that follows is read.
 */
public final class StrictRequests {
    private static final String DECODER = "httpDecoder";

    private StrictRequests() {}

    /** Why something never became a request. */
    public enum Fault {
        LINE_TOO_LONG,
        HEADERS_TOO_LARGE,
        /** RFC 9112 asks for 501. */
        UNKNOWN_CODING,
        NOT_ONE_HOST,
        MALFORMED
    }

    private static final class FaultException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;
        private final Fault fault;

        FaultException(Fault fault, String why) {
            super(why);
            this.fault = fault;
        }
    }

    /** Call it when the connection is made: before a byte was read. */
    public static void on(HttpConnection connection, HttpServerOptions options) {
        if (connection instanceof Http1xServerConnection plain) {
            ChannelPipeline pipeline = plain.channelHandlerContext().pipeline();
            if (pipeline.get(DECODER) != null) {
                pipeline.replace(DECODER, DECODER, new StrictDecoder(options));
            }
        }
    }

    /** @param broken as it comes to the handler of invalid requests */
    public static Fault fault(HttpServerRequest broken) {
        Throwable cause = broken.decoderResult().cause();
        if (cause instanceof FaultException known) {
            return known.fault;
        }
        if (cause instanceof TooLongHttpLineException) {
            return Fault.LINE_TOO_LONG;
        }
        return cause instanceof TooLongHttpHeaderException ? Fault.HEADERS_TOO_LARGE : Fault.MALFORMED;
    }

    private static final class StrictDecoder extends VertxHttpRequestDecoder {
        StrictDecoder(HttpServerOptions options) {
            super(options);
        }

        /** What is made of a line that is refused here carries a version of ours: the client's is not echoed. */
        @Override
        protected HttpMessage createMessage(String[] line) {
            if (!line[2].equals("HTTP/1.1") && !line[2].equals("HTTP/1.0")) {
                throw new FaultException(Fault.MALFORMED, "neither HTTP/1.0 nor HTTP/1.1");
            }
            return super.createMessage(line);
        }

        /** The one place where all headers are there and nothing was made of them yet. */
        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            HttpHeaders headers = message.headers();
            boolean old = message.protocolVersion().equals(HttpVersion.HTTP_1_0);
            int hosts = headers.getAll(HttpHeaderNames.HOST).size();
            if (hosts > 1 || hosts == 0 && !old) {
                throw new FaultException(Fault.NOT_ONE_HOST, "HTTP/1.1 asks for one Host header");
            }
            if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
                mustBeChunked(headers, old);
            }
            return super.isContentAlwaysEmpty(message);
        }

        private static void mustBeChunked(HttpHeaders headers, boolean old) {
            if (old || headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
                throw new FaultException(Fault.MALFORMED, "both Content-Length and Transfer-Encoding");
            }
            List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
            if (codings.size() != 1 || !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0))) {
                throw new FaultException(Fault.UNKNOWN_CODING, "a Transfer-Encoding other than chunked");
            }
        }
    }
}
