package io.forewarn.server.control;

import io.forewarn.console.ConsoleFile;
import io.forewarn.console.ConsoleFiles;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Locale;
import java.util.Optional;

/** Serves the files of the web console. They contain nothing secret, so that no token is needed for them. */
final class ConsoleHandlers {
    private static final String ROOT = "/";
    private static final String LASTING = "public, max-age=31536000, immutable";

    private Future<ConsoleFiles> files;

    /** Whether this request is one for the console; a browser's for the root leads to it. */
    static boolean serves(HttpServerRequest request) {
        String method = request.method().name();
        String path = request.path() == null ? "" : request.path();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return false;
        }
        return path.startsWith(ConsoleFiles.PREFIX)
                || (path + "/").equals(ConsoleFiles.PREFIX)
                || path.equals(ROOT) && accepts(request, "Accept", "text/html");
    }

    void serve(RequestContext call) {
        String path = call.request().path();
        if (!path.startsWith(ConsoleFiles.PREFIX)) {
            call.request()
                    .response()
                    .setStatusCode(302)
                    .putHeader("Location", ConsoleFiles.PREFIX)
                    .end();
            return;
        }
        load(call).onSuccess(all -> answer(call.request(), all, all.at(path))).onFailure(call::refuse);
    }

    /** Read at the first request: a server without readers of the console starts without them. */
    private synchronized Future<ConsoleFiles> load(RequestContext call) {
        if (files == null || files.failed()) {
            files = call.work(ConsoleFiles::load);
        }
        return files;
    }

    private static void answer(HttpServerRequest request, ConsoleFiles all, Optional<ConsoleFile> found) {
        HttpServerResponse response = request.response()
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin")
                .putHeader("Content-Security-Policy", all.contentSecurityPolicy());
        if (found.isEmpty()) {
            // A page that was opened before an upgrade asks for modules of the former release.
            response.setStatusCode(404)
                    .putHeader("Content-Type", "text/plain")
                    .end("there is no such file; reload the page\n");
            return;
        }
        ConsoleFile file = found.get();
        String tag = "\"" + file.tag() + "\"";
        response.putHeader("ETag", tag)
                .putHeader("Vary", "Accept-Encoding")
                .putHeader("Cache-Control", file.lasting() ? LASTING : "no-cache");
        if (tag.equals(request.getHeader("If-None-Match"))) {
            response.setStatusCode(304).end();
            return;
        }
        boolean zipped = file.gzip() != null && accepts(request, "Accept-Encoding", "gzip");
        byte[] bytes = zipped ? file.gzip() : file.bytes();
        response.putHeader("Content-Type", file.type());
        if (zipped) {
            response.putHeader("Content-Encoding", "gzip");
        }
        if (request.method().name().equals("HEAD")) {
            response.putHeader("Content-Length", String.valueOf(bytes.length)).end();
        } else {
            response.end(Buffer.buffer(bytes));
        }
    }

    private static boolean accepts(HttpServerRequest request, String header, String what) {
        String accepted = request.getHeader(header);
        return accepted != null && accepted.toLowerCase(Locale.ROOT).contains(what);
    }
}
