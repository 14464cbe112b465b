package io.forewarn.server.metadata;

import io.forewarn.core.RefusedException;
import io.forewarn.wire.ProblemStatus;
import io.forewarn.wire.azure.ErrorJson;
import io.forewarn.wire.azure.VersionsJson;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** Holds prepared responses other than documents, mostly errors. */
record PreparedReply(int status, Buffer body, CharSequence type, CharSequence header, CharSequence value) {
    static final CharSequence JSON = HttpHeaders.createOptimized("application/json; charset=utf-8");
    static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain; charset=utf-8");
    static final CharSequence CONTENT_TYPE = HttpHeaders.createOptimized("Content-Type");
    private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("Retry-After");
    private static final CharSequence ALLOW = HttpHeaders.createOptimized("Allow");
    private static final CharSequence ONE_SECOND = HttpHeaders.createOptimized("1");

    static final PreparedReply APPROVED = new PreparedReply(200, Buffer.buffer(), null, null, null);
    static final PreparedReply VERSIONS = json(200, VersionsJson.TEXT);
    static final PreparedReply NOT_FOUND = json(404, ErrorJson.NOT_FOUND);
    static final PreparedReply DEAD_PREVIEW = error(
            404, "Not found. Ask for /metadata/scheduledevents?api-version=2017-03-01, without latest in the path");
    static final PreparedReply FORWARDED = error(
            400, "Bad request. The X-Forwarded-For header shows that the request went through a proxy; ask directly");
    static final PreparedReply NO_METADATA_HEADER = json(400, ErrorJson.NO_METADATA_HEADER);
    static final PreparedReply STRANGER = error(403, "Forbidden");
    static final PreparedReply TOO_FAST = later(429, "Too many requests");
    static final PreparedReply REPEATS = error(400, "Bad request. A query parameter is given twice");
    static final PreparedReply NO_API_VERSION = json(400, ErrorJson.NO_API_VERSION);
    static final PreparedReply NO_INSTANCE_VERSION = json(400, ErrorJson.NO_INSTANCE_VERSION);
    static final PreparedReply UNKNOWN_API_VERSION = json(404, ErrorJson.UNKNOWN_API_VERSION);
    static final PreparedReply STARTING = later(503, "the service is starting; try again in a moment");
    static final PreparedReply BODIES_FULL = later(503, "too many requests are being received; try again in a moment");
    static final PreparedReply BROKEN = later(503, "internal error; try again in a moment");
    static final PreparedReply UNKNOWN_CODING = error(501, "the only supported Transfer-Encoding is chunked");
    static final PreparedReply NOT_ONE_HOST = error(400, "Bad request. HTTP/1.1 requires exactly one Host header");
    static final PreparedReply OTHER_HOST = error(
            400,
            "Bad request. The Host header names another server; add names of this server to the setting metadata.host-names");
    static final PreparedReply TWO_IDENTITIES = error(400, "Bad request. A signed header is given twice");
    static final PreparedReply MALFORMED = error(400, "Bad request. This is not HTTP/1.0 or HTTP/1.1");
    static final PreparedReply LINE_TOO_LONG = error(414, "the request line is too long");
    static final PreparedReply HEADERS_TOO_LARGE = error(431, "the request headers are too large");

    static PreparedReply tooLarge(int limit) {
        return error(413, "the body is larger than " + limit + " bytes");
    }

    static PreparedReply notAllowed(String allow) {
        return new PreparedReply(
                405, Buffer.buffer(ErrorJson.of("Method not allowed. Allowed: " + allow)), JSON, ALLOW, allow);
    }

    static PreparedReply of(RefusedException refusal) {
        int status = ProblemStatus.of(refusal.problem());
        return ProblemStatus.passing(refusal.problem())
                ? later(status, refusal.getMessage())
                : error(status, refusal.getMessage());
    }

    static PreparedReply json(int status, String json) {
        return new PreparedReply(status, Buffer.buffer(json), JSON, null, null);
    }

    private static PreparedReply error(int status, String sentence) {
        return json(status, ErrorJson.of(sentence));
    }

    private static PreparedReply later(int status, String sentence) {
        return new PreparedReply(status, Buffer.buffer(ErrorJson.of(sentence)), JSON, RETRY_AFTER, ONE_SECOND);
    }

    void prepare(HttpServerResponse response) {
        response.setStatusCode(status);
        if (type != null) {
            response.putHeader(CONTENT_TYPE, type);
        }
        if (header != null) {
            response.putHeader(header, value);
        }
    }
}
