package io.forewarn.bench.attack;

import io.forewarn.bench.BenchSetup;
import io.forewarn.bench.ForewarnProcess;
import io.forewarn.bench.KeptAliveConnection;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** An owner fills the memory of the service with machines, and an operator by mistake. */
final class FleetFlood implements Attack {
    private static final int UPLOADS = 3;
    private static final int BY_OPERATOR = 4;
    private static final int PER_GROUP = 1_000;

    private static int machines(boolean quick) {
        return quick ? 25_000 : 990_000;
    }

    private static String heap(boolean quick) {
        return quick ? "256m" : "512m";
    }

    /** Four of these do not fit, and each alone does. */
    private static int byOperator(boolean quick) {
        return quick ? 60_000 : 400_000;
    }

    @Override
    public String name() {
        return "fleet-flood";
    }

    @Override
    public String tried(boolean quick) {
        return UPLOADS + " fleets of " + machines(quick) + " machines by one owner, whole and in parts, then "
                + BY_OPERATOR + " of " + byOperator(quick) + " by an operator, to a server of " + heap(quick);
    }

    @Override
    public List<AttackFinding> run(BenchSetup setup) throws Exception {
        boolean quick = setup.quick();
        List<AttackFinding> findings = new ArrayList<>();
        try (ForewarnProcess server = ForewarnProcess.start(
                setup,
                "-Xmx" + heap(quick),
                "--profile",
                "test",
                "--store",
                ForewarnProcess.store(setup.folder("store")),
                "--set",
                "fleet.memory-percent=" + (quick ? 15 : 85))) {
            OwnerClient owner = OwnerClient.of(server, "shop");
            List<Integer> whole = new ArrayList<>();
            List<Integer> parts = new ArrayList<>();
            for (int upload = 0; upload < UPLOADS; upload++) {
                whole.add(owner.status(Route.FLEET_APPLY, List.of(), file(upload, 0, machines(quick))));
                int part = machines(quick) / (quick ? 2 : 4);
                for (int from = 0; from < machines(quick); from += part) {
                    parts.add(owner.status(Route.FLEET_APPLY, List.of(), file(upload, from, part)));
                }
            }
            findings.add(AttackFinding.of(
                    whole.stream().allMatch(s -> s == 413 || s == 429), "the owner's fleets are refused: %s", whole));
            findings.add(AttackFinding.of(
                    parts.stream().allMatch(s -> s == 413 || s == 429), "in parts as well: %s", parts));
            OwnerClient operator = OwnerClient.operator(server);
            List<Integer> byOperator = new ArrayList<>();
            for (int upload = 0; upload < BY_OPERATOR; upload++) {
                byOperator.add(operator.status(Route.FLEET_APPLY, List.of(), grouped(upload, byOperator(quick))));
            }
            findings.add(AttackFinding.of(
                    byOperator.get(0) == 200 && byOperator.get(BY_OPERATOR - 1) == 413,
                    "the operator's are taken as long as there is memory: %s",
                    byOperator));
            findings.add(AttackFinding.of(server.isAlive(), "the server lives"));
            findings.add(AttackFinding.of(polls(server) == 200, "a machine is answered"));
        }
        return findings;
    }

    /** As a machine of the demo fleet. */
    private static int polls(ForewarnProcess server) throws IOException {
        try (KeptAliveConnection machine = new KeptAliveConnection("127.0.0.1", server.port())) {
            return machine.ask(ForewarnProcess.POLL).status();
        }
    }

    private static String file(int upload, int from, int count) {
        StringBuilder file = new StringBuilder();
        for (int m = from; m < from + count; m++) {
            file.append("{\"machine\":{\"name\":\"f")
                    .append(upload)
                    .append('-')
                    .append(m)
                    .append("\"}}\n");
        }
        return file.toString();
    }

    private static String grouped(int upload, int count) {
        StringBuilder file = new StringBuilder();
        for (int g = 0; g < count / PER_GROUP; g++) {
            file.append("{\"group\":{\"name\":\"o")
                    .append(upload)
                    .append('-')
                    .append(g)
                    .append("\"}}\n");
        }
        for (int m = 0; m < count; m++) {
            file.append("{\"machine\":{\"name\":\"o").append(upload).append('-').append(m);
            file.append("\",\"group\":\"o")
                    .append(upload)
                    .append('-')
                    .append(m / PER_GROUP)
                    .append("\"}}\n");
        }
        return file.toString();
    }
}
