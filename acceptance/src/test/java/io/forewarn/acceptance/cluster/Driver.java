package io.forewarn.acceptance.cluster;

import io.forewarn.acceptance.faults.Ledger;
import io.forewarn.acceptance.faults.LedgerCheck;
import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * The program nodes carry work out with. It writes a line for every call, and carries a task out only if it was not told
 * before, nor has said that it was not: a file per attempt says which came first, and only one caller can make it.
 */
final class Driver {
    /** A call that was answered so: {@code did}, {@code again} or {@code too-late} a start, the word it said a status. */
    private record Call(String verb, String event, int attempt, double uptime, String answer) {
        static Call parse(String line) {
            String[] words = line.split(" ");
            return new Call(words[0], words[1], Integer.parseInt(words[2]), Double.parseDouble(words[3]), words[4]);
        }

        String task() {
            return event + " attempt " + attempt;
        }
    }

    /** How finely the machine says how long it has been up. */
    private static final long GRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Path folder;
    private final long upNanos;

    Driver(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        upNanos = System.nanoTime()
                - nanos(Double.parseDouble(
                        Files.readString(Path.of("/proc/uptime")).split(" ")[0]));
        Files.createDirectories(folder.resolve("claims"));
        Files.createDirectories(folder.resolve("done"));
        Files.createFile(folder.resolve("calls"));
        Files.writeString(program(), script());
        Files.setPosixFilePermissions(program(), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }

    private Path program() {
        return folder.resolve("program");
    }

    private String script() {
        return String.join(
                "\n",
                "#!/bin/sh",
                "unset LD_PRELOAD # Clocks that jump are the nodes'.",
                "cd '" + folder + "' || exit 70",
                "IFS= read -r task",
                "id=${task#*\\\"EventId\\\":\\\"}; id=${id%%\\\"*}",
                "attempt=${task#*\\\"Attempt\\\":}; attempt=${attempt%%,*}",
                "claim=claims/$id.$attempt",
                "verb=$1",
                "# Whoever is first makes the file; all see what it says.",
                "first() {",
                "  set -C; { echo $1 > $claim; } 2> /dev/null; made=$?; set +C",
                "  while [ ! -s $claim ]; do sleep 0.01; done",
                "  read -r was < $claim",
                "  return $made",
                "}",
                "note() { read -r up idle < /proc/uptime; echo \"$verb $id $attempt $up $1\" >> calls; }",
                "case $verb in",
                "start)",
                "  if first told; then note did; sleep 0.3; : > done/$id",
                "  elif [ $was = told ]; then note again; exit 75",
                "  else note too-late; exit 75; fi;;",
                "status)",
                "  if first denied || [ $was = denied ]; then said=unknown",
                "  elif [ -e done/$id ]; then said=done",
                "  else said=running; fi",
                "  note $said",
                "  echo $said;;",
                "esac",
                "");
    }

    void drives(Server node) {
        node.set("driver.kind", "command")
                .set("driver.command.argv", program().toString())
                .set("driver.command.status-interval", "200ms")
                .set("driver.command.concurrency", "4");
    }

    private List<Call> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls")).stream()
                .map(Call::parse)
                .toList();
    }

    /** What it was told so far; to be asked before the nodes are asked what they have written down. */
    Heard heard() throws IOException {
        return new Heard(calls());
    }

    /** Calls, to be held against what callers were promised and what nodes have written down. */
    final class Heard {
        private final List<Call> calls;

        private Heard(List<Call> calls) {
            this.calls = calls;
        }

        long count(String answer) {
            return calls.stream().filter(call -> call.answer().equals(answer)).count();
        }

        void judge(ClusterLedger clusterLedger, LedgerCheck ledgerCheck) {
            Ledger ledger = clusterLedger.ledger();
            Set<String> carriedOut = new HashSet<>();
            Set<String> denied = new HashSet<>();
            for (Call call : calls) {
                if (call.answer().equals("unknown")) {
                    denied.add(call.task());
                } else if (call.answer().equals("again")) {
                    ledger.violated("the driver was told twice to start " + call.task());
                } else if (call.answer().equals("did")) {
                    if (!carriedOut.add(call.event())) {
                        ledger.violated("the driver carried out twice " + call.event() + ": " + of(call.event()));
                    }
                    if (call.attempt() > 1 && !denied.contains(call.event() + " attempt " + (call.attempt() - 1))) {
                        ledger.violated("the driver was told again to start " + call.event()
                                + " although it knew of it: " + of(call.event()));
                    }
                    if (!ledgerCheck.hasStarted(call.event())) {
                        ledger.violated("the driver carried out " + call.event() + ", which has not started: "
                                + ledgerCheck.life(call.event()));
                    }
                    clusterLedger.startedAt(call.event(), upNanos + nanos(call.uptime()) + GRAIN_NANOS);
                }
            }
        }

        /** When all is over: what has started was carried out, and ended well. */
        void judgeTheEnd(Ledger ledger, LedgerCheck ledgerCheck) {
            Set<String> missing = new TreeSet<>(ledgerCheck.started());
            calls.stream().filter(call -> call.answer().equals("did")).forEach(call -> missing.remove(call.event()));
            missing.forEach(id -> ledger.violated("the driver was never told of " + id + ": " + ledgerCheck.life(id)));
            ledgerCheck
                    .failed()
                    .forEach(id -> ledger.violated(
                            id + " failed, which no task does: " + ledgerCheck.life(id) + ", told was " + of(id)));
        }

        private List<Call> of(String event) {
            return calls.stream().filter(call -> call.event().equals(event)).toList();
        }
    }
}
