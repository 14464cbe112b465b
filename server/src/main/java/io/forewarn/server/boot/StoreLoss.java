package io.forewarn.server.boot;

import io.forewarn.core.Actor;
import io.forewarn.core.LostCommits;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoredTime;
import io.forewarn.core.event.EventId;
import io.forewarn.core.rules.Command;
import io.forewarn.records.JsonFormat;
import io.forewarn.server.clock.MachineUptime;
import io.forewarn.server.clock.ManualTime;
import io.forewarn.server.clock.SteadyTime;
import io.forewarn.server.metrics.CompositeListener;
import io.forewarn.server.settings.Settings;
import io.forewarn.server.store.StoreFactory;
import io.forewarn.store.sqlite.SqliteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Lets a store continue without lost acknowledged records, as the operator decided, and records that in the audit log. */
public final class StoreLoss {
    private static final Actor OPERATOR = Actor.person("store accept-loss", "");
    /** No event starts by time while the loss is recorded. */
    private static final Duration NEVER = Duration.ofDays(1);

    private StoreLoss() {}

    /**
     * Returns a description of the loss.
     *
     * @throws RefusedException if nothing is lost, or the store cannot be used
     */
    public static LostCommits accept(Settings settings) {
        if (settings.store().shared()) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "an etcd needs no such word: nodes notice a loss and go on with what is there");
        }
        Path path = settings.store().sqlite().toAbsolutePath();
        // The file itself may be lost.
        if (!Files.isDirectory(path) && !(path.toString().endsWith(".db") && Files.isDirectory(path.getParent()))) {
            throw new RefusedException(Problem.NOT_FOUND, "there is no store at " + path);
        }
        try {
            SqliteStore.Loss loss = SqliteStore.acceptLoss(settings.store().sqlite());
            LostCommits lost = new LostCommits(loss.first(), loss.last());
            try (Store store = StoreFactory.open(settings.store())) {
                note(store, settings, new Command.NoteLoss(lost, "accepted by the operator", OPERATOR));
            }
            return lost;
        } catch (StoreException problem) {
            throw new RefusedException(Problem.STORE_UNAVAILABLE, problem.getMessage());
        }
    }

    /** Writes the loss into the audit log, without starting or ending anything. */
    static void note(Store store, Settings settings, Command.NoteLoss loss) throws StoreException {
        JsonFormat format = new JsonFormat();
        // With a manual clock, time stands still.
        Optional<Instant> manual = StoredTime.manualClock(store, format);
        Clock clock = manual.isPresent()
                ? new ManualTime(manual.get())
                : new SteadyTime(System::nanoTime, Instant::now, new MachineUptime(), StoredTime.read(store, format));
        Engine engine = Engine.open(
                new Engine.Settings(
                        settings.terms().terms(), NEVER, settings.store().logRetention()),
                () -> new EventId(UUID.randomUUID()),
                new EngineContext(
                        store, format, new Nobody(), clock, System::nanoTime, CompositeListener.of(), () -> {}));
        CompletableFuture<?> noted = engine.submit(loss);
        engine.turn(clock.now());
        engine.close(clock.now());
        try {
            noted.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RefusedException refusal ? refusal : failed;
        }
    }

    /** No work is started; the next start asks for the status of started work. */
    private static final class Nobody implements MaintenanceDriver {
        @Override
        public void start(DriverTask task) {}

        @Override
        public void status(DriverTask task) {}
    }
}
