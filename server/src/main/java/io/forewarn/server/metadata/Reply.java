package io.forewarn.server.metadata;

import io.forewarn.core.RefusedException;
import io.forewarn.wire.ProblemStatus;
import io.forewarn.wire.azure.ErrorJson;
import io.forewarn.wire.azure.VersionsJson;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** An answer that is not a document: what is refused, and why. */
record Reply(int status, Buffer body, CharSequence type, CharSequence header, CharSequence value) {
    static final CharSequence JSON = HttpHeaders.createOptimized("application/json; charset=utf-8");
    static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain; charset=utf-8");
    static final CharSequence CONTENT_TYPE = HttpHeaders.createOptimized("Content-Type");
    private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("Retry-After");
    private static final CharSequence ALLOW = HttpHeaders.createOptimized("Allow");
    private static final CharSequence ONE_SECOND = HttpHeaders.createOptimized("1");

    static final Reply APPROVED = new Reply(200, Buffer.buffer(), null, null, null);
    static final Reply VERSIONS = json(200, VersionsJson.TEXT);
    static final Reply NOT_FOUND = json(404, ErrorJson.NOT_FOUND);
    static final Reply DEAD_PREVIEW = error(
            404, "Not found. Ask for /metadata/scheduledevents?api-version=2017-03-01, without latest in the path");
    static final Reply FORWARDED = error(
            400, "Bad request. The X-Forwarded-For header shows that the request went through a proxy; ask directly");
    static final Reply NO_METADATA_HEADER = json(400, ErrorJson.NO_METADATA_HEADER);
    static final Reply STRANGER = error(403, "Forbidden");
    static final Reply TOO_FAST = later(429, "Too many requests");
    static final Reply REPEATS = error(400, "Bad request. A query parameter is there twice");
    static final Reply NO_API_VERSION = json(400, ErrorJson.NO_API_VERSION);
    static final Reply NO_INSTANCE_VERSION = json(400, ErrorJson.NO_INSTANCE_VERSION);
    static final Reply UNKNOWN_API_VERSION = json(404, ErrorJson.UNKNOWN_API_VERSION);
    static final Reply STARTING = later(503, "the service is starting; ask again in a moment");
    static final Reply BODIES_FULL = later(503, "too many requests are being received; ask again in a moment");
    static final Reply BROKEN = later(503, "the service could not do it; ask again in a moment");
    static final Reply UNKNOWN_CODING = error(501, "the only Transfer-Encoding that is understood is chunked");
    static final Reply NOT_ONE_HOST = error(400, "Bad request. HTTP/1.1 asks for one Host header");
    static final Reply OTHER_HOST = error(
            400,
            "Bad request. The Host header names another server; the setting metadata.host-names lists names with a dot"
                    + " that are this one's");
    static final Reply TWO_IDENTITIES = error(400, "Bad request. A signed header is there twice");
    static final Reply MALFORMED = error(400, "Bad request. This is not HTTP/1.0 or HTTP/1.1");
    static final Reply LINE_TOO_LONG = error(414, "the request line is too long");
    static final Reply HEADERS_TOO_LARGE = error(431, "the request headers are too large");

    static Reply tooLarge(int limit) {
        return error(413, "the body is larger than " + limit + " bytes");
    }

    static Reply notAllowed(String allow) {
        return new Reply(405, Buffer.buffer(ErrorJson.of("Method not allowed. Allowed: " + allow)), JSON, ALLOW, allow);
    }

    static Reply of(RefusedException refusal) {
        int status = ProblemStatus.of(refusal.problem());
        return ProblemStatus.passing(refusal.problem())
                ? later(status, refusal.getMessage())
                : error(status, refusal.getMessage());
    }

    static Reply json(int status, String json) {
        return new Reply(status, Buffer.buffer(json), JSON, null, null);
    }

    private static Reply error(int status, String sentence) {
        return json(status, ErrorJson.of(sentence));
    }

    private static Reply later(int status, String sentence) {
        return new Reply(status, Buffer.buffer(ErrorJson.of(sentence)), JSON, RETRY_AFTER, ONE_SECOND);
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
