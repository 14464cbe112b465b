package io.forewarn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Debian's nginx with a file in its hands, set up as fast as it goes: no log, the file kept open, no conditional headers. */
final class NginxProcess extends ChildProcess {
    private static final String SETTINGS = """
            daemon off;
            user @user@;
            worker_processes @workers@;
            pid @work@/nginx-@port@.pid;
            error_log @work@/nginx-error.log;
            events { worker_connections 4096; }
            http {
              access_log off;
              sendfile on;
              tcp_nopush on;
              tcp_nodelay on;
              keepalive_requests 1000000000;
              keepalive_timeout 3600;
              server_tokens off;
              etag off;
              max_ranges 0;
              open_file_cache max=100 inactive=3600s;
              open_file_cache_valid 3600s;
              client_body_temp_path @work@/nginx-temp;
              proxy_temp_path @work@/nginx-temp;
              fastcgi_temp_path @work@/nginx-temp;
              uwsgi_temp_path @work@/nginx-temp;
              scgi_temp_path @work@/nginx-temp;
              server {
                listen 127.0.0.1:@port@;
                root @work@/nginx-root;
                default_type "application/json; charset=utf-8";
                add_header ETag '@etag@';
                add_header Last-Modified "";
                @check@
              }
            }
            """;

    private final int port;

    private NginxProcess(Path settings, Path log, int port) throws IOException {
        super(List.of("nginx", "-c", settings.toString(), "-e", log.toString()), Map.of(), log);
        this.port = port;
    }

    /** Serves a document under the path machines poll, with one worker per processor. */
    static NginxProcess serving(BenchSetup setup, KeptAliveConnection.Answer document) throws IOException {
        return serving(setup, document, "", "auto");
    }

    /** Serves it only to clients that send the header. */
    static NginxProcess checking(BenchSetup setup, KeptAliveConnection.Answer document, int workers)
            throws IOException {
        return serving(setup, document, "if ($http_metadata != true) { return 400; }", Integer.toString(workers));
    }

    private static NginxProcess serving(
            BenchSetup setup, KeptAliveConnection.Answer document, String check, String workers) throws IOException {
        Path root = setup.folder("nginx-root");
        setup.folder("nginx-temp");
        Files.createDirectories(root.resolve("metadata"));
        Files.write(root.resolve("metadata/scheduledevents"), document.body());
        int port = BenchSetup.freePort();
        Path settings = Files.writeString(
                setup.work().resolve("nginx-" + port + ".conf"),
                SETTINGS.replace("@work@", setup.work().toString())
                        .replace("@user@", System.getProperty("user.name"))
                        .replace("@port@", Integer.toString(port))
                        .replace("@check@", check)
                        .replace("@workers@", workers)
                        .replace("@etag@", document.headers().get("etag")));
        NginxProcess nginxProcess = new NginxProcess(settings, setup.log("nginx"), port);
        ReadinessProbe.await(nginxProcess, port, ForewarnProcess.POLL, 10_000_000_000L);
        return nginxProcess;
    }

    int port() {
        return port;
    }
}
