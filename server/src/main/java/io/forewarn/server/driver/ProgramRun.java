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

/** Runs the operator's program once: with its arguments and a verb, JSON on its standard input, and a time limit. */
final class ProgramRun {
    private static final long GLANCE_MILLIS = 100;
    // Matched only at the end: the program's name before it may be anything.
    private static final Pattern PASSING = Pattern.compile("(error[=:] ?(11|12|23|24|26)\\b[^:\"]*"
            + "|: (Too many open files( in system)?|Resource temporarily unavailable|Cannot allocate memory))$");

    /** How a run ended. */
    enum Ending {
        EXITED,
        TIMED_OUT,
        NOT_STARTED,
        /** It was not started because the permit has ended. */
        NOT_PERMITTED,
        /** It was not started because the machine lacked resources at that moment. */
        NO_ROOM
    }

    /**
     * @param word its standard output, trimmed
     * @param complaint its last lines on standard error
     * @param detail a message, unless it succeeded
     */
    record Result(Ending ending, int exit, String word, String complaint, String detail) {
        boolean succeeded() {
            return ending == Ending.EXITED && exit == 0;
        }
    }

    /** What every program needs. Other variables may be secrets of the service. */
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
     * Waits for the end. When interrupted, it leaves the program running.
     *
     * @param input creates the program's input, from the end of the permit
     * @param permit checked first, and again right before the start: the task may have waited for long, or the
     *     whole process may have been suspended in between
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
            // It may have run, so this is never reported as lack of resources, which would run it again.
            return new Result(Ending.NOT_STARTED, -1, "", "", name() + " could not be run: " + e.getMessage());
        }
    }

    private Result notStarted(IOException e) {
        Ending ending = passes(e) ? Ending.NO_ROOM : Ending.NOT_STARTED;
        return new Result(ending, -1, "", "", name() + " could not be run: " + e.getMessage());
    }

    /** Whether the failure is temporary: no descriptors, processes or memory left, or the program file is being written. */
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

    /** The program may already be running, so a failure to delete its input must not matter. */
    static void discard(Path input) {
        try {
            Files.deleteIfExists(input);
        } catch (IOException itStaysBehind) {
            // It stays in the temporary directory, readable only by this user.
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
                return new Result(Ending.TIMED_OUT, -1, "", err.lastLines(), name() + took + output(out, err));
            }
        }
        int exit = process.exitValue();
        String detail = name() + " ended with " + exit + output(out, err);
        return new Result(Ending.EXITED, exit, out.end().strip(), err.lastLines(), detail);
    }

    private static String output(ProgramOutput out, ProgramOutput err) {
        String lines = err.lastLines();
        if (lines.isEmpty()) {
            lines = out.lastLines();
        }
        return lines.isEmpty() ? "" : ": " + lines;
    }

    private static void kill(Process process) throws InterruptedException {
        // Listed before the parent ends: afterwards its children cannot be found.
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
    }

    private String name() {
        return "'" + argv.get(0) + " " + verb + "'";
    }
}
