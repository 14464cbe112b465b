package io.forewarn.server.driver;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.event.Cause;
import io.forewarn.core.fleet.ValidationProblem;
import io.forewarn.core.rules.Command.Told;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.wire.driver.TaskJson;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandDriverTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    /** With what a shell adds of its own. */
    private static final Set<String> BASIC = Set.of("PATH", "HOME", "LANG", "TZ", "PWD", "OLDPWD", "SHLVL", "_");

    private static final Duration SHORT = Duration.ofMillis(300);

    private final ReportListener engine = new ReportListener();
    private final List<CommandDriver> open = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        open.forEach(CommandDriver::close);
    }

    @Test
    void theProgramIsGivenTheVerbAndTheEventAndItsSuccessIsReported() throws Exception {
        CommandDriver driver = driver("echo \"$# $1 $2\" > args; cat > input", LONG, 1);

        driver.start(SampleTasks.of(Cause.RESTART, 1));

        assertEquals(new Told(SampleTasks.of(Cause.RESTART, 1).event().id(), 1, DriverReport.DONE, ""), any());
        assertEquals("2 an 'argument' with; spaces start", read("args"));
        assertEquals(
                new String(TaskJson.bytes(SampleTasks.of(Cause.RESTART, 1), null), StandardCharsets.UTF_8),
                read("input"));
    }

    @Test
    void aFailureIsReportedWithTheProgramsLastLines() throws Exception {
        CommandDriver driver = driver("seq 1 50000 >&2; echo disk is on fire >&2; exit 3", LONG, 1);

        driver.start(SampleTasks.of(Cause.RESTART, 1));

        Told told = any();
        assertEquals(DriverReport.FAILED, told.report());
        assertEquals(
                "'" + folder.resolve("program")
                        + " start' ended with 3: 49997 | 49998 | 49999 | 50000 | disk is on fire",
                told.detail());
    }

    @Test
    void aProgramThatTakesTooLongIsKilledWithItsChildren() throws Exception {
        DriverSettings.Program settings =
                settings(program("sleep 600 & echo $! > child.new; mv child.new child; wait"), LONG, 1);
        // Its time is up as soon as it has a child, and not before; however late the clock is first read.
        AtomicLong clock = new AtomicLong();
        CommandDriver driver = new CommandDriver(
                settings,
                engine::submit,
                () -> Files.exists(folder.resolve("child")) ? clock.addAndGet(LONG.toNanos()) : 0,
                () -> StartPermit.ALWAYS);
        open.add(driver);

        driver.start(SampleTasks.of(Cause.RESTART, 1));

        assertEquals(DriverReport.TIMED_OUT, any().report());
        long child = Long.parseLong(read("child"));
        eventually(() -> ProcessHandle.of(child).map(h -> !h.isAlive()).orElse(true));
    }

    @Test
    void aMissingProgramFailsTheWorkAndIsFoundAtTheStartOfTheService() throws Exception {
        CommandDriver driver = open(settings(List.of("/no/such/program"), LONG, 1));

        driver.start(SampleTasks.of(Cause.RESTART, 1));

        Told told = any();
        assertEquals(DriverReport.FAILED, told.report());
        assertTrue(told.detail().startsWith("'/no/such/program start' could not be run: "), told.detail());
        assertEquals(
                List.of(new ValidationProblem(0, "the command driver's program /no/such/program does not exist")),
                driver.check());
    }

    @Test
    void aProgramThatCannotBeStartedJustNowIsStartedLater() throws Exception {
        List<String> argv = program("echo once >> runs");
        // While somebody writes to it the system refuses to run it. The clock is read again only after that.
        OutputStream writing = Files.newOutputStream(folder.resolve("program"), StandardOpenOption.APPEND);
        AtomicLong reads = new AtomicLong();
        CommandDriver driver = new CommandDriver(
                settings(argv, LONG, 1),
                engine::submit,
                () -> {
                    if (reads.incrementAndGet() == 2) {
                        close(writing);
                    }
                    return 0;
                },
                () -> StartPermit.ALWAYS);
        open.add(driver);

        driver.start(SampleTasks.of(Cause.RESTART, 1));

        assertEquals(DriverReport.DONE, any().report());
        assertEquals("once", read("runs"));
    }

    @Test
    void wantOfRoomIsKnownByTheErrorAndNotByTheProgramsName() {
        for (String passing : List.of(
                "Cannot run program \"a\": error=24, Too many open files",
                "Cannot run program \"a\": error=11, Resource temporarily unavailable",
                "Cannot run program \"a\": error=12, Cannot allocate memory",
                "Cannot run program \"a\": Exec failed, error: 24 (Too many open files) ",
                "/tmp/forewarn-1.json: Too many open files")) {
            assertTrue(ProgramRun.passes(new IOException(passing)), passing);
        }
        for (String lasting : List.of(
                "Cannot run program \"a\": error=2, No such file or directory",
                "Cannot run program \"a\": error=13, Permission denied",
                "Cannot run program \"/x/error=24\": error=2, No such file or directory",
                "Cannot run program \"/x: Too many open files\": error=2, No such file or directory")) {
            assertFalse(ProgramRun.passes(new IOException(lasting)), lasting);
        }
    }

    private static void close(OutputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theCheckFindsAProgramOnThePathAndOneThatMayNotBeExecuted() throws Exception {
        Path file = Files.writeString(folder.resolve("plain"), "text");

        assertEquals(List.of(), open(settings(List.of("sh"), LONG, 1)).check());
        assertEquals(
                1,
                open(settings(List.of("no-such-program-anywhere"), LONG, 1))
                        .check()
                        .size());
        assertEquals(
                1, open(settings(List.of(file.toString()), LONG, 1)).check().size());
    }

    @Test
    void eachStatusIsReported() throws Exception {
        assertEquals(DriverReport.DONE, statusSays("echo done"));
        assertEquals(DriverReport.UNKNOWN, statusSays("echo ' Unknown '"));
        assertEquals(DriverReport.FAILED, statusSays("echo failed"));
    }

    @Test
    void workThatRunsIsAdoptedAndAskedAgainUntilItEnds() throws Exception {
        CommandDriver driver = driver("echo x >> asked; [ -e over ] && echo done || echo running", LONG, 1);

        driver.status(SampleTasks.of(Cause.RESTART, 1, 4));
        engine.await(told -> told.report() == DriverReport.RUNNING);
        eventually(() -> read("asked").length() >= 5);
        Files.createFile(folder.resolve("over"));

        assertEquals(4, engine.await(told -> told.report() == DriverReport.DONE).attempt());
        assertEquals(2, engine.taken().size());
    }

    @Test
    void adoptedWorkHasATimeLimitToo() throws Exception {
        driver("echo running", SHORT, 1).status(SampleTasks.of(Cause.RESTART, 1));

        engine.await(told -> told.report() == DriverReport.TIMED_OUT);
    }

    @Test
    void aStatusWithoutAResponseIsRetriedAndNeverTreatedAsUnknown() throws Exception {
        CommandDriver driver = driver(
                "n=$(cat n 2>/dev/null); echo x$n > n; case $n in '') exit 1;; x) echo unknown; exit 2;; "
                        + "xx) ;; xxx) echo perhaps;; *) echo done;; esac",
                LONG,
                1);

        driver.status(SampleTasks.of(Cause.RESTART, 1));

        assertEquals(DriverReport.DONE, any().report());
        assertEquals("xxxxx", read("n"));
        assertEquals(1, engine.taken().size());
    }

    @Test
    void noMoreProgramsRunAtOnceThanAllowed() throws Exception {
        CommandDriver driver = driver(
                "mkdir running || exit 9; i=0; while [ $i -lt 5 ]; do sleep 0.02; i=$((i+1)); done; rmdir running",
                LONG,
                1);

        for (int i = 1; i <= 4; i++) {
            driver.start(SampleTasks.of(Cause.RESTART, i));
        }

        for (int i = 1; i <= 4; i++) {
            int number = i;
            Told told = engine.await(t -> t.event()
                    .equals(SampleTasks.of(Cause.RESTART, number).event().id()));
            assertEquals(DriverReport.DONE, told.report());
        }
    }

    @Test
    void aReportIsMadeAgainUntilTheEngineTakesIt() throws Exception {
        engine.refuseWith(Problem.STORE_UNAVAILABLE);
        driver("exit 0", LONG, 1).start(SampleTasks.of(Cause.RESTART, 1));
        engine.awaitRefusal();
        engine.refuseWith(null);

        assertEquals(DriverReport.DONE, any().report());
    }

    @Test
    void aProgramGoesOnWhenTheServiceEndsAndIsFoundAgain() throws Exception {
        String program =
                "case $2 in start) echo begun; touch began; i=0; while [ ! -e go ] && [ $i -lt 5000 ]; do sleep 0.02; i=$((i+1)); done; "
                        + "echo still alive; touch over;; "
                        + "status) [ -e over ] && echo done || { [ -e began ] && echo running || echo unknown; };; esac";
        CommandDriver before = driver(program, LONG, 1);
        before.start(SampleTasks.of(Cause.RESTART, 1));
        eventually(() -> Files.exists(folder.resolve("began")));
        before.close();

        CommandDriver after = driver(program, LONG, 1);
        after.status(SampleTasks.of(Cause.RESTART, 1));
        engine.await(told -> told.report() == DriverReport.RUNNING);
        assertFalse(Files.exists(folder.resolve("over")));
        Files.createFile(folder.resolve("go"));

        engine.await(told -> told.report() == DriverReport.DONE);
        assertEquals(2, engine.taken().size());
    }

    @Test
    void aFaultOfTheDriverEndsTheEventAsFailed() throws Exception {
        CommandDriver driver = new CommandDriver(
                settings(program("exit 0"), LONG, 1),
                engine::submit,
                () -> {
                    if (Thread.currentThread().getName().equals("driver-start")) {
                        throw new IllegalStateException("the test broke the clock");
                    }
                    return 0;
                },
                () -> StartPermit.ALWAYS);
        open.add(driver);

        driver.start(SampleTasks.of(Cause.RESTART, 1));

        Told told = any();
        assertEquals(DriverReport.FAILED, told.report());
        assertTrue(told.detail().contains("the test broke the clock"), told.detail());
    }

    @Test
    void aFaultWhileAskingIsNoAnswerAndItIsAskedAgain() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        CommandDriver driver = new CommandDriver(
                settings(program("echo done"), LONG, 1),
                engine::submit,
                () -> {
                    if (Thread.currentThread().getName().equals("driver-status") && broken.getAndSet(false)) {
                        throw new IllegalStateException("the test broke the clock");
                    }
                    return 0;
                },
                () -> StartPermit.ALWAYS);
        open.add(driver);

        driver.status(SampleTasks.of(Cause.RESTART, 1));

        assertEquals(DriverReport.DONE, any().report());
        assertFalse(broken.get());
    }

    @Test
    void anInputThatCannotBeDeletedIsNoFailureOfTheProgram() throws Exception {
        Path stubborn = Files.createDirectory(folder.resolve("stubborn"));
        Files.createFile(stubborn.resolve("inside"));

        ProgramRun.discard(stubborn);

        assertTrue(Files.exists(stubborn));
    }

    @Test
    void aTalkativeProgramFillsNoDiskAndIsStillHeard() throws Exception {
        CommandDriver driver = driver(
                "i=0; while [ $i -lt 30 ]; do head -c 300000 /dev/zero | tr '\\0' x; sleep 0.02; i=$((i+1)); done; echo; "
                        + "echo the end; exit 1",
                LONG,
                1);

        driver.start(SampleTasks.of(Cause.RESTART, 1));

        Told told = any();
        assertTrue(told.detail().endsWith("| the end"), told.detail());
        assertTrue(told.detail().length() < 9000, "detail of " + told.detail().length());
    }

    @Test
    void aProgramGetsNoMoreOfTheEnvironmentThanIsNamed() throws Exception {
        String named = System.getenv().keySet().stream()
                .filter(name -> name.matches("[A-Za-z_][A-Za-z0-9_]*") && !BASIC.contains(name))
                .findFirst()
                .orElseThrow();
        List<String> argv = program("env | grep -o '^[A-Za-z_][A-Za-z0-9_]*=' > seen");
        CommandDriver driver =
                open(new DriverSettings.Program(argv, LONG, LONG, Duration.ofMillis(20), 1, List.of(named)));

        driver.start(SampleTasks.of(Cause.RESTART, 1));

        assertEquals(DriverReport.DONE, any().report());
        List<String> seen = new ArrayList<>(
                read("seen").lines().map(line -> line.replace("=", "")).toList());
        assertTrue(seen.contains("PATH") && seen.remove(named), seen::toString);
        seen.removeAll(BASIC);
        assertEquals(List.of(), seen);
    }

    /** Stopped after the first look at its lease, the node must not begin what another has begun by then. */
    @Test
    void theLeaseIsCheckedAgainRightBeforeTheStart() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Instant until = Instant.parse("2026-03-01T12:00:05.250Z");
        CommandDriver driver = new CommandDriver(
                settings(program("cat >> runs; echo >> runs"), LONG, 1),
                engine::submit,
                System::nanoTime,
                () -> asked.incrementAndGet() == 2 ? StartPermit.NEVER : new StartPermit(true, until));
        open.add(driver);

        driver.start(SampleTasks.of(Cause.RESTART, 1));
        eventually(() -> asked.get() == 2);
        driver.start(SampleTasks.of(Cause.RESTART, 2));

        assertEquals(SampleTasks.of(Cause.RESTART, 2).event().id(), any().event());
        assertEquals(1, read("runs").lines().count(), read("runs"));
        assertTrue(read("runs").contains("\"StartBefore\":\"2026-03-01T12:00:05.250Z\""), read("runs"));
    }

    private DriverReport statusSays(String script) throws Exception {
        ReportListener reportListener = new ReportListener();
        CommandDriver driver = new CommandDriver(
                settings(program(script), LONG, 1), reportListener::submit, System::nanoTime, () -> StartPermit.ALWAYS);
        open.add(driver);
        driver.status(SampleTasks.of(Cause.RESTART, 1));
        return reportListener.await(told -> true).report();
    }

    @Test
    void queuedWorkIsNotStartedOnceAnotherNodeIsTheWriter() throws Exception {
        CommandDriver driver = driver(
                "id=$(cut -c13-48); echo $id >> runs; [ -e began ] || { touch began; until [ -e go ]; do sleep 0.02; done; }",
                LONG,
                1);
        driver.start(SampleTasks.of(Cause.RESTART, 1));
        driver.start(SampleTasks.of(Cause.RESTART, 2));
        eventually(() -> Files.exists(folder.resolve("began")));

        driver.letGo();
        driver.start(SampleTasks.of(Cause.RESTART, 3));
        Files.createFile(folder.resolve("go"));

        // One worker, in turn: when the third is done the second has had its turn.
        assertEquals(SampleTasks.of(Cause.RESTART, 3).event().id(), any().event());
        assertEquals(
                SampleTasks.of(Cause.RESTART, 1).event().id() + "\n"
                        + SampleTasks.of(Cause.RESTART, 3).event().id(),
                read("runs"));
        assertEquals(1, engine.taken().size(), "of the first nothing is told");
    }

    @Test
    void nothingIsBegunWhileItMayNotBe() throws Exception {
        AtomicBoolean may = new AtomicBoolean();
        CommandDriver driver = new CommandDriver(
                settings(program("cut -c13-48 >> runs"), LONG, 1), engine::submit, System::nanoTime, () -> {
                    // The first is asked for once; the second before its input is made, and before it begins.
                    return may.getAndSet(true) ? StartPermit.ALWAYS : StartPermit.NEVER;
                });
        open.add(driver);

        driver.start(SampleTasks.of(Cause.RESTART, 1));
        driver.start(SampleTasks.of(Cause.RESTART, 2));

        assertEquals(SampleTasks.of(Cause.RESTART, 2).event().id(), any().event());
        assertEquals(SampleTasks.of(Cause.RESTART, 2).event().id().toString(), read("runs"));
    }

    @Test
    void pendingReportsAreDroppedOnceAnotherNodeIsTheWriter() throws Exception {
        CommandDriver driver = driver("exit 0", LONG, 1);
        engine.refuseWith(Problem.NOT_READY);
        driver.start(SampleTasks.of(Cause.RESTART, 1));
        engine.awaitRefusal();

        driver.letGo();
        engine.refuseWith(null);
        driver.start(SampleTasks.of(Cause.RESTART, 2));

        assertEquals(SampleTasks.of(Cause.RESTART, 2).event().id(), any().event());
    }

    private CommandDriver driver(String script, Duration limit, int concurrency) throws IOException {
        return open(settings(program(script), limit, concurrency));
    }

    private List<String> program(String script) throws IOException {
        Path file = folder.resolve("program");
        // Written whole before it has its name: a program being written cannot be executed.
        Path draft = Files.writeString(folder.resolve("draft"), "#!/bin/sh\ncd '" + folder + "'\n" + script + "\n");
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwx------"));
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        return List.of(file.toString(), "an 'argument' with; spaces");
    }

    private CommandDriver open(DriverSettings.Program settings) {
        CommandDriver driver = new CommandDriver(settings, engine::submit, System::nanoTime, () -> StartPermit.ALWAYS);
        open.add(driver);
        return driver;
    }

    private static DriverSettings.Program settings(List<String> argv, Duration limit, int concurrency) {
        return new DriverSettings.Program(argv, limit, LONG, Duration.ofMillis(20), concurrency, List.of());
    }

    private Told any() throws InterruptedException {
        return engine.await(told -> true);
    }

    private String read(String name) {
        try {
            return Files.readString(folder.resolve(name)).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
