package io.forewarn.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Refuses requests that two readers could understand in two ways: who stands in front may have believed the other one, and what it
 * took for a body would be read here as the next request. So a length is told once, by {@code Content-Length} or as chunks, the only
 * transfer coding there is, and the size of a chunk has at most eight digits, with nothing but blanks and an extension behind them; HTTP/1.1 names its host once; and the version is 1.0 or
 * 1.1. The decoder refuses, so nothing that follows is read.
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

    /** Reads requests for a connection that is set up without Vert.x's server. */
    public static ChannelHandler decoder(HttpServerOptions options) {
        return new StrictDecoder(options);
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

    /**
     * Lets a client be told that its body is not HTTP. Without this, Vert.x closes the connection and says nothing.
     *
     * @param answer answers and closes; false if there is no request to answer
     */
    public static void onBrokenBody(HttpConnection connection, BooleanSupplier answer) {
        if (connection instanceof Http1xServerConnection plain) {
            plain.channelHandlerContext().pipeline().addFirst("brokenBody", new ChannelInboundHandlerAdapter() {
                /** A failure of the connection itself, such as a reset, is for Vert.x to handle. */
                @Override
                public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
                    if (cause instanceof IOException || !answer.getAsBoolean()) {
                        super.exceptionCaught(context, cause);
                    }
                }
            });
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
        private final ChunkSizeCheck chunks = new ChunkSizeCheck();
        private boolean broken;

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
            chunks.begin(headers.contains(HttpHeaderNames.TRANSFER_ENCODING));
            return super.isContentAlwaysEmpty(message);
        }

        /** Netty reads at most one chunk size per call, at its beginning. */
        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
            if (broken) {
                in.skipBytes(in.readableBytes());
            } else if (chunks.refuses(in)) {
                fail(in, out);
            } else {
                int before = in.readerIndex();
                super.decode(context, in, out);
                chunks.consumed(in.readerIndex() - before);
                broken = !out.isEmpty()
                        && out.get(out.size() - 1) instanceof HttpObject last
                        && last.decoderResult().isFailure();
            }
        }

        private void fail(ByteBuf in, List<Object> out) {
            broken = true;
            in.skipBytes(in.readableBytes());
            DefaultLastHttpContent end = new DefaultLastHttpContent();
            end.setDecoderResult(DecoderResult.failure(
                    new FaultException(Fault.MALFORMED, "the size of a chunk is not one to eight hex digits")));
            out.add(end);
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
