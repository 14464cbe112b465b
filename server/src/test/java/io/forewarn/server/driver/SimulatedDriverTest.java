package io.forewarn.server.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.event.Cause;
import io.forewarn.core.rules.Command.Told;
import io.forewarn.core.rules.DriverReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedDriverTest {
    private final ReportListener engine = new ReportListener();
    private final AtomicLong real = new AtomicLong();
    private SimulatedDriver impact = fresh();

    @ParameterizedTest
    @CsvSource({"FREEZE, 5", "RESTART, 90", "REDEPLOY, 180", "PREEMPT, 30", "TERMINATE, 30", "FAILURE, 300"})
    void workIsDoneWhenItsTimeHasPassedAndNotASecondEarlier(Cause cause, long seconds) {
        impact.start(SampleTasks.of(cause, 1));

        assertEquals(Optional.of(SampleTasks.START.plusSeconds(seconds)), impact.due());
        assertEquals(0, turn(seconds - 1));
        assertEquals(1, turn(seconds));
        assertEquals(List.of(told(SampleTasks.of(cause, 1), DriverReport.DONE)), engine.taken());
        assertEquals(Optional.empty(), impact.due());
        assertEquals(0, turn(seconds + 1000));
    }

    @Test
    void workOnAMachineThatIsTaggedSoFailsAndADrillOnItDoesNot() {
        Map<String, String> tags = Map.of("simulated", "fails");
        impact.start(SampleTasks.of(Cause.HOST_REBOOT, 1, 1, false, tags));
        impact.start(SampleTasks.of(Cause.HOST_REBOOT, 2, 1, true, tags));

        assertEquals(2, turn(90));
        assertEquals(
                List.of(DriverReport.FAILED, DriverReport.DONE),
                engine.taken().stream().map(Told::report).toList());
        assertEquals("web_1 is tagged simulated=fails", engine.taken().get(0).detail());
    }

    @Test
    void nothingIsToldOfWhatAnotherTookOver() {
        engine.refuseWith(Problem.NOT_READY);
        impact.start(SampleTasks.of(Cause.FREEZE, 1));
        impact.start(SampleTasks.of(Cause.REDEPLOY, 2));
        assertEquals(1, turn(10));

        impact.letGo();

        engine.refuseWith(null);
        assertEquals(Optional.empty(), impact.due());
        assertEquals(0, turn(3600));
    }

    @Test
    void reportsComeInTheOrderTheWorkEnded() {
        impact.start(SampleTasks.of(Cause.REDEPLOY, 1));
        impact.start(SampleTasks.of(Cause.RESTART, 3));
        impact.start(SampleTasks.of(Cause.RESTART, 2));
        impact.start(SampleTasks.of(Cause.FREEZE, 4));

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
        impact.start(SampleTasks.of(Cause.RESTART, 1));
        turn(30);
        impact = fresh();
        impact.status(SampleTasks.of(Cause.RESTART, 1));

        assertEquals(1, turn(40));
        assertEquals(List.of(told(SampleTasks.of(Cause.RESTART, 1), DriverReport.RUNNING)), engine.taken());
        assertEquals(Optional.of(SampleTasks.START.plusSeconds(90)), impact.due());
        assertEquals(0, turn(89));
        assertEquals(1, turn(90));
        assertEquals(
                told(SampleTasks.of(Cause.RESTART, 1), DriverReport.DONE),
                engine.taken().get(1));
    }

    @Test
    void workThatEndedWhileTheServiceWasDownIsDoneAtOnce() {
        impact.status(SampleTasks.of(Cause.RESTART, 1));

        assertEquals(1, turn(90));
        assertEquals(List.of(told(SampleTasks.of(Cause.RESTART, 1), DriverReport.DONE)), engine.taken());
        assertEquals(Optional.empty(), impact.due());
    }

    @Test
    void aReportTheStoreDidNotTakeIsMadeAgainASecondLater() {
        impact.start(SampleTasks.of(Cause.FREEZE, 1));
        engine.refuseWith(Problem.STORE_DOWN);

        assertEquals(1, turn(10));
        assertEquals(Optional.of(SampleTasks.START.plusSeconds(11)), impact.due());
        assertEquals(0, turn(10));
        assertEquals(1, turn(11));
        engine.refuseWith(null);
        assertEquals(1, turn(12));
        assertEquals(2, engine.refusals());
        assertEquals(List.of(told(SampleTasks.of(Cause.FREEZE, 1), DriverReport.DONE)), engine.taken());
        assertEquals(Optional.empty(), impact.due());
    }

    @Test
    void aLostReportIsMadeAgainThoughAManualClockStandsStill() {
        impact.start(SampleTasks.of(Cause.FREEZE, 1));
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
        impact.start(SampleTasks.of(Cause.FREEZE, 1));
        engine.refuseWith(Problem.UNKNOWN_NAME);

        assertEquals(1, turn(10));
        assertEquals(Optional.empty(), impact.due());
    }

    @Test
    void aLaterAttemptTakesThePlaceOfAnEarlierOne() {
        impact.start(SampleTasks.of(Cause.FREEZE, 1, 1));
        impact.start(SampleTasks.of(Cause.FREEZE, 1, 2));

        assertEquals(1, turn(10));
        assertEquals(2, engine.taken().get(0).attempt());
    }

    @Test
    void serviceTimeThatIsSetEndsNoWorkAndHoldsNoneUp() {
        for (Duration by : List.of(Duration.ofDays(29), Duration.ofDays(-29))) {
            impact = fresh();
            turn(0);
            impact.start(SampleTasks.of(Cause.RESTART, 1));
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
        return impact.turn(new ClockReading(wall, TimeUnit.SECONDS.toNanos(seconds)));
    }

    private SimulatedDriver fresh() {
        return new SimulatedDriver(DriverSettings.Simulated.DEFAULTS, engine::submit, real::get);
    }

    private int turn(long seconds) {
        Instant wall = SampleTasks.START.plusSeconds(seconds);
        return impact.turn(new ClockReading(wall, TimeUnit.SECONDS.toNanos(seconds)));
    }

    private static Told told(DriverTask task, DriverReport report) {
        return new Told(task.event().id(), task.event().attempt().attempt(), report, "");
    }
}
