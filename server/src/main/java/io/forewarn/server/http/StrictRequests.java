package io.forewarn.server.http;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpMessage;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;

/**
 * Refuses a request that tells its length in two ways. Who stands in front may have believed the other one, and what it took
 * for a body would be read here as the next request.
 */
public final class StrictRequests {
    private static final String DECODER = "httpDecoder";

    private StrictRequests() {}

    /** Call it when the connection is made: before a byte was read. */
    public static void on(HttpConnection connection, HttpServerOptions options) {
        if (connection instanceof Http1xServerConnection plain) {
            ChannelPipeline pipeline = plain.channelHandlerContext().pipeline();
            if (pipeline.get(DECODER) != null) {
                pipeline.replace(DECODER, DECODER, new OneLength(options));
            }
        }
    }

    private static final class OneLength extends VertxHttpRequestDecoder {
        OneLength(HttpServerOptions options) {
            super(options);
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            throw new IllegalArgumentException("both Content-Length and Transfer-Encoding");
        }
    }
}
