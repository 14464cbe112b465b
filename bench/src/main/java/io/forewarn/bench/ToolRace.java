package io.forewarn.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What somebody sees who tests a handler: how soon it answers, and how many answers a second. */
final class ToolRace {
    private static final long LONGEST_START = 60_000_000_000L;
    private final Place place;
    private int starts;

    ToolRace(Place place) {
        this.place = place;
    }

    Finding measure() throws IOException {
        Figures ourStart = new Figures();
        Figures theirStart = new Figures();
        Figures ours = new Figures();
        Figures theirs = new Figures();
        Figures ourMicros = new Figures();
        Figures theirMicros = new Figures();
        Line.Answer document;
        try (Forewarn warm = demo()) { // The first start builds, if it must.
            document = awaitPoll(warm, warm.port());
        }
        for (int round = 0; round < place.rounds(7); round++) {
            long began = System.nanoTime();
            try (Forewarn forewarn = demo()) {
                awaitPoll(forewarn, forewarn.port());
                ourStart.add((System.nanoTime() - began) / 1e6);
            }
            began = System.nanoTime();
            try (WireMock wireMock = WireMock.launch(place, document.body())) {
                awaitPoll(wireMock, wireMock.port());
                theirStart.add((System.nanoTime() - began) / 1e6);
            }
        }
        int seconds = place.seconds(6);
        try (Forewarn forewarn = demo();
                WireMock wireMock = WireMock.launch(place, document.body())) {
            awaitPoll(forewarn, forewarn.port());
            awaitPoll(wireMock, wireMock.port());
            // Both are compiled as they run, WireMock for longer: neither is measured before it has got as fast as it
            // gets.
            for (int warm = 0; warm < place.rounds(6); warm++) {
                Wrk.run(forewarn.port(), seconds);
                Wrk.run(wireMock.port(), seconds);
            }
            for (int round = 0; round < place.rounds(5); round++) {
                load(forewarn, forewarn.port(), ours, ourMicros);
                load(wireMock, wireMock.port(), theirs, theirMicros);
            }
        }
        List<Row> rows = new ArrayList<>();
        rows.add(Row.atLeast(
                "a test tool's answers: same stub in WireMock",
                "≥ 5 × its requests per second",
                ours.median() / theirs.median(),
                5,
                " ×"));
        rows.add(Row.atMost(
                "a test tool's start, process start to first 200",
                "≤ 0.5 × WireMock's time to ready",
                ourStart.median() / theirStart.median(),
                0.5,
                " ×"));
        rows.add(Row.plain(
                "time to ready of `./forewarn serve`, demo fleet, new store", Row.number(ourStart.median()) + " ms"));
        String how =
                "`./forewarn serve --profile test` with the demo fleet and a new store each time, and WireMock standalone with"
                        + " the idle document as its stub (path, query and header matched; request journal and log off), in turn. Time to"
                        + " ready is from starting the process to the first 200 on a poll, asked every 2 ms; `./forewarn` was built"
                        + " before. Requests per second: wrk, one thread, 64 connections, in turn, after six runs each to warm up; wrk and server share the processors, so that wrk holds back the faster one.\n\n"
                        + "| | Forewarn | WireMock |\n|---|---|---|\n"
                        + "| time to ready | " + ourStart.spread(" ms") + " | " + theirStart.spread(" ms") + " |\n"
                        + "| requests per second | " + ours.spread("") + " | " + theirs.spread("") + " |\n"
                        + "| CPU per request | " + ourMicros.spread(" µs") + " | " + theirMicros.spread(" µs") + " |";
        return new Finding("A tool for tests", rows, how);
    }

    private void load(Running server, int port, Figures perSecond, Figures micros) throws IOException {
        double before = server.cpuMicros();
        Wrk run = Wrk.run(port, place.seconds(6));
        micros.add((server.cpuMicros() - before) / run.requests());
        perSecond.add(run.perSecond());
    }

    private Forewarn demo() throws IOException {
        String store = Forewarn.store(place.folder("demo").resolve("store-" + starts++));
        return Forewarn.launch(place, "", "--profile", "test", "--store", store);
    }

    private static Line.Answer awaitPoll(Running server, int port) throws IOException {
        Ready.await(server, port, Forewarn.POLL, LONGEST_START);
        try (Line line = new Line("127.0.0.1", port)) {
            return line.ask(Forewarn.POLL).expect(200);
        }
    }
}
