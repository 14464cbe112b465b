package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How long a commit is on its way to all nodes: a machine waits for news at each of them, and its restart is scheduled. */
final class PropagationTime implements AutoCloseable {
    private final ForewarnProcess writer;
    private final List<KeptAliveConnection> machines = new ArrayList<>();
    private final List<String> known = new ArrayList<>();

    /** @param nodes the writer first */
    PropagationTime(List<ForewarnProcess> nodes) throws IOException {
        writer = nodes.get(0);
        for (ForewarnProcess node : nodes) {
            KeptAliveConnection machine = new KeptAliveConnection(FleetFile.address(0), node.port());
            machines.add(machine);
            known.add(machine.ask(ForewarnProcess.POLL).expect(200).headers().get("etag"));
        }
    }

    /** Milliseconds from the writer's answer, which follows the commit, until the last node has told the machine. */
    double once() throws IOException {
        listen();
        KeptAliveConnection.Answer scheduled = writer.control(
                        Route.MACHINE_ACTION,
                        List.of(FleetFile.machine(0), "restart"),
                        "{\"notice\":\"12h\"}".getBytes(UTF_8))
                .expect(200);
        long committed = System.nanoTime();
        String id = Json.answer(CommandResultBody.class, scheduled.body())
                .events()
                .get(0)
                .id();
        hear(id, true);
        double millis = (System.nanoTime() - committed) / 1e6;
        listen();
        writer.control(Route.EVENT_CANCEL, List.of(id), new byte[0]).expect(200);
        hear(id, false);
        return millis;
    }

    private void listen() throws IOException {
        for (int i = 0; i < machines.size(); i++) {
            machines.get(i).send(waiting(known.get(i)));
        }
    }

    private static byte[] waiting(String etag) {
        return KeptAliveConnection.request(
                "GET",
                ForewarnProcess.EVENTS,
                ForewarnProcess.METADATA + "Prefer: wait=60\r\nIf-None-Match: " + etag + "\r\n",
                "");
    }

    private void hear(String id, boolean there) throws IOException {
        for (int i = 0; i < machines.size(); i++) {
            KeptAliveConnection.Answer news = machines.get(i).receive().expect(200);
            while (news.text().contains(id) != there) {
                // What this node had not heard of before.
                news = machines.get(i).ask(waiting(news.headers().get("etag"))).expect(200);
            }
            known.set(i, news.headers().get("etag"));
        }
    }

    @Override
    public void close() throws IOException {
        for (KeptAliveConnection machine : machines) {
            machine.close();
        }
    }
}
