package io.forewarn.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What somebody sees who tests a handler: how soon it answers, and how many answers a second. */
final class ToolRace {
    private static final long LONGEST_START = 60_000_000_000L;
    private final BenchSetup setup;
    private int starts;

    ToolRace(BenchSetup setup) {
        this.setup = setup;
    }

    Finding measure() throws IOException {
        Measurements ourStart = new Measurements();
        Measurements theirStart = new Measurements();
        Measurements ours = new Measurements();
        Measurements theirs = new Measurements();
        Measurements ourMicros = new Measurements();
        Measurements theirMicros = new Measurements();
        KeptAliveConnection.Answer document;
        try (ForewarnProcess warm = demo()) { // The first start builds, if it must.
            document = awaitPoll(warm, warm.port());
        }
        for (int round = 0; round < setup.rounds(7); round++) {
            long began = System.nanoTime();
            try (ForewarnProcess forewarnProcess = demo()) {
                awaitPoll(forewarnProcess, forewarnProcess.port());
                ourStart.add((System.nanoTime() - began) / 1e6);
            }
            began = System.nanoTime();
            try (WireMockProcess wireMockProcess = WireMockProcess.launch(setup, document.body())) {
                awaitPoll(wireMockProcess, wireMockProcess.port());
                theirStart.add((System.nanoTime() - began) / 1e6);
            }
        }
        int seconds = setup.seconds(6);
        try (ForewarnProcess forewarnProcess = demo();
                WireMockProcess wireMockProcess = WireMockProcess.launch(setup, document.body())) {
            awaitPoll(forewarnProcess, forewarnProcess.port());
            awaitPoll(wireMockProcess, wireMockProcess.port());
            // Both are compiled as they run, WireMock for longer: neither is measured before it has got as fast as it
            // gets.
            for (int warm = 0; warm < setup.rounds(6); warm++) {
                Wrk.run(forewarnProcess.port(), seconds);
                Wrk.run(wireMockProcess.port(), seconds);
            }
            for (int round = 0; round < setup.rounds(5); round++) {
                load(forewarnProcess, forewarnProcess.port(), ours, ourMicros);
                load(wireMockProcess, wireMockProcess.port(), theirs, theirMicros);
            }
        }
        List<ReportRow> rows = new ArrayList<>();
        rows.add(ReportRow.atLeast(
                "requests per second, compared with the same stub in WireMock",
                "≥ 5 × WireMock",
                ours.median() / theirs.median(),
                5,
                " ×"));
        rows.add(ReportRow.atMost(
                "startup, from process start to first 200",
                "≤ 0.5 × WireMock",
                ourStart.median() / theirStart.median(),
                0.5,
                " ×"));
        rows.add(ReportRow.plain(
                "time to ready of `./forewarn serve`, demo fleet, new store",
                ReportRow.number(ourStart.median()) + " ms"));
        String how = "`./forewarn serve --profile test`, with the demo fleet and a new store each time, is measured"
                + " alternately with WireMock standalone. WireMock's stub matches path, query and header and returns a"
                + " document without events; its request journal and log are off. Time to ready is measured from the start"
                + " of the process to the first poll answered with 200, with a poll every 2 ms; `./forewarn` was built"
                + " beforehand. Requests per second are measured with wrk (one thread, 64 connections), alternately, after"
                + " six warm-up runs of each. wrk and the server share the processors, so wrk limits the faster server.\n\n"
                + "| | Forewarn | WireMock |\n|---|---|---|\n"
                + "| time to ready | " + ourStart.spread(" ms") + " | " + theirStart.spread(" ms") + " |\n"
                + "| requests per second | " + ours.spread("") + " | " + theirs.spread("") + " |\n"
                + "| CPU per request | " + ourMicros.spread(" µs") + " | " + theirMicros.spread(" µs") + " |";
        return new Finding("As a test tool", rows, how);
    }

    private void load(ChildProcess server, int port, Measurements perSecond, Measurements micros) throws IOException {
        double before = server.cpuMicros();
        Wrk run = Wrk.run(port, setup.seconds(6));
        micros.add((server.cpuMicros() - before) / run.requests());
        perSecond.add(run.perSecond());
    }

    private ForewarnProcess demo() throws IOException {
        String store = ForewarnProcess.store(setup.folder("demo").resolve("store-" + starts++));
        return ForewarnProcess.launch(setup, "", "--profile", "test", "--store", store);
    }

    private static KeptAliveConnection.Answer awaitPoll(ChildProcess server, int port) throws IOException {
        ReadinessProbe.await(server, port, ForewarnProcess.POLL, LONGEST_START);
        try (KeptAliveConnection connection = new KeptAliveConnection("127.0.0.1", port)) {
            return connection.ask(ForewarnProcess.POLL).expect(200);
        }
    }
}
