package io.forewarn.server.metadata;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.Eventually;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.EventsDocument;
import io.forewarn.core.engine.SimulatedStore;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.records.JsonFormat;
import io.forewarn.server.driver.DriverSettings;
import io.forewarn.server.driver.SimulatedDriver;
import io.forewarn.server.http.BodyBudget;
import io.forewarn.server.http.ConnectionQuota;
import io.forewarn.server.identity.CallerResolver;
import io.forewarn.server.identity.IdentitySettings;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A whole service in a test: a store with faults on demand, the engine on a thread of its own, simulated work, a service
 * clock that stands still until it is moved, and the real endpoint on a real port. Machines own loopback addresses:
 * web-0 is 127.0.0.1, web-1 127.0.0.2, web-2 127.0.0.3 (an availability set), cloud-0 127.0.1.1 (a cloud service), lone 127.0.2.1,
 * spot 127.0.3.1.
 */
final class MetadataHarness implements AutoCloseable {
    static final Instant START = Instant.parse("2016-09-19T18:14:47Z");
    /** This machine's own clock, as proxies are compared to: it stands still. */
    static final long REAL_MILLIS = 1_800_000_000_000L;

    static final GroupId WEB = new GroupId("default", "web");

    final SimulatedStore.Disk disk = new SimulatedStore.Disk();
    final SimulatedStore store = new SimulatedStore(disk, SimulatedStore.SMALL);
    final Engine engine;
    final MetadataServer server;
    final int port;
    private final Vertx vertx;
    final Queue<String> logged = new ConcurrentLinkedQueue<>();
    private final SimulatedDriver driver;
    private final Thread writer;
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private volatile ClockReading now = at(START);
    private volatile boolean closing;
    private volatile boolean paused;
    private volatile boolean clockFault;
    private volatile boolean wakeFault;

    MetadataHarness() {
        this(MetadataSettings.TEST, ServiceTerms.AZURE, IdentitySettings.DEFAULT);
    }

    MetadataHarness(MetadataSettings settings) {
        this(settings, ServiceTerms.AZURE, IdentitySettings.DEFAULT);
    }

    MetadataHarness(MetadataSettings settings, ServiceTerms terms, IdentitySettings identity) {
        this(settings, terms, identity, 100_000, new BodyBudget(1 << 20));
    }

    /** @param connections how many there may be */
    MetadataHarness(
            MetadataSettings settings,
            ServiceTerms terms,
            IdentitySettings identity,
            int connections,
            BodyBudget bodies) {
        Random random = new Random(1);
        driver = new SimulatedDriver(DriverSettings.Simulated.DEFAULTS, this::ask, System::nanoTime);
        try {
            engine = Engine.open(
                    new Engine.Settings(terms, Duration.ZERO, Duration.ofDays(90)),
                    () -> new EventId(new UUID(random.nextLong(), random.nextLong())),
                    new EngineContext(
                            store, new JsonFormat(), driver, () -> now, System::nanoTime, new Quiet(), this::heard));
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
        writer = new Thread(this::turn, "writer");
        writer.start();
        applyFleet(fleet(), false);
        vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        server = new MetadataServer(
                vertx,
                engine,
                this::now,
                () -> now().wall().toEpochMilli(),
                System::nanoTime,
                terms,
                settings,
                new CallerResolver(identity, () -> REAL_MILLIS),
                new ConnectionQuota(
                        "metadata",
                        connections,
                        settings.limits().connectionsPerSource(),
                        System::nanoTime,
                        Log.to(logged::add, LogFormat.LOGFMT)),
                bodies);
        port = await(server.listen("0.0.0.0", 0));
        server.ready(true);
    }

    /** Without a rate limit, and with little time for slow and for silent clients. */
    static MetadataSettings impatient(Duration slow, Duration silent) {
        return MetadataSettings.TEST.with(MetadataSettings.TEST.times().withTimeouts(slow, silent));
    }

    private static FleetSpec fleet() {
        return new FleetSpec(
                List.of(
                        new FleetSpec.GroupSpec(0, WEB, GroupKind.AVAILABILITY_SET, 5, 2),
                        new FleetSpec.GroupSpec(0, new GroupId("default", "cloud"), GroupKind.CLOUD_SERVICE, 5, 2)),
                List.of(
                        machine("web-0", WEB, "127.0.0.1", false),
                        machine("web-1", WEB, "127.0.0.2", false),
                        machine("web-2", WEB, "127.0.0.3", false),
                        machine("cloud-0", new GroupId("default", "cloud"), "127.0.1.1", false),
                        machine("lone", null, "127.0.2.1", false),
                        machine("spot", null, "127.0.3.1", true)));
    }

    static FleetSpec.MachineSpec machine(String name, GroupId group, String address, boolean spot) {
        return new FleetSpec.MachineSpec(
                0,
                new MachineId("default", name),
                group,
                null,
                null,
                "",
                List.of(address),
                "",
                spot,
                Map.of("env", "demo"));
    }

    static FleetSpec.MachineSpec machineWithListener(String name, String listen) {
        return new FleetSpec.MachineSpec(
                0, new MachineId("default", name), null, null, null, "", List.of(), listen, false, Map.of());
    }

    void applyFleet(FleetSpec spec, boolean prune) {
        await(engine.change(state -> FleetRules.apply(state, spec, prune), Actor.SERVICE, null));
    }

    /** Takes one machine out of the fleet. */
    void remove(String machine) {
        await(engine.change(
                state -> FleetRules.remove(state, List.of(new MachineId("default", machine))), Actor.SERVICE, null));
    }

    EventId schedule(Cause cause, String machine) {
        return schedule(cause, machine, null);
    }

    EventId schedule(Cause cause, String machine, String description) {
        Command command = new Command.Schedule(
                cause, List.of(new MachineId("default", machine)), null, description, Actor.person("test", ""));
        return await(engine.submit(command)).events().get(0);
    }

    CompletableFuture<CommandResult> ask(Command command) {
        return engine.submit(command);
    }

    /** Moves service time and returns when what fell due has been decided and carried out. */
    void advance(Duration by) {
        errand(() -> {
            now = at(now.wall().plus(by));
            finish();
        });
    }

    /** Returns when the writer has nothing left to do. */
    void settle() {
        errand(this::finish);
    }

    private void errand(Runnable work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        errands.add(() -> {
            work.run();
            done.complete(null);
        });
        wake();
        await(done);
    }

    private void finish() {
        while (driver.turn(now) + engine.turn(now) > 0 || !engine.isIdle() || isDue()) {}
    }

    private boolean isDue() {
        return engine.due().filter(d -> !d.isAfter(now.wall())).isPresent()
                || driver.due().filter(d -> !d.isAfter(now.wall())).isPresent();
    }

    /** Stops the writer from deciding anything until {@link #goOn}. */
    void pause() {
        paused = true;
    }

    void goOn() {
        paused = false;
        wake();
    }

    /** The tag of a document of group web, with its quotes. */
    static String etag(long incarnation) {
        return Etags.of(new EventsDocument(WEB, incarnation, List.of()));
    }

    static void eventually(BooleanSupplier done) {
        Eventually.eventually(done::getAsBoolean);
    }

    RawConnection talk(String from) {
        return new RawConnection("127.0.0.1", port, from);
    }

    private void turn() {
        while (!closing) {
            for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
                errand.run();
            }
            int did = paused ? 0 : driver.turn(now) + engine.turn(now);
            if (did == 0) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** What the endpoint is told the time is. */
    private ClockReading now() {
        if (clockFault) {
            throw new IllegalStateException("the test broke the clock");
        }
        return now;
    }

    private void heard() {
        if (wakeFault) {
            throw new IllegalStateException("the test broke the bell");
        }
        wake();
    }

    /** From now on the endpoint is told no time. */
    void breakClock() {
        clockFault = true;
    }

    /** From now on whoever asks the engine for something fails. */
    void breakBell() {
        wakeFault = true;
    }

    private void wake() {
        LockSupport.unpark(writer);
    }

    private static ClockReading at(Instant wall) {
        return new ClockReading(wall, TimeUnit.MILLISECONDS.toNanos(wall.toEpochMilli()));
    }

    static <T> T await(Future<T> future) {
        return await(future.toCompletionStage().toCompletableFuture());
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException r ? r : new IllegalStateException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        await(server.close());
        await(vertx.close());
        closing = true;
        wake();
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.close();
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
