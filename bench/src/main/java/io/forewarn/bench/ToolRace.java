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
        int seconds = place.seconds(5);
        try (Forewarn forewarn = demo();
                WireMock wireMock = WireMock.launch(place, document.body())) {
            awaitPoll(forewarn, forewarn.port());
            awaitPoll(wireMock, wireMock.port());
            Wrk.run(forewarn.port(), 2 * seconds);
            Wrk.run(wireMock.port(), 2 * seconds);
            for (int round = 0; round < place.rounds(5); round++) {
                ours.add(Wrk.run(forewarn.port(), seconds).perSecond());
                theirs.add(Wrk.run(wireMock.port(), seconds).perSecond());
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
                        + " before. Requests per second: wrk, one thread, 64 connections, after a warm-up of twice a run.\n\n"
                        + "| | Forewarn | WireMock |\n|---|---|---|\n"
                        + "| time to ready | " + ourStart.spread(" ms") + " | " + theirStart.spread(" ms") + " |\n"
                        + "| requests per second | " + ours.spread("") + " | " + theirs.spread("") + " |";
        return new Finding("A tool for tests", rows, how);
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
