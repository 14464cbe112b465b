package io.forewarn.acceptance.faults;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Polls and asks for the status over and over, and complains of every answer that is not the right one. */
final class WellBehavedCaller implements Runnable {
    private final Server server;
    private final String expected;
    private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();
    private volatile boolean enough;
    private volatile long served;

    WellBehavedCaller(Server server, String expected) {
        this.server = server;
        this.expected = expected;
    }

    @Override
    public void run() {
        try (BoundConnection machine = server.machine("127.0.1.11");
                BoundConnection operator = server.operator()) {
            while (!enough && complaints.size() < 5) {
                check(machine.ask("GET", Server.POLL, Server.MACHINE, null), expected);
                check(operator.ask("GET", "/v1/status", server.token(), null), null);
                served++;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        } catch (IOException unanswered) {
            complaints.add("not answered: " + unanswered);
        }
    }

    private void check(BoundConnection.Answer answer, String wanted) {
        if (answer.status() != 200 || wanted != null && !wanted.equals(answer.body())) {
            complaints.add(answer.toString());
        }
    }

    void enough() {
        enough = true;
    }

    long served() {
        return served;
    }

    List<String> complaints() {
        return List.copyOf(complaints);
    }
}
