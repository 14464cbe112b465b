package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.ActionRequest;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Restarts the machines aside of a {@link FleetFile}, one after the other, has each approve its restart and poll, and times
 * that: what others notice of something large that is going on.
 */
final class Bystanders {
    /** How many of them a fleet needs: their restarts end only when the clock moves. */
    static final int MACHINES = 10_000;

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private final ForewarnProcess forewarnProcess;
    private int next;

    Bystanders(ForewarnProcess forewarnProcess) {
        this.forewarnProcess = forewarnProcess;
    }

    /** What they noticed during something, in milliseconds. */
    record Noticed(Measurements schedules, Measurements approvals, Measurements polls) {
        static String shape(Measurements millis) {
            return "median " + ReportRow.number(millis.median()) + " ms, p99 " + ReportRow.number(millis.quantile(0.99))
                    + " ms, slowest " + ReportRow.number(millis.quantile(1)) + " ms";
        }
    }

    /** Something that takes a while. */
    interface Deed {
        void run() throws IOException;
    }

    /** So many restarts while nothing else happens. */
    Noticed quiet(int times) throws IOException {
        Noticed noticed = new Noticed(new Measurements(), new Measurements(), new Measurements());
        for (int i = 0; i < times; i++) {
            restart(noticed);
        }
        return noticed;
    }

    /** One restart after the other until the deed is done. */
    Noticed during(Deed deed) throws IOException {
        Noticed noticed = new Noticed(new Measurements(), new Measurements(), new Measurements());
        IOException[] failed = {null};
        Thread doing = new Thread(() -> {
            try {
                deed.run();
            } catch (IOException failure) {
                failed[0] = failure;
            }
        });
        doing.start();
        do {
            restart(noticed);
        } while (doing.isAlive());
        if (failed[0] != null) {
            throw failed[0];
        }
        return noticed;
    }

    private void restart(Noticed noticed) throws IOException {
        int number = next++ % MACHINES;
        byte[] body = Json.write(new ActionRequest(List.of(FleetFile.aside(number)), "12h", null, null, null));
        String event;
        try (KeptAliveConnection operator = new KeptAliveConnection("127.0.0.1", forewarnProcess.controlPort())) {
            byte[] request = forewarnProcess.controlRequest(Route.ACTION, List.of("restart"), new String(body, UTF_8));
            long began = System.nanoTime();
            KeptAliveConnection.Answer answer = operator.ask(request).expect(200);
            noticed.schedules.add((System.nanoTime() - began) / 1e6);
            event = Json.answer(CommandResultBody.class, answer.body())
                    .events()
                    .get(0)
                    .id();
        }
        try (KeptAliveConnection machine = new KeptAliveConnection(FleetFile.address(number), forewarnProcess.port())) {
            long began = System.nanoTime();
            machine.ask(ForewarnProcess.POLL).expect(200);
            noticed.polls.add((System.nanoTime() - began) / 1e6);
            String approval = "{\"StartRequests\":[{\"EventId\":\"" + event + "\"}]}";
            byte[] request =
                    KeptAliveConnection.request("POST", ForewarnProcess.EVENTS, ForewarnProcess.METADATA, approval);
            began = System.nanoTime();
            machine.ask(request).expect(200);
            noticed.approvals.add((System.nanoTime() - began) / 1e6);
        }
        LockSupport.parkNanos(PAUSE);
    }
}
