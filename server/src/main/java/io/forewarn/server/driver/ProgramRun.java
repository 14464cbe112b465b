package io.forewarn.server.driver;

import io.forewarn.wire.control.TemporaryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** One run of the operator's program: its arguments and a verb, JSON on its standard input, a limit to its time. */
final class ProgramRun {
    private static final long GLANCE_MILLIS = 100;
    // At the end only: before it stands the program's name, which may be anything.
    private static final Pattern PASSING = Pattern.compile("(error[=:] ?(11|12|23|24|26)\\b[^:\"]*"
            + "|: (Too many open files( in system)?|Resource temporarily unavailable|Cannot allocate memory))$");

    /** How a run ended. */
    enum Ending {
        EXITED,
        TIMED_OUT,
        NOT_STARTED,
        /** It was not started because it may not be any more. */
        NOT_PERMITTED,
        /** It was not started because the machine had no room for it just then. */
        NO_ROOM
    }

    /**
     * @param word what it wrote to standard output, without the space around it
     * @param complaint its last lines on standard error
     * @param detail a sentence about anything but success
     */
    record Result(Ending ending, int exit, String word, String complaint, String detail) {
        boolean succeeded() {
            return ending == Ending.EXITED && exit == 0;
        }
    }

    /** What every program needs. All else may be a secret of the service. */
    private static final Set<String> ENVIRONMENT = Set.of("PATH", "HOME", "LANG", "TZ");

    private final List<String> argv;
    private final Set<String> environment = new HashSet<>(ENVIRONMENT);
    private final String verb;
    private final Duration limit;
    private final LongSupplier elapsed;

    ProgramRun(DriverSettings.Program program, String verb, Duration limit, LongSupplier elapsed) {
        this.argv = new ArrayList<>(program.argv());
        this.environment.addAll(program.environment());
        this.argv.add(verb);
        this.verb = verb;
        this.limit = limit;
        this.elapsed = elapsed;
    }

    /**
     * Waits for the end. Interrupted, it leaves the program running: the work belongs to the machine, not to us.
     *
     * @param input what it reads, given when its permit ends
     * @param permit asked for that, and once more when all is ready for the start: it may have waited its turn for long, or the
     *     whole process may have been asleep in between
     */
    Result run(Function<Instant, byte[]> input, Supplier<StartPermit> permit) throws InterruptedException {
        try (ProgramOutput out = new ProgramOutput();
                ProgramOutput err = new ProgramOutput()) {
            Process process;
            try {
                process = start(input, permit, out, err);
            } catch (IOException e) {
                return notStarted(e);
            }
            if (process == null) {
                return new Result(Ending.NOT_PERMITTED, -1, "", "", name() + " may not be run any more");
            }
            return watch(process, out, err);
        } catch (IOException e) {
            // Perhaps it ran: never for want of room, which would have it run again.
            return new Result(Ending.NOT_STARTED, -1, "", "", name() + " could not be run: " + e.getMessage());
        }
    }

    private Result notStarted(IOException e) {
        Ending ending = passes(e) ? Ending.NO_ROOM : Ending.NOT_STARTED;
        return new Result(ending, -1, "", "", name() + " could not be run: " + e.getMessage());
    }

    /** Descriptors, processes or memory ran out, or the program is being written: later it may be different. */
    static boolean passes(IOException failure) {
        return failure.getMessage() != null
                && PASSING.matcher(failure.getMessage()).find();
    }

    /** Null if it may not be started. */
    private Process start(
            Function<Instant, byte[]> input, Supplier<StartPermit> permit, ProgramOutput out, ProgramOutput err)
            throws IOException {
        StartPermit given = permit.get();
        if (!given.given()) {
            return null;
        }
        Path in = Files.createTempFile(TemporaryFiles.prefix(), ".json");
        try {
            Files.write(in, input.apply(given.until()));
            ProcessBuilder program = new ProcessBuilder(argv)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.redirect())
                    .redirectError(err.redirect());
            program.environment().keySet().retainAll(environment);
            return permit.get().given() ? program.start() : null;
        } finally {
            discard(in);
        }
    }

    /** The program may be running by now: a file that stays behind says nothing about it. */
    static void discard(Path input) {
        try {
            Files.deleteIfExists(input);
        } catch (IOException itStaysBehind) {
            // In the temporary folder, readable by this user only.
        }
    }

    private Result watch(Process process, ProgramOutput out, ProgramOutput err) throws InterruptedException {
        out.unlink();
        err.unlink();
        long begun = elapsed.getAsLong();
        while (!process.waitFor(GLANCE_MILLIS, TimeUnit.MILLISECONDS)) {
            out.bound();
            err.bound();
            if (elapsed.getAsLong() - begun >= limit.toNanos()) {
                kill(process);
                String took = " took longer than " + limit.toSeconds() + " s and was killed";
                return new Result(Ending.TIMED_OUT, -1, "", err.lastLines(), name() + took + said(out, err));
            }
        }
        int exit = process.exitValue();
        String detail = name() + " ended with " + exit + said(out, err);
        return new Result(Ending.EXITED, exit, out.end().strip(), err.lastLines(), detail);
    }

    private static String said(ProgramOutput out, ProgramOutput err) {
        String lines = err.lastLines();
        if (lines.isEmpty()) {
            lines = out.lastLines();
        }
        return lines.isEmpty() ? "" : ": " + lines;
    }

    private static void kill(Process process) throws InterruptedException {
        // Listed before the parent dies: afterwards nobody knows whose children they were.
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
    }

    private String name() {
        return "'" + argv.get(0) + " " + verb + "'";
    }
}
