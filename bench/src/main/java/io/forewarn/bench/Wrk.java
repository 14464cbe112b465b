package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One run of wrk: one thread, 64 connections, as fast as they are answered. */
record Wrk(double requests, double seconds, double p99Millis) {
    private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in ([\\d.]+)s");
    private static final Pattern P99 = Pattern.compile("99%\\s+([\\d.]+)(us|ms|s)");

    static Wrk run(int port, int seconds) throws IOException {
        return run(port, seconds, "keep-alive");
    }

    /** @param connection "close" for a new connection for each request */
    static Wrk run(int port, int seconds, String connection) throws IOException {
        String url = "http://127.0.0.1:" + port + ForewarnProcess.EVENTS;
        List<String> command = List.of(
                "wrk",
                "-t1",
                "-c64",
                "-d" + seconds + "s",
                "--latency",
                "--timeout",
                "30s",
                "-H",
                "Metadata: true",
                "-H",
                "Connection: " + connection,
                url);
        Process wrk = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(wrk.getInputStream().readAllBytes(), UTF_8);
        Matcher total = TOTAL.matcher(output);
        Matcher p99 = P99.matcher(output);
        if (!total.find() || !p99.find() || output.contains("Non-2xx") || output.contains("Socket errors")) {
            throw new IllegalStateException("wrk was not served well: " + output);
        }
        double unit =
                switch (p99.group(2)) {
                    case "us" -> 0.001;
                    case "ms" -> 1;
                    default -> 1000;
                };
        return new Wrk(
                Double.parseDouble(total.group(1)),
                Double.parseDouble(total.group(2)),
                Double.parseDouble(p99.group(1)) * unit);
    }

    double perSecond() {
        return requests / seconds;
    }
}
