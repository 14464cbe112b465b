package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How long until a machine can read what an operator scheduled, beside the store's own durable commit. */
final class Visibility {
    private final BenchSetup setup;

    Visibility(BenchSetup setup) {
        this.setup = setup;
    }

    Finding measure() throws IOException, StoreException {
        int times = setup.quick() ? 150 : 2000;
        int warm = times / 4;
        Path work = setup.folder("visible");
        FleetFile fleet = FleetFile.write(work.resolve("fleet.jsonl"), 1000, 10);
        CapturedCommits capturedCommits = new CapturedCommits(fleet);
        Measurements visible = new Measurements();
        Measurements durable = new Measurements();
        try (ForewarnProcess forewarnProcess = ForewarnProcess.start(
                        setup,
                        "",
                        "--fleet",
                        fleet.file().toString(),
                        "--store",
                        ForewarnProcess.store(work.resolve("store")),
                        "--profile",
                        "test");
                KeptAliveConnection machine = new KeptAliveConnection(FleetFile.address(0), forewarnProcess.port());
                BareStore bare = new BareStore(work.resolve("bare"))) {
            bare.fill(capturedCommits.rows());
            for (int i = 0; i < warm + times; i++) {
                double shown = schedule(forewarnProcess, machine);
                double committed = commit(capturedCommits, bare);
                if (i >= warm) {
                    visible.add(shown);
                    durable.add(committed);
                }
            }
        }
        return new Finding(
                "From request to visible",
                List.of(ReportRow.atMost(
                        "from the request until the event is visible to the next poll, one event at a time",
                        "p99 ≤ 2 × p99 of a durable commit of the store",
                        visible.quantile(0.99) / durable.quantile(0.99),
                        2,
                        " ×")),
                String.format("%,d", times)
                        + " times, after a warm-up, a restart is requested over the control API; after the answer, the machine"
                        + " polls until it sees the event. The time is measured from the first byte of the request until the machine"
                        + " sees the event. Alternating with these requests, the same rows are committed to a second SQLite store on"
                        + " the same disk. In both cases, each event is cancelled before the next one is scheduled.\n\n| | median |"
                        + " p99 |\n|---|---|---|\n| from request to visible | "
                        + ReportRow.number(visible.median()) + " ms | " + ReportRow.number(visible.quantile(0.99))
                        + " ms |\n| durable commit | " + ReportRow.number(durable.median()) + " ms | "
                        + ReportRow.number(durable.quantile(0.99)) + " ms |");
    }

    private static double schedule(ForewarnProcess forewarnProcess, KeptAliveConnection machine) throws IOException {
        String before = machine.ask(ForewarnProcess.POLL).expect(200).headers().get("etag");
        long began = System.nanoTime();
        KeptAliveConnection.Answer scheduled = forewarnProcess.control(
                Route.MACHINE_ACTION, List.of(FleetFile.machine(0), "restart"), "{\"notice\":\"12h\"}".getBytes(UTF_8));
        String after;
        do {
            after = machine.ask(ForewarnProcess.POLL).expect(200).headers().get("etag");
        } while (after.equals(before));
        double millis = (System.nanoTime() - began) / 1e6;
        CommandResultBody outcome =
                Json.answer(CommandResultBody.class, scheduled.expect(200).body());
        forewarnProcess
                .control(Route.EVENT_CANCEL, List.of(outcome.events().get(0).id()), new byte[0])
                .expect(200);
        return millis;
    }

    private static double commit(CapturedCommits capturedCommits, BareStore bare) throws StoreException {
        List<CommandResult> answers = new ArrayList<>();
        List<Commit> scheduled = capturedCommits.commits(List.of(CapturedCommits.restart(0)), answers);
        List<Commit> cancelled = capturedCommits.commits(List.of(CapturedCommits.cancel(answers.get(0))), answers);
        double millis = bare.commit(scheduled.get(0)) / 1e6;
        bare.commit(cancelled.get(0));
        return millis;
    }
}
