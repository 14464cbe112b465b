package io.forewarn.acceptance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred thousand malformed requests on both listeners, while one caller behaves well. */
// Takes more than 20 s: fewer requests would find fewer leaks.
class MalformedRequestsIT {
    private static final int REQUESTS = 100_000;
    private static final int FIRST = 4_000;
    private static final int CALLERS = 12;
    private static final int ABANDONED = 100;
    private static final long SEED = 431;
    private static final long MEBIBYTE = 1 << 20;
    private static final Pattern USED = Pattern.compile("(?:generation|heap) +total \\d+K, used (\\d+)K");

    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path folder;

    @Test
    void nothingCrashesLeaksOrKeepsOthersWaiting() throws Exception {
        try (Server server = new Server(folder, new Fleet(4, 5))
                .set("metadata.client-timeout", "2s")
                .start()) {
            String expected = server.poll("127.0.1.11").body();
            storm(server, FIRST, SEED); // What is loaded once is no leak.
            long descriptors = descriptors(server);
            long heap = heap(server);

            List<BoundConnection> silent = slowSenders(server);
            WellBehavedCaller caller = new WellBehavedCaller(server, expected);
            Thread behaving = new Thread(caller, "well-behaved");
            behaving.start();
            storm(server, REQUESTS, SEED + 1);
            caller.enough();
            behaving.join();
            silent.forEach(BoundConnection::abandon);

            assertEquals(List.of(), List.copyOf(wrong));
            assertEquals(List.of(), caller.complaints(), server::log);
            assertTrue(caller.served() > 100, () -> "served only " + caller.served());
            Server.await("descriptors are given back", () -> descriptors(server) <= descriptors + 3);
            // Refused connections are kept for a few seconds, so that their callers can read why.
            Server.await("the heap is given back", () -> heap(server) < heap + 4 * MEBIBYTE);
            assertEquals(expected, server.poll("127.0.1.11").body());
            assertTrue(server.get("/v1/events").path("events").isEmpty(), "nonsense changes nothing");
            assertFalse(server.log().contains("SEVERE") || server.log().contains("level=error"), server::log);
        }
    }

    @Test
    void slowAndSilentClientsAreDisconnected() throws Exception {
        try (Server server = new Server(folder, new Fleet(1, 1))
                .set("metadata.client-timeout", "1s")
                .set("metadata.idle-timeout", "1s")
                .start()) {
            long before = descriptors(server);
            List<BoundConnection> lines = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                BoundConnection connection = server.machine("127.0.1.11");
                connection.connect();
                lines.add(connection);
                if (i % 2 == 0) {
                    connection.send("GET /metadata/sch".getBytes(StandardCharsets.US_ASCII));
                }
            }
            Server.await("all of them are there", () -> descriptors(server) >= before + 20);
            Server.await("all of them are dropped", () -> descriptors(server) <= before + 1);
            assertEquals(200, server.poll("127.0.1.11").status());
            lines.forEach(BoundConnection::close);
        }
    }

    private void storm(Server server, long requests, long seed) throws Exception {
        AtomicLong left = new AtomicLong(requests);
        List<MalformedRequests.Target> targets =
                MisbehavingCaller.targets(server.token().get("Authorization"));
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            boolean machine = i % 2 == 0;
            String address = server.fleet().machines().get(1 + i).address();
            MisbehavingCaller misbehavingCaller = new MisbehavingCaller(
                    seed * 100 + i,
                    () -> machine ? server.machine(address) : server.operator(),
                    targets.get(i % 2),
                    left,
                    wrong);
            callers.add(new Thread(misbehavingCaller, "rabble-" + i));
        }
        callers.forEach(Thread::start);
        for (Thread caller : callers) {
            caller.join();
        }
    }

    /** Begin a request each and never end it. */
    private static List<BoundConnection> slowSenders(Server server) throws IOException {
        List<BoundConnection> lines = new ArrayList<>();
        for (int i = 0; i < ABANDONED; i++) {
            BoundConnection connection = i % 2 == 0 ? server.machine("127.0.1.11") : server.operator();
            connection.send("POST /metadata/sched".getBytes(StandardCharsets.US_ASCII));
            lines.add(connection);
        }
        return lines;
    }

    private static long descriptors(Server server) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(server.pid()), "fd"))) {
            return open.count();
        }
    }

    /** Bytes in use after everything dead was thrown away. */
    private static long heap(Server server) throws IOException {
        tell(server, "GC.run");
        Matcher used = USED.matcher(tell(server, "GC.heap_info"));
        long sum = 0;
        while (used.find()) {
            sum += Long.parseLong(used.group(1)) * 1024;
        }
        assertTrue(sum > 0, "no figure of the heap");
        return sum;
    }

    private static String tell(Server server, String command) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(jcmd.toString(), Long.toString(server.pid()), command)
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
