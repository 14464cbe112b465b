package io.forewarn.server.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.engine.SimulatedStore;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.records.JsonFormat;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PollReporterTest {
    private static final int MACHINES = 10;
    private static final int AT_ONCE = 3;
    private static final ClockReading NOW = new ClockReading(Instant.parse("2026-03-01T12:00:00Z"), 0);
    private static final long NOON = NOW.wall().toEpochMilli();

    private final List<Promise<Void>> unanswered = new ArrayList<>();
    private final List<ForwardedReports.Poll> reported = new ArrayList<>();
    private final Queue<Runnable> walks = new ArrayDeque<>();
    private Engine engine;
    private PollReporter pollReporter;

    @BeforeEach
    void tenMachines() throws Exception {
        engine = Engine.open(
                new Engine.Settings(ServiceTerms.AZURE, Duration.ZERO, Duration.ofDays(90)),
                () -> new EventId(new UUID(0, 1)),
                new EngineContext(
                        new SimulatedStore(new SimulatedStore.Disk(), SimulatedStore.SMALL),
                        new JsonFormat(),
                        new NoWork(),
                        () -> NOW,
                        () -> 0,
                        new Quiet(),
                        () -> {}));
        FleetSpec fleet = new FleetSpec(
                List.of(),
                IntStream.range(0, MACHINES)
                        .mapToObj(i -> new FleetSpec.MachineSpec(
                                0, id(i), null, null, null, "", List.of("10.0.0." + i), "", false, Map.of()))
                        .toList());
        engine.change(state -> FleetRules.apply(state, fleet, false), Actor.SERVICE, null);
        engine.turn(NOW);
        pollReporter = new PollReporter(() -> engine.view().allMachines(), walks::add, AT_ONCE, some -> {
            assertTrue(some.size() <= AT_ONCE);
            reported.addAll(some);
            Promise<Void> answer = Promise.promise();
            unanswered.add(answer);
            return answer.future();
        });
    }

    private static MachineId id(int number) {
        return new MachineId("default", "m" + number);
    }

    private MachineView machine(int number) {
        return engine.view().find(id(number));
    }

    private void allPoll(long millis) {
        IntStream.range(0, MACHINES).forEach(i -> machine(i).polled(millis, "2020-07-01", 1));
    }

    private void tell() {
        pollReporter.report();
        while (!walks.isEmpty()) {
            walks.remove().run();
        }
    }

    private void answerAll(boolean well) {
        while (!unanswered.isEmpty()) {
            Promise<Void> next = unanswered.remove(0);
            if (well) {
                next.complete();
            } else {
                next.fail("no writer");
            }
        }
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>();
        reported.forEach(poll -> names.add(poll.machine()));
        reported.clear();
        return names;
    }

    @Test
    void machinesBeyondOneMessageAreAllReported() {
        allPoll(NOON);
        tell();
        assertEquals(AT_ONCE, reported.size());
        answerAll(true);
        assertEquals(MACHINES, reported.size());
        assertEquals(MACHINES, names().size());
    }

    @Test
    void aRoundThatTakesLongIsFinishedBeforeTheNextBegins() {
        allPoll(NOON);
        tell();
        allPoll(NOON + 10_000);
        tell();
        tell();
        assertEquals(AT_ONCE, reported.size());
        answerAll(true);
        assertEquals(MACHINES, reported.size());
    }

    @Test
    void onlyNewPollsAreReported() {
        allPoll(NOON);
        tell();
        answerAll(true);
        names();
        machine(4).polled(NOON + 1, "2019-08-01", 1);
        tell();
        answerAll(true);
        assertEquals(
                List.of(new ForwardedReports.Poll(
                        "default", "m4", NOW.wall().plusMillis(1).toString(), "2019-08-01")),
                reported);
        tell();
        assertTrue(unanswered.isEmpty());
    }

    @Test
    void unreportedMachinesAreReportedInTheNextRoundAndDelayNoOther() {
        allPoll(NOON);
        tell();
        answerAll(false);
        Set<String> lost = names();
        tell();
        answerAll(true);
        Set<String> others = names();
        assertEquals(MACHINES, lost.size() + others.size());
        tell();
        answerAll(true);
        assertTrue(names().containsAll(lost));
    }

    @Test
    void pollsFromBeforeThisNodeWasTheWriterAreReportedAfterwards() {
        allPoll(NOON);
        tell();
        pollReporter.forget();
        answerAll(true);
        Set<String> before = names();
        assertEquals(AT_ONCE, before.size());
        machine(0).polled(NOON + 1, "2020-07-01", 1);
        tell();
        answerAll(true);
        before.addAll(names());
        assertEquals(MACHINES, before.size());
    }

    /** A walk takes a while, and the clock that polls are stamped with is coarse. */
    @Test
    void pollsDuringARoundAreReportedInTheNextOne() {
        allPoll(NOON);
        tell();
        answerAll(true);
        reported.clear();
        machine(3).polled(NOON + 5, "2020-07-01", 1);
        tell();
        machine(4).polled(NOON + 5, "2020-07-01", 1);
        machine(5).polled(NOON + 4, "2020-07-01", 1);
        answerAll(true);
        assertEquals(Set.of("m3"), names());
        tell();
        answerAll(true);
        assertEquals(Set.of("m4", "m5"), names());
    }

    @Test
    void pollsKnownToTheWriterAreNotReportedBack() {
        engine.view().polledElsewhere(id(1), NOON, "2020-07-01");
        tell();
        assertEquals(Set.of(), names());
        machine(1).polled(NOON + 1, "2020-07-01", 1);
        engine.view().polledElsewhere(id(2), NOON + 2, "2020-07-01");
        tell();
        assertEquals(Set.of("m1"), names());
    }

    @Test
    void machinesAreScannedInTheBackground() {
        allPoll(NOON);
        pollReporter.report();
        pollReporter.report();
        assertEquals(1, walks.size());
        assertTrue(reported.isEmpty());
        pollReporter.forget();
        tell();
        assertEquals(AT_ONCE, reported.size());
    }

    private static final class NoWork implements MaintenanceDriver {
        @Override
        public void start(DriverTask task) {}

        @Override
        public void status(DriverTask task) {}
    }

    private static final class Quiet implements EngineListener {
        @Override
        public void committed(LogPage page, int commands, long commitNanos) {}

        @Override
        public void troubled(StoreException problem) {}

        @Override
        public void recovered() {}
    }
}
