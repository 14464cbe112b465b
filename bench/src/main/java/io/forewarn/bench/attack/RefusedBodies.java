package io.forewarn.bench.attack;

import io.forewarn.bench.BenchSetup;
import io.forewarn.bench.ForewarnProcess;
import io.forewarn.bench.KeptAliveConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bodies that are refused, and bodies that never end, in as many connections as there may be. */
public final class RefusedBodies implements Attack {
    private static final int BODY = 64_990;

    @Override
    public String name() {
        return "bodies";
    }

    @Override
    public String tried(boolean quick) {
        return String.format(
                "%d strangers' addresses × %,d connections, each with all but the end of a POST of 65,000 bytes, then as many with half a"
                        + " head of 8 KiB; at a server with %d MiB of heap",
                addresses(quick), each(quick), heap(quick));
    }

    private static int addresses(boolean quick) {
        return quick ? 4 : 10;
    }

    private static int each(boolean quick) {
        return quick ? 400 : 1000;
    }

    private static int heap(boolean quick) {
        return quick ? 64 : 512;
    }

    @Override
    public List<AttackFinding> run(BenchSetup setup) throws Exception {
        boolean quick = setup.quick();
        byte[] post = (ForewarnProcess.METADATA + "Content-Length: 65000\r\n\r\n" + "x".repeat(BODY))
                .getBytes(StandardCharsets.US_ASCII);
        byte[] head = ("GET " + ForewarnProcess.EVENTS + " HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(7_900))
                .getBytes(StandardCharsets.US_ASCII);
        String line = "POST " + ForewarnProcess.EVENTS + " HTTP/1.1\r\nHost: a\r\n";
        try (ForewarnProcess forewarnProcess = ForewarnProcess.start(
                setup,
                "-Xmx" + heap(quick) + "m",
                "--profile",
                "test",
                "--store",
                ForewarnProcess.store(setup.folder("store")))) {
            int bodies = attack(forewarnProcess, quick, join(line.getBytes(StandardCharsets.US_ASCII), post));
            boolean afterBodies = answers(forewarnProcess);
            int heads = attack(forewarnProcess, quick, head);
            boolean afterHeads = answers(forewarnProcess);
            return List.of(
                    AttackFinding.of(forewarnProcess.isAlive(), "the process lives"),
                    AttackFinding.of(afterBodies, "a machine and the operator are answered during %,d bodies", bodies),
                    AttackFinding.of(afterHeads, "and during %,d heads", heads));
        }
    }

    private static int attack(ForewarnProcess forewarnProcess, boolean quick, byte[] bytes) throws IOException {
        try (StrangerCrowd crowd = new StrangerCrowd(forewarnProcess.port())) {
            crowd.storm(addresses(quick), each(quick), bytes);
            if (!answers(forewarnProcess)) {
                throw new IllegalStateException("a machine or the operator was not answered under attack");
            }
            return crowd.made();
        }
    }

    private static boolean answers(ForewarnProcess forewarnProcess) throws IOException {
        try (KeptAliveConnection machine = new KeptAliveConnection("127.0.0.1", forewarnProcess.port());
                KeptAliveConnection operator = new KeptAliveConnection("127.0.0.1", forewarnProcess.controlPort())) {
            return machine.ask(ForewarnProcess.POLL).status() == 200
                    && operator.ask(KeptAliveConnection.request(
                                            "GET",
                                            "/v1/status",
                                            "Authorization: Bearer " + forewarnProcess.token() + "\r\n",
                                            ""))
                                    .status()
                            == 200;
        }
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = new byte[first.length + second.length];
        System.arraycopy(first, 0, both, 0, first.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
