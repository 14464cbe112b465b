package io.forewarn.server.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.event.Cause;
import io.forewarn.core.rules.Command.Told;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.DriverReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedDriverTest {
    private final ReportListener engine = new ReportListener();
    private final AtomicLong real = new AtomicLong();
    private SimulatedDriver driver = fresh();

    @ParameterizedTest
    @CsvSource({"FREEZE, 5", "RESTART, 90", "REDEPLOY, 180", "PREEMPT, 30", "TERMINATE, 30", "FAILURE, 300"})
    void workIsDoneWhenItsTimeHasPassedAndNotASecondEarlier(Cause cause, long seconds) {
        driver.start(SampleTasks.of(cause, 1));

        assertEquals(Optional.of(SampleTasks.START.plusSeconds(seconds)), driver.due());
        assertEquals(0, turn(seconds - 1));
        assertEquals(1, turn(seconds));
        assertEquals(List.of(told(SampleTasks.of(cause, 1), DriverReport.DONE)), engine.taken());
        assertEquals(Optional.empty(), driver.due());
        assertEquals(0, turn(seconds + 1000));
    }

    @Test
    void workOnAMachineThatIsTaggedSoFailsAndARehearsalOnItDoesNot() {
        Map<String, String> tags = Map.of("simulated", "fails");
        driver.start(SampleTasks.of(Cause.HOST_REBOOT, 1, 1, false, tags));
        driver.start(SampleTasks.of(Cause.HOST_REBOOT, 2, 1, true, tags));

        assertEquals(2, turn(90));
        assertEquals(
                List.of(DriverReport.FAILED, DriverReport.DONE),
                engine.taken().stream().map(Told::report).toList());
        assertEquals("web_1 is tagged simulated=fails", engine.taken().get(0).detail());
    }

    @Test
    void nothingIsReportedForWorkThatAnotherNodeTookOver() {
        engine.refuseWith(Problem.NOT_READY);
        driver.start(SampleTasks.of(Cause.FREEZE, 1));
        driver.start(SampleTasks.of(Cause.REDEPLOY, 2));
        assertEquals(1, turn(10));

        driver.letGo();

        engine.refuseWith(null);
        assertEquals(Optional.empty(), driver.due());
        assertEquals(0, turn(3600));
    }

    @Test
    void reportsComeInTheOrderTheWorkEnded() {
        driver.start(SampleTasks.of(Cause.REDEPLOY, 1));
        driver.start(SampleTasks.of(Cause.RESTART, 3));
        driver.start(SampleTasks.of(Cause.RESTART, 2));
        driver.start(SampleTasks.of(Cause.FREEZE, 4));

        assertEquals(4, turn(3600));
        assertEquals(
                List.of(
                        told(SampleTasks.of(Cause.FREEZE, 4), DriverReport.DONE),
                        told(SampleTasks.of(Cause.RESTART, 3), DriverReport.DONE),
                        told(SampleTasks.of(Cause.RESTART, 2), DriverReport.DONE),
                        told(SampleTasks.of(Cause.REDEPLOY, 1), DriverReport.DONE)),
                engine.taken());
    }

    @Test
    void afterARestartWorkUnderWayIsAdoptedAndEndsWhenItWouldHaveEnded() {
        driver.start(SampleTasks.of(Cause.RESTART, 1));
        turn(30);
        driver = fresh();
        driver.status(SampleTasks.of(Cause.RESTART, 1));

        assertEquals(1, turn(40));
        assertEquals(List.of(told(SampleTasks.of(Cause.RESTART, 1), DriverReport.RUNNING)), engine.taken());
        assertEquals(Optional.of(SampleTasks.START.plusSeconds(90)), driver.due());
        assertEquals(0, turn(89));
        assertEquals(1, turn(90));
        assertEquals(
                told(SampleTasks.of(Cause.RESTART, 1), DriverReport.DONE),
                engine.taken().get(1));
    }

    @Test
    void workThatEndedWhileTheServiceWasDownIsDoneAtOnce() {
        driver.status(SampleTasks.of(Cause.RESTART, 1));

        assertEquals(1, turn(90));
        assertEquals(List.of(told(SampleTasks.of(Cause.RESTART, 1), DriverReport.DONE)), engine.taken());
        assertEquals(Optional.empty(), driver.due());
    }

    @Test
    void aReportTheStoreDidNotTakeIsMadeAgainASecondLater() {
        driver.start(SampleTasks.of(Cause.FREEZE, 1));
        engine.refuseWith(Problem.STORE_UNAVAILABLE);

        assertEquals(1, turn(10));
        assertEquals(Optional.of(SampleTasks.START.plusSeconds(11)), driver.due());
        assertEquals(0, turn(10));
        assertEquals(1, turn(11));
        engine.refuseWith(null);
        assertEquals(1, turn(12));
        assertEquals(2, engine.refusals());
        assertEquals(List.of(told(SampleTasks.of(Cause.FREEZE, 1), DriverReport.DONE)), engine.taken());
        assertEquals(Optional.empty(), driver.due());
    }

    @Test
    void aLostReportIsRetriedEvenIfTheManualClockStandsStill() {
        driver.start(SampleTasks.of(Cause.FREEZE, 1));
        engine.refuseWith(Problem.BUSY);
        turn(10);
        engine.refuseWith(null);

        assertEquals(0, turn(10));
        real.addAndGet(Duration.ofSeconds(1).toNanos());
        assertEquals(1, turn(10));
        assertEquals(List.of(told(SampleTasks.of(Cause.FREEZE, 1), DriverReport.DONE)), engine.taken());
        real.addAndGet(Duration.ofSeconds(9).toNanos());
        assertEquals(0, turn(10));
    }

    @Test
    void aReportTheEngineWillNeverWantIsDropped() {
        driver.start(SampleTasks.of(Cause.FREEZE, 1));
        engine.refuseWith(Problem.NOT_FOUND);

        assertEquals(1, turn(10));
        assertEquals(Optional.empty(), driver.due());
    }

    @Test
    void reportsOfManyMachinesWaitForTheAnswersToTheFirstSoThatOthersAreHeardInBetween() {
        List<CompletableFuture<CommandResult>> unanswered = new ArrayList<>();
        driver = new SimulatedDriver(
                DriverSettings.Simulated.DEFAULTS,
                report -> {
                    unanswered.add(new CompletableFuture<>());
                    return unanswered.get(unanswered.size() - 1);
                },
                real::get);
        IntStream.range(0, 20).forEach(i -> driver.start(SampleTasks.of(Cause.RESTART, i)));

        assertEquals(4, turn(90));
        assertEquals(0, turn(90));
        int reported = 4;
        for (int answered = 0; answered < 20; answered++) {
            unanswered.get(answered).complete(CommandResult.NOTHING);
            reported += turn(90);
        }
        assertEquals(20, reported);
        assertEquals(Optional.empty(), driver.due());
    }

    @Test
    void aLaterAttemptTakesThePlaceOfAnEarlierOne() {
        driver.start(SampleTasks.of(Cause.FREEZE, 1, 1));
        driver.start(SampleTasks.of(Cause.FREEZE, 1, 2));

        assertEquals(1, turn(10));
        assertEquals(2, engine.taken().get(0).attempt());
    }

    @Test
    void serviceTimeThatIsSetEndsNoWorkAndHoldsNoneUp() {
        for (Duration by : List.of(Duration.ofDays(29), Duration.ofDays(-29))) {
            driver = fresh();
            turn(0);
            driver.start(SampleTasks.of(Cause.RESTART, 1));
            assertEquals(0, turn(50, by));
            assertEquals(0, turn(89, by));
            assertEquals(1, turn(90, by));
            assertEquals(
                    DriverReport.DONE,
                    engine.taken().get(engine.taken().size() - 1).report());
        }
    }

    private int turn(long seconds, Duration set) {
        Instant wall = SampleTasks.START.plusSeconds(seconds).plus(set);
        return driver.turn(new ClockReading(wall, TimeUnit.SECONDS.toNanos(seconds)));
    }

    private SimulatedDriver fresh() {
        return new SimulatedDriver(DriverSettings.Simulated.DEFAULTS, engine::submit, real::get);
    }

    private int turn(long seconds) {
        Instant wall = SampleTasks.START.plusSeconds(seconds);
        return driver.turn(new ClockReading(wall, TimeUnit.SECONDS.toNanos(seconds)));
    }

    private static Told told(DriverTask task, DriverReport report) {
        return new Told(task.event().id(), task.event().attempt().attempt(), report, "");
    }
}
