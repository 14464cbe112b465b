package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.engine.SimulatedStore;
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
import io.forewarn.server.cluster.WriterLoop;
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

    private final ManualTime clock = new ManualTime(NOON);
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
                        new SimulatedStore(new SimulatedStore.Disk(), SimulatedStore.SMALL),
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
        writerThread = new WriterThread(WriterLoop.of(engine), Optional.empty(), clock, Optional::empty, fault -> {});
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

    private RefusedException refused() {
        ManualClockMover hands = new ManualClockMover(clock, this::writer, writerThread);
        Throwable failure =
                assertThrows(CompletionException.class, () -> hands.moveBy(Duration.ofHours(1), PERSON, null)
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join());
        return (RefusedException) failure.getCause();
    }

    @Test
    void whatWasMovedIsToldAndWhatIsLeft() {
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
        lostAfter = NOON;
        RefusedException refusal = refused();
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
    void whereNothingWasMovedAnotherNodeMayDoIt() {
        lostAfter = NOON.minusSeconds(1);
        assertEquals(Problem.NOT_WRITER, refused().problem());
        assertEquals(NOON, clock.now().wall());
    }
}
