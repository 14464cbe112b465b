package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.engine.SimulatedStore;
import io.forewarn.core.engine.SimulatedStore.Fault;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.records.JsonFormat;
import io.forewarn.server.cluster.WriterThreadTask;
import io.forewarn.server.control.MemoryBudget;
import io.forewarn.server.control.PeerNodes;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.metrics.CompositeListener;
import io.forewarn.server.settings.FleetSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer's store goes once more while a node starts. */
class StartupFleetTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    @TempDir
    private Path folder;

    private final CompletableFuture<Void> dead = new CompletableFuture<>();
    private final List<String> log = new ArrayList<>();
    private SimulatedStore store;
    private Engine engine;
    private WriterThread writerThread;
    private long heap = 1 << 30;

    @AfterEach
    void end() {
        if (writerThread != null) {
            writerThread.close();
        }
    }

    /** The fleet file, and a demo fleet. */
    private List<FleetSettings> kinds() throws Exception {
        Path file = Files.writeString(
                folder.resolve("fleet.yaml"), "groups: [{name: web}]\nmachines: [{name: web-0, group: web}]\n");
        return List.of(
                new FleetSettings(file.toString(), false, true, "", 1 << 20, 85),
                new FleetSettings("", false, true, "", 1 << 20, 85));
    }

    private StartupFleet given(FleetSettings settings, boolean several) throws StoreException, InterruptedException {
        MaintenanceDriver idle = new MaintenanceDriver() {
            @Override
            public void start(DriverTask task) {}

            @Override
            public void status(DriverTask task) {}
        };
        store = new SimulatedStore(new SimulatedStore.Disk(), SimulatedStore.SMALL);
        engine = Engine.open(
                new Engine.Settings(ServiceTerms.AZURE, Duration.ZERO, Duration.ofDays(90)),
                () -> new EventId(UUID.randomUUID()),
                new EngineContext(
                        store,
                        new JsonFormat(),
                        idle,
                        () -> new ClockReading(NOON, 0),
                        System::nanoTime,
                        CompositeListener.of(),
                        () -> {
                            if (writerThread != null) {
                                writerThread.wake();
                            }
                        }));
        writerThread = new WriterThread(
                WriterThreadTask.of(engine),
                Optional.empty(),
                () -> new ClockReading(NOON, 0),
                Optional::empty,
                dead::completeExceptionally);
        writerThread.start();
        awaitFirstCommit();
        return new StartupFleet(
                settings,
                engine,
                MemoryBudget.share(settings.memoryPercent(), heap, engine.view()::fleetBytes),
                PeerNodes.none(() -> null),
                new WriterRetry(several, dead, Log.to(log::add, LogFormat.LOGFMT)),
                System::nanoTime,
                true);
    }

    /** The writer marks the time when it begins; the commit that fails is to be another one. */
    private void awaitFirstCommit() {
        eventually(() -> engine.commit() >= 1 || dead.isDone());
    }

    @Test
    void amongSeveralNodesAStartWaitsUntilTheFleetIsWritten() throws Exception {
        for (FleetSettings kind : kinds()) {
            log.clear();
            StartupFleet fleet = given(kind, true);
            store.fail(Fault.REJECTED);
            fleet.apply();
            assertTrue(!engine.view().allGroups().isEmpty());
            assertEquals(1, log.size(), log::toString);
            assertTrue(log.get(0).contains("the store does not accept writes"), log.get(0));
            end();
        }
    }

    @Test
    void aFleetThatWouldTakeMoreMemoryThanThereIsIsNotTaken() throws Exception {
        heap = 500;
        StartupFleet fleet = given(kinds().get(0), false);
        RefusedException refusal = assertThrows(RefusedException.class, fleet::apply);
        assertTrue(refusal.getMessage().contains("fleet.memory-percent, 85 %"), refusal.getMessage());
        assertTrue(engine.view().allGroups().isEmpty());
    }

    @Test
    void onItsOwnItSaysWhyItCannot() throws Exception {
        StartupFleet fleet = given(kinds().get(0), false);
        store.fail(Fault.REJECTED);
        assertEquals(
                Problem.STORE_UNAVAILABLE,
                assertThrows(RefusedException.class, fleet::apply).problem());
        assertEquals(List.of(), log);
    }
}
