package io.forewarn.bench.attack;

import io.forewarn.bench.BenchSetup;
import io.forewarn.bench.ForewarnProcess;
import io.forewarn.bench.KeptAliveConnection;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.PlanBody;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** An owner takes the addresses of machines that are not its own, and the hosts that others are on. */
final class StolenPlaces implements Attack {
    private static final String BANK = "127.7.0.1";
    private static final String FREE = "127.7.0.2";

    private static int addresses(boolean quick) {
        return quick ? 50 : 5_000;
    }

    @Override
    public String name() {
        return "stolen-places";
    }

    @Override
    public String tried(boolean quick) {
        return "one owner names " + addresses(quick)
                + " addresses it was not given, free and taken ones, places machines of two domains on another's host and asks for a year of notice";
    }

    @Override
    public List<AttackFinding> run(BenchSetup setup) throws Exception {
        List<AttackFinding> findings = new ArrayList<>();
        try (ForewarnProcess server = ForewarnProcess.start(
                setup, "-Xmx512m", "--profile", "test", "--store", ForewarnProcess.store(setup.folder("store")))) {
            OwnerClient operator = OwnerClient.operator(server);
            OwnerClient thief = OwnerClient.of(server, "thief");
            operator.ask(
                            Route.FLEET_APPLY,
                            List.of(),
                            "machines:\n  - {name: vault, tenant: bank, host: bank-1, addresses: [" + BANK + "]}\n")
                    .expect(200);
            operator.ask(
                            Route.TENANT_SET,
                            List.of("thief"),
                            "{\"addresses\":[\"127.9.0.0/24\"],\"hosts\":[\"thief-*\"]}")
                    .expect(200);

            int taken = 0;
            for (int i = 1; i <= addresses(setup.quick()); i++) {
                String address = i == 1 ? BANK : i == 2 ? FREE : "127.7." + (i >> 8) + "." + (i & 255);
                String body = "{\"addresses\":[\"" + address + "\"]}";
                taken += thief.status(Route.MACHINE_PUT, List.of("m" + i), body) == 403 ? 0 : 1;
            }
            findings.add(AttackFinding.of(taken == 0, "addresses taken: %d", taken));
            findings.add(AttackFinding.of(
                    polls(server, FREE) == 403 && polls(server, BANK) == 200,
                    "who asks from them is a stranger, and the bank's machine itself"));

            thief.ask(Route.GROUP_PUT, List.of("g"), "{\"kind\":\"availability-set\",\"updateDomains\":2}")
                    .expect(200);
            int placed = 0;
            for (int domain = 0; domain < 2; domain++) {
                String body = "{\"group\":\"g\",\"updateDomain\":" + domain + ",\"host\":\"bank-1\"}";
                placed += thief.status(Route.MACHINE_PUT, List.of("squat-" + domain), body) == 403 ? 0 : 1;
            }
            findings.add(AttackFinding.of(placed == 0, "machines placed on the bank's host: %d", placed));
            findings.add(AttackFinding.of(
                    thief.status(Route.POLICY_SET, List.of(), "{\"notice\":\"365d\"}") == 403,
                    "a notice of a year is refused"));
            byte[] plan = operator.ask(
                            Route.ROLLOUT_PLAN,
                            List.of(),
                            "{\"name\":\"r\",\"type\":\"reboot\",\"hosts\":[\"bank-1\"]}")
                    .expect(200)
                    .body();
            findings.add(AttackFinding.of(
                    Json.answer(PlanBody.class, plan).blocked().isEmpty(), "work on the bank's host is not blocked"));
            findings.add(AttackFinding.of(
                    thief.status(
                                    Route.MACHINE_PUT,
                                    List.of("own"),
                                    "{\"host\":\"thief-1\",\"addresses\":[\"127.9.0.1\"]}")
                            == 200,
                    "what it was given it may use"));
        }
        return findings;
    }

    private static int polls(ForewarnProcess server, String from) throws IOException {
        try (KeptAliveConnection machine = new KeptAliveConnection(from, server.port())) {
            return machine.ask(ForewarnProcess.POLL).status();
        }
    }
}
