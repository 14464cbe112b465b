package io.forewarn.bench.attack;

import io.forewarn.bench.Forewarn;
import io.forewarn.bench.Line;
import io.forewarn.bench.Place;
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
    public List<AttackFinding> run(Place place) throws Exception {
        boolean quick = place.quick();
        byte[] post = (Forewarn.METADATA + "Content-Length: 65000\r\n\r\n" + "x".repeat(BODY))
                .getBytes(StandardCharsets.US_ASCII);
        byte[] head = ("GET " + Forewarn.EVENTS + " HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(7_900))
                .getBytes(StandardCharsets.US_ASCII);
        String line = "POST " + Forewarn.EVENTS + " HTTP/1.1\r\nHost: a\r\n";
        try (Forewarn forewarn = Forewarn.start(
                place,
                "-Xmx" + heap(quick) + "m",
                "--profile",
                "test",
                "--store",
                Forewarn.store(place.folder("store")))) {
            int bodies = attack(forewarn, quick, join(line.getBytes(StandardCharsets.US_ASCII), post));
            boolean afterBodies = answers(forewarn);
            int heads = attack(forewarn, quick, head);
            boolean afterHeads = answers(forewarn);
            return List.of(
                    AttackFinding.of(forewarn.isAlive(), "the process lives"),
                    AttackFinding.of(afterBodies, "a machine and the operator are answered during %,d bodies", bodies),
                    AttackFinding.of(afterHeads, "and during %,d heads", heads));
        }
    }

    private static int attack(Forewarn forewarn, boolean quick, byte[] bytes) throws IOException {
        try (StrangerCrowd crowd = new StrangerCrowd(forewarn.port())) {
            crowd.storm(addresses(quick), each(quick), bytes);
            if (!answers(forewarn)) {
                throw new IllegalStateException("a machine or the operator was not answered under attack");
            }
            return crowd.made();
        }
    }

    private static boolean answers(Forewarn forewarn) throws IOException {
        try (Line machine = new Line("127.0.0.1", forewarn.port());
                Line operator = new Line("127.0.0.1", forewarn.controlPort())) {
            return machine.ask(Forewarn.POLL).status() == 200
                    && operator.ask(Line.request(
                                            "GET",
                                            "/v1/status",
                                            "Authorization: Bearer " + forewarn.token() + "\r\n",
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
