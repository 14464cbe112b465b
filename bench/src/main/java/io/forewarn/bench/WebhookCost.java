package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.SubscriptionRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What a thousand webhooks, one of them dead, cost whoever schedules something. */
final class WebhookCost {
    private static final int TARGETS = 1000;
    private static final int PER_GROUP = 10;
    private static final byte[] NOTICE = "{\"notice\":\"12h\"}".getBytes(UTF_8);
    private static final String TOLD = "forewarn_notifications_delivered_total";
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final BenchSetup setup;

    WebhookCost(BenchSetup setup) {
        this.setup = setup;
    }

    Finding measure() throws IOException {
        Path work = setup.folder("notifications");
        FleetFile fleet = FleetFile.write(work.resolve("fleet.jsonl"), TARGETS * PER_GROUP, PER_GROUP);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        HttpServer receiver = receiver(threads);
        // Takes connections and says nothing.
        try (ServerSocket dead = new ServerSocket(0, 1000, InetAddress.getByName("127.0.0.1"));
                ForewarnProcess alone = start(work, "alone", fleet);
                ForewarnProcess own = start(work, "own", fleet);
                ForewarnProcess every = start(work, "every", fleet)) {
            String there = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
            String nowhere = "http://127.0.0.1:" + dead.getLocalPort() + "/";
            // All as long at work before any has somebody to tell.
            int times = setup.quick() ? 300 : 2000;
            backToBack(alone, every, times);
            backToBack(own, own, times / 2);
            for (int i = 0; i < TARGETS; i++) {
                String url = i == 0 ? nowhere : there + i;
                add(own, "t-" + i, url, List.of(fleet.groupName(i)));
                add(every, "t-" + i, url, null);
            }
            Measurements[] each = backToBack(alone, own, times);
            Measurements[] all = paced(alone, every, setup.quick() ? 20 : 60);
            return new Finding(
                    "Webhooks",
                    List.of(
                            row("scheduling an event, 1,000 webhooks for different groups, one of which is dead", each),
                            row("the same, all 1,000 notified of each event", all)),
                    how(each, all, own.metric(TOLD)));
        } finally {
            receiver.stop(0);
            threads.shutdownNow();
        }
    }

    private static ReportRow row(String what, Measurements[] figures) {
        return ReportRow.atMost(what, "≤ 1.1 × without webhooks", figures[1].median() / figures[0].median(), 1.1, " ×");
    }

    private ForewarnProcess start(Path work, String name, FleetFile fleet) throws IOException {
        ForewarnProcess forewarnProcess = ForewarnProcess.start(
                setup,
                "",
                "--fleet",
                fleet.file().toString(),
                "--store",
                ForewarnProcess.store(work.resolve(name)),
                "--profile",
                "test",
                "--set",
                "notifications.allowed-targets=127.0.0.0/8");
        forewarnProcess.metric(TOLD); // Who shows no token for long is let go.
        return forewarnProcess;
    }

    private static HttpServer receiver(ExecutorService threads) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 1000);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void add(ForewarnProcess forewarnProcess, String name, String url, List<String> groups)
            throws IOException {
        byte[] body = Json.write(new SubscriptionRequest(name, null, url, null, groups, null, null, null, null, null));
        forewarnProcess.control(Route.WEBHOOK_ADD, List.of(), body).expect(200);
    }

    /** One schedule after the other, group by group, in turn without and with webhooks. */
    private static Measurements[] backToBack(ForewarnProcess alone, ForewarnProcess telling, int times)
            throws IOException {
        Measurements[] figures = {new Measurements(), new Measurements()};
        int warm = times / 3;
        for (int i = 0; i < warm + times; i++) {
            int machine = i % TARGETS * PER_GROUP;
            round(
                    alone,
                    telling,
                    machine,
                    i % 2 == 0,
                    i < warm ? new Measurements[] {new Measurements(), new Measurements()} : figures);
        }
        return figures;
    }

    /** The next schedule comes when all were notified of the last: what is measured is one burst of a thousand, not many. */
    private static Measurements[] paced(ForewarnProcess alone, ForewarnProcess telling, int times) throws IOException {
        Measurements[] figures = {new Measurements(), new Measurements()};
        int warm = times / 3;
        for (int i = 0; i < warm + times; i++) {
            double before = telling.metric(TOLD);
            round(
                    alone,
                    telling,
                    0,
                    i % 2 == 0,
                    i < warm ? new Measurements[] {new Measurements(), new Measurements()} : figures);
            long end = System.nanoTime() + PATIENCE;
            while (telling.metric(TOLD) < before + 2 * (TARGETS - 1) && System.nanoTime() < end) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
        return figures;
    }

    private static void round(
            ForewarnProcess alone, ForewarnProcess telling, int machine, boolean aloneFirst, Measurements[] figures)
            throws IOException {
        if (aloneFirst) {
            figures[0].add(schedule(alone, machine));
            figures[1].add(schedule(telling, machine));
        } else {
            figures[1].add(schedule(telling, machine));
            figures[0].add(schedule(alone, machine));
        }
    }

    private static double schedule(ForewarnProcess forewarnProcess, int machine) throws IOException {
        long began = System.nanoTime();
        KeptAliveConnection.Answer answer =
                forewarnProcess.control(Route.MACHINE_ACTION, List.of(FleetFile.machine(machine), "restart"), NOTICE);
        double millis = (System.nanoTime() - began) / 1e6;
        CommandResultBody outcome =
                Json.answer(CommandResultBody.class, answer.expect(200).body());
        forewarnProcess
                .control(Route.EVENT_CANCEL, List.of(outcome.events().get(0).id()), new byte[0])
                .expect(200);
        return millis;
    }

    private static String how(Measurements[] each, Measurements[] all, double told) {
        return "Three services have the same 10,000 machines in 1,000 groups: one has no webhooks, one has a webhook for"
                + " each group, and one has 1,000 webhooks that are notified of every event. One webhook is dead: its target"
                + " accepts connections but never answers. A restart is scheduled, timed from the first byte of the request"
                + " to the answer, and then cancelled; this is done in pairs, once without and once with webhooks, in"
                + " alternating order. In the first part, restarts follow each other immediately, and each event notifies"
                + " the webhook of one group ("
                + String.format("%,d", Math.round(told))
                + " notifications were delivered). In the second part, each event notifies 999 webhooks twice, and the next"
                + " restart follows when all of these notifications are delivered. The receiver runs on the same"
                + " processors.\n\n| | without webhooks, median and p99 | with webhooks, median and p99 |\n|---|---|---|\n|"
                + " webhooks for different groups | "
                + cells(each) + "\n| all notified of each event | " + cells(all);
    }

    private static String cells(Measurements[] figures) {
        return cell(figures[0]) + " | " + cell(figures[1]) + " |";
    }

    private static String cell(Measurements measurements) {
        return ReportRow.number(measurements.median()) + " ms, " + ReportRow.number(measurements.quantile(0.99))
                + " ms";
    }
}
