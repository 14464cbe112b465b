package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.engine.SimulatedStore;
import io.forewarn.core.engine.StoredTime;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.records.JsonFormat;
import io.forewarn.server.clock.ManualClockMover;
import io.forewarn.server.clock.ManualTime;
import io.forewarn.server.cluster.WriterThreadTask;
import io.forewarn.server.metrics.CompositeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The writer is lost while the clock is moved: nobody is told that nothing was changed, or goes the whole way again. */
class ManualClockMoverTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Actor PERSON = Actor.person("test", "127.0.0.1");
    private static final RefusedException LOST =
            new RefusedException(Problem.NOT_WRITER, "this node does not write any more");

    private final SimulatedStore.Disk disk = new SimulatedStore.Disk();
    private volatile ManualTime clock = new ManualTime(NOON);
    private Engine engine;
    private WriterThread writerThread;
    private volatile Instant lostAfter = Instant.MAX;

    @BeforeEach
    void open() throws Exception {
        MaintenanceDriver idle = new MaintenanceDriver() {
            @Override
            public void start(DriverTask task) {}

            @Override
            public void status(DriverTask task) {}
        };
        engine = Engine.open(
                new Engine.Settings(ServiceTerms.AZURE, Duration.ZERO, Duration.ofDays(90)),
                () -> new EventId(UUID.randomUUID()),
                new EngineContext(
                        new SimulatedStore(disk, SimulatedStore.SMALL),
                        new JsonFormat(),
                        idle,
                        clock,
                        System::nanoTime,
                        CompositeListener.of(),
                        () -> {
                            if (writerThread != null) {
                                writerThread.wake();
                            }
                        }));
        writerThread =
                new WriterThread(WriterThreadTask.of(engine), Optional.empty(), clock, Optional::empty, fault -> {});
        writerThread.start();
    }

    @AfterEach
    void close() {
        writerThread.close();
    }

    private Engine writer() {
        if (clock.now().wall().isAfter(lostAfter)) {
            throw LOST;
        }
        return engine;
    }

    private Instant moved(Once once) {
        return new ManualClockMover(clock, this::writer, writerThread)
                .moveBy(Duration.ofHours(1), PERSON, once)
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private RefusedException refused(Once once) {
        Throwable failure = assertThrows(CompletionException.class, () -> moved(once));
        return (RefusedException) failure.getCause();
    }

    /** The writer is killed, and another goes on from what is stored. */
    private void restart() throws Exception {
        writerThread.close();
        lostAfter = Instant.MAX;
        clock = new ManualTime(StoredTime.manualClock(new SimulatedStore(disk, SimulatedStore.SMALL), new JsonFormat())
                .orElseThrow());
        open();
    }

    private void schedule() {
        GroupId web = new GroupId("default", "web");
        MachineId machine = new MachineId("default", "m0");
        FleetSpec fleet = new FleetSpec(
                List.of(new GroupSpec(0, web, GroupKind.AVAILABILITY_SET, 1, 1)),
                List.of(new MachineSpec(0, machine, web, null, null, "host", List.of(), "", false, Map.of())));
        engine.change(state -> FleetRules.apply(state, fleet, false), PERSON, null)
                .join();
        engine.submit(new Command.Enable(web, Actor.machine("default/m0", "127.0.0.1")))
                .join();
        engine.submit(new Command.Schedule(Cause.RESTART, List.of(machine), null, null, PERSON))
                .join();
    }

    @Test
    void anInterruptedMoveReportsHowFarTheClockMoved() {
        schedule();
        lostAfter = NOON;
        RefusedException refusal = refused(null);
        assertEquals(Problem.CONFLICT, refusal.problem(), "not one that other nodes repeat");
        assertEquals(NOON.plus(Duration.ofMinutes(15)), clock.now().wall());
        assertTrue(
                refusal.getMessage()
                        .startsWith(
                                "the clock was moved from 2030-01-01T12:00:00Z to 2030-01-01T12:15:00Z and no further: this node"),
                refusal::getMessage);
        assertTrue(refusal.getMessage().contains("'forewarn clock set 2030-01-01T13:00:00Z'"), refusal::getMessage);
    }

    @Test
    void aTimeThatTheClockCannotShowMovesNothing() {
        schedule();
        Throwable failure =
                assertThrows(CompletionException.class, () -> new ManualClockMover(clock, this::writer, writerThread)
                        .moveTo(Instant.MAX, PERSON, null)
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join());
        assertEquals(Problem.BAD_INPUT, ((RefusedException) failure.getCause()).problem());
        assertEquals(NOON, clock.now().wall());
    }

    @Test
    void whereNothingWasMovedAnotherNodeMayDoIt() {
        lostAfter = NOON.minusSeconds(1);
        assertEquals(Problem.NOT_WRITER, refused(null).problem());
        assertEquals(NOON, clock.now().wall());
    }

    @Test
    void whatBrokeOffMidwayUnderAKeyEndsWhereItWasToEndHoweverOftenItIsAsked() throws Exception {
        schedule();
        Once once = new Once("move", "advance 1h");
        lostAfter = NOON;
        RefusedException refusal = refused(once);
        assertEquals(Problem.OUTCOME_UNKNOWN, refusal.problem(), "whoever has a key may ask again");
        assertFalse(refusal.getMessage().contains("nothing was changed"), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("moved from 2030-01-01T12:00:00Z"), refusal::getMessage);
        restart();
        assertEquals(NOON.plus(Duration.ofMinutes(15)), clock.now().wall());
        for (int repeated = 0; repeated < 3; repeated++) {
            assertEquals(NOON.plus(Duration.ofHours(1)), moved(once));
            assertEquals(NOON.plus(Duration.ofHours(1)), clock.now().wall());
        }
        restart();
        assertEquals(NOON.plus(Duration.ofHours(1)), moved(once), "also at the next writer");
        assertEquals(NOON.plus(Duration.ofHours(2)), moved(new Once("another", "advance 1h")));
    }
}
