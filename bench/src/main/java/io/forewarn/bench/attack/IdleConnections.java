package io.forewarn.bench.attack;

import io.forewarn.bench.BenchSetup;
import io.forewarn.bench.ForewarnProcess;
import io.forewarn.bench.KeptAliveConnection;
import java.io.IOException;
import java.util.List;

/** Strangers that connect and say nothing, at both listeners, until there is no connection left for anybody else. */
public final class IdleConnections implements Attack {
    private static final int ASKED = 40;

    @Override
    public String name() {
        return "connections";
    }

    @Override
    public String tried(boolean quick) {
        return String.format(
                "%d strangers' addresses × %,d idle connections to metadata, then %d × %d to control%s",
                machines(quick), 1000, people(quick), 256, quick ? "; at a server with 64 MiB of heap" : "");
    }

    private static int machines(boolean quick) {
        return quick ? 2 : 18;
    }

    private static int people(boolean quick) {
        return quick ? 2 : 10;
    }

    @Override
    public List<AttackFinding> run(BenchSetup setup) throws Exception {
        // A small heap holds few connections, so that few are enough to fill it.
        try (ForewarnProcess forewarnProcess = ForewarnProcess.start(
                        setup,
                        setup.quick() ? "-Xmx64m" : "-Xmx1g",
                        "--profile",
                        "test",
                        "--store",
                        ForewarnProcess.store(setup.folder("store")));
                StrangerCrowd atMetadata = new StrangerCrowd(forewarnProcess.port());
                StrangerCrowd atControl = new StrangerCrowd(forewarnProcess.controlPort())) {
            atMetadata.storm(machines(setup.quick()), 1000, new byte[0]);
            int polls = answered(() -> {
                try (KeptAliveConnection machine = new KeptAliveConnection("127.0.0.2", forewarnProcess.port())) {
                    return machine.ask(ForewarnProcess.POLL).status();
                }
            });
            atMetadata.leave();
            atControl.storm(people(setup.quick()), 256, new byte[0]);
            byte[] status = KeptAliveConnection.request(
                    "GET", "/v1/status", "Authorization: Bearer " + forewarnProcess.token() + "\r\n", "");
            int commands = answered(() -> {
                try (KeptAliveConnection operator =
                        new KeptAliveConnection("127.0.0.1", forewarnProcess.controlPort())) {
                    return operator.ask(status).status();
                }
            });
            long warnings = forewarnProcess
                    .said()
                    .lines()
                    .filter(line -> line.contains("connections-full"))
                    .count();
            return List.of(
                    AttackFinding.of(
                            polls == ASKED,
                            "a known machine's new connections are answered: %d of %d, beside %,d",
                            polls,
                            ASKED,
                            atMetadata.made()),
                    AttackFinding.of(
                            commands == ASKED,
                            "the operator's new connections are answered: %d of %d, beside %,d",
                            commands,
                            ASKED,
                            atControl.made()),
                    AttackFinding.of(
                            warnings >= 1 && warnings <= 10,
                            "the log says so, once a minute at most: %d lines",
                            warnings));
        }
    }

    private interface Asking {
        int status() throws IOException;
    }

    private static int answered(Asking asking) {
        int good = 0;
        for (int i = 0; i < ASKED; i++) {
            try {
                good += asking.status() == 200 ? 1 : 0;
            } catch (IOException shutOut) {
                // Not answered: not counted.
            }
        }
        return good;
    }
}
