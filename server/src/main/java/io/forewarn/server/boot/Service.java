package io.forewarn.server.boot;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoredTime;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.records.JsonFormat;
import io.forewarn.server.clock.ClockFactory;
import io.forewarn.server.clock.ManualTime;
import io.forewarn.server.clock.RepairableClock;
import io.forewarn.server.clock.StallWatch;
import io.forewarn.server.cluster.ClusterGateway;
import io.forewarn.server.cluster.WriterThreadTask;
import io.forewarn.server.control.ControlParts;
import io.forewarn.server.control.ControlServer;
import io.forewarn.server.control.FleetIntake;
import io.forewarn.server.control.MemoryBudget;
import io.forewarn.server.control.PeerNodes;
import io.forewarn.server.driver.StartPermit;
import io.forewarn.server.history.AuditLog;
import io.forewarn.server.history.History;
import io.forewarn.server.history.LogIndex;
import io.forewarn.server.http.BindErrors;
import io.forewarn.server.http.BodyBudget;
import io.forewarn.server.http.ConnectionQuota;
import io.forewarn.server.http.HookedTransport;
import io.forewarn.server.identity.CallerResolver;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.server.metadata.MetadataServer;
import io.forewarn.server.metrics.CompositeListener;
import io.forewarn.server.metrics.DecisionLog;
import io.forewarn.server.metrics.Metrics;
import io.forewarn.server.notification.Notifier;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.server.settings.Settings;
import io.forewarn.server.store.StoreFactory;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.SettingBody;
import io.forewarn.wire.control.TemporaryFiles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The whole process. Reads from top to bottom as the list of its parts, in the order they come up. */
public final class Service implements AutoCloseable {
    /** Without this, Vert.x creates a folder for cached files at every start, which a killed process leaves behind. */
    private static final FileSystemOptions NO_CACHE =
            new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);

    private static final int WATCHED_LOOPS = 4;
    private static final long TICK_MILLIS = 250;

    private final Settings settings;
    private final Log log;
    private final ResourceStack resourceStack;
    private final CompletableFuture<CommandResult> dead = new CompletableFuture<>();
    private final Store store;
    private final JsonFormat format = new JsonFormat();
    private final Clock clock;
    private final HookedTransport transport = new HookedTransport();
    private final Vertx vertx;
    private final DriverFactory driverFactory;
    private final Metrics metrics = new Metrics();
    private final Notifier notifier;
    private final CommandGateway gateway;
    private final Optional<ClusterNode> node;
    private final WriterRetry writerRetry;
    private final StartupFleet startupFleet;
    private final WriterThread writerThread;
    private final MetadataServer metadata;
    private final ServiceStatus serviceStatus;
    private final ControlServer control;
    private HostPort metadataAt;
    private HostPort controlAt;

    /**
     * Brings everything up and returns when it answers.
     *
     * @param log takes lines for the operator
     * @param died called when the writer's thread, or the one that renews the lease, cannot continue; the process should end
     * @throws RefusedException if it cannot be: the sentence says what would be right; nothing is left open
     */
    public static Service start(LoadedSettings loaded, Log log, Consumer<Throwable> died) {
        return start(loaded.settings(), loaded.all(), log, died);
    }

    /** The same with settings of which nobody knows where they came from. */
    public static Service start(Settings settings, Log log, Consumer<Throwable> died) {
        return start(settings, LoadedSettings.describe(settings), log, died);
    }

    private static Service start(Settings settings, List<SettingBody> described, Log log, Consumer<Throwable> died) {
        ResourceStack resourceStack = new ResourceStack();
        try {
            Service service = new Service(settings, described, log, died, resourceStack);
            service.comeUp();
            return service;
        } catch (StoreException problem) {
            resourceStack.undo(alsoFailed -> {}); // The failure that led here is the one to tell.
            throw new RefusedException(Problem.STORE_UNAVAILABLE, problem.getMessage());
        } catch (RuntimeException failure) {
            resourceStack.undo(alsoFailed -> {}); // The failure that led here is the one to tell.
            throw failure;
        }
    }

    private Service(
            Settings settings,
            List<SettingBody> described,
            Log log,
            Consumer<Throwable> died,
            ResourceStack resourceStack)
            throws StoreException {
        this.settings = settings;
        this.log = log;
        this.resourceStack = resourceStack;
        sweepTemporaryFiles();
        ServiceTerms terms = settings.terms()
                .terms()
                .with(settings.tenants().limits())
                .expecting(settings.driver().interruption());
        StoreRetry awaited = new StoreRetry(settings.store().shared(), log);
        store = resourceStack.add(awaited.by(() -> StoreFactory.open(settings.store())));
        boolean newStore = awaited.by(() -> StoreFactory.isNew(store));
        vertx = Vertx.builder()
                .with(new VertxOptions().setFileSystemOptions(NO_CACHE))
                .withTransport(transport)
                .build();
        resourceStack.add(() -> await(vertx.close()));
        driverFactory = resourceStack.add(new DriverFactory(settings.driver(), this::permit));
        Clock own = awaited.by(
                () -> ClockFactory.of(settings.clock().kind(), System::nanoTime, Instant::now, store, format));
        tellLeap(own);
        Engine.Settings rules = new Engine.Settings(
                terms, settings.clock().resumeGrace(), settings.store().logRetention());
        FleetWatch fleetWatch = new FleetWatch(this::reconcile);
        Consumer<Throwable> fatal = fault -> {
            dead.completeExceptionally(fault);
            died.accept(fault);
        };
        node = settings.store().shared()
                ? Optional.of(new ClusterNode(settings, format, vertx, log, this::wake, fatal, resourceStack, awaited))
                : Optional.empty();
        if (node.isPresent()) {
            node.get().resumes(awaited.by(() -> StoredTime.read(store, format)));
        }
        clock = own instanceof ManualTime || node.isEmpty() ? own : node.get().time();
        DecisionLog decisions = new DecisionLog(log);
        notifier = new Notifier(
                settings.notifications(),
                store,
                format,
                clock,
                Instant::now,
                settings.clock().zone(),
                bug -> decisions.failed("notifications", bug));
        EngineListener listener = CompositeListener.of(metrics, decisions, fleetWatch, notifier);
        MaintenanceDriver driver =
                node.map(n -> n.guarded(driverFactory.driver())).orElse(driverFactory.driver());
        EngineContext context = new EngineContext(store, format, driver, clock, System::nanoTime, listener, this::wake);
        WriterThreadTask task;
        PeerNodes peers;
        Supplier<Engine> writer;
        if (node.isPresent()) {
            ClusterGateway clusterGateway = node.get().open(rules, context, fleetWatch, notifier, driverFactory);
            gateway = clusterGateway;
            task = clusterGateway;
            peers = node.get().peers();
            writer = () -> clusterGateway
                    .engine()
                    .orElseThrow(() -> new RefusedException(Problem.NOT_WRITER, "this node is no longer the writer"));
        } else {
            Engine alone = Engine.open(rules, () -> new EventId(UUID.randomUUID()), context);
            driverFactory.serve(alone);
            gateway = alone;
            task = WriterThreadTask.of(alone);
            peers = PeerNodes.none(() -> controlAt == null ? null : controlAt.toString());
            writer = () -> alone;
        }
        MemoryBudget memory = MemoryBudget.share(
                settings.fleet().memoryPercent(), Runtime.getRuntime().maxMemory(), gateway.view()::fleetBytes);
        writerRetry = new WriterRetry(node.isPresent(), dead, log);
        startupFleet =
                new StartupFleet(settings.fleet(), gateway, memory, peers, writerRetry, System::nanoTime, newStore);
        writerThread = resourceStack.add(new WriterThread(task, driverFactory.simulated(), clock, stalls(), fatal));
        // Closed before the writer, which stores the delivery cursors.
        resourceStack.add(notifier);
        awaited.by(() -> {
            notifier.start(gateway);
            return notifier;
        });
        ConnectionBudget room = ConnectionBudget.ofThisProcess();
        metadata = new MetadataServer(
                vertx,
                gateway,
                clock,
                ClockFactory.coarse(clock, vertx),
                System::nanoTime,
                terms,
                settings.metadata(),
                new CallerResolver(settings.identity(), System::currentTimeMillis),
                new ConnectionQuota(
                        "metadata",
                        room.metadata(),
                        settings.metadata().limits().connectionsPerSource(),
                        System::nanoTime,
                        log),
                BodyBudget.ofHeap(Runtime.getRuntime().maxMemory(), 2));
        metrics.watch(gateway, visitor -> metadata.counters().forEach(visitor::visit));
        node.ifPresent(n -> metrics.watch(n.figures()));
        for (Channel channel : Channel.values()) {
            metrics.watch(
                    channel,
                    () -> notifier.delivered(channel),
                    () -> notifier.failures(channel),
                    () -> notifier.deadLettered(channel),
                    () -> notifier.lag(channel));
        }
        LogIndex logIndex = new LogIndex(store, format);
        resourceStack
                .add(new LogIndexThread(logIndex, bug -> decisions.failed("history", bug)))
                .start();
        History history = new History(store, format, logIndex);
        metrics.watchLog(history::pagesRead, logIndex::isComplete);
        serviceStatus = new ServiceStatus(settings.store().location(), System.nanoTime());
        node.ifPresent(n -> serviceStatus.follows(n.gateway()::fresh, n.gateway()::lag));
        control = new ControlServer(
                vertx,
                settings.listen().named(settings.cluster().name()),
                new ControlParts(
                        gateway,
                        clock,
                        settings.clock().zone(),
                        ClockFactory.hands(clock, writer, writerThread),
                        serviceStatus,
                        history,
                        new AuditLog(store, format, gateway.view()::auditHead),
                        notifier,
                        metrics::scrape,
                        log,
                        peers,
                        transport.hook(),
                        new ConnectionQuota(
                                "control",
                                room.control(),
                                settings.listen().controlConnectionsPerSource(),
                                System::nanoTime,
                                log),
                        BodyBudget.ofHeap(Runtime.getRuntime().maxMemory(), 2),
                        new FleetIntake(
                                settings.fleet().maxFileBytes(),
                                settings.tenants().maxFileBytes(),
                                memory),
                        node.map(ClusterNode::sessionKey)
                                .orElseGet(
                                        () -> SessionKeyFile.in(settings.store().sqlite(), log)),
                        settings.metadata().preview().form(),
                        described,
                        driver::expected,
                        Instant::now));
        resourceStack.add(() -> await(control.close()));
        resourceStack.add(() -> await(metadata.close()));
        node.ifPresent(n -> metadata.follows(() -> !n.gateway().writes(), n.gateway()::age));
    }

    private void tellLeap(Clock own) {
        if (own instanceof RepairableClock clock && !settings.store().shared()) {
            clock.leapAtStart()
                    .ifPresent(by -> log.write(LogLine.warning("clock")
                            .with("leap", by)
                            .with(
                                    "reason",
                                    "the machine was restarted since the service ran last, so service time leapt to what its clock"
                                            + " says")));
        }
    }

    /** A clock that stands until it is moved is not missed by anybody. */
    private Supplier<Optional<Duration>> stalls() {
        if (clock instanceof ManualTime) {
            return Optional::empty;
        }
        StallWatch watch = new StallWatch(System::nanoTime);
        for (int loop = 0; loop < WATCHED_LOOPS; loop++) {
            // Each on a loop of its own.
            vertx.setPeriodic(TICK_MILLIS, timer -> watch.tick());
        }
        return watch::take;
    }

    /** A folder that cannot be listed does not prevent the start. */
    private void sweepTemporaryFiles() {
        try {
            TemporaryFiles.sweep();
        } catch (IOException unlisted) {
            log.write(LogLine.warning("temporary-files").with("failure", unlisted));
        }
    }

    private StartPermit permit() {
        return node.map(ClusterNode::permit).orElse(StartPermit.ALWAYS);
    }

    private void comeUp() throws StoreException {
        writerThread.start();
        // Before anything is written: who finds the ports taken leaves no trace. Both answer 503 until all is there.
        controlAt = await(control.start());
        HostPort wanted = settings.listen().metadata();
        metadataAt = new HostPort(wanted.host(), listen(wanted));
        metadata.reserve(controlAt);
        serviceStatus.listening(metadataAt, controlAt);
        if (node.isPresent() && !node.get().join(controlAt, metadataAt, dead)) {
            startupFleet.apply();
            up();
            return;
        }
        if (clock instanceof ManualTime) {
            // Stored even if it is never moved: after a restart it goes on from here.
            writerRetry.by("the clock to be written", this::storeClock);
        }
        startupFleet.apply();
        up();
    }

    private void storeClock() {
        if (node.isEmpty() || node.get().gateway().writes()) {
            writerRetry.settled(gateway.submit(new Command.MoveClock(clock.now().wall(), Actor.SERVICE)));
        }
    }

    private void up() {
        unopened(await(metadata.reconcile()));
        serviceStatus.up();
        metadata.ready(true);
    }

    private int listen(HostPort wanted) {
        try {
            return await(metadata.listen(wanted.host(), wanted.port()));
        } catch (RuntimeException failure) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "the metadata endpoint cannot listen on " + wanted + ": " + BindErrors.why(wanted, failure)
                            + ". Another address can be given with --metadata HOST:PORT");
        }
    }

    private void wake() {
        // The engine may ask for its first turn while it is still being opened.
        if (writerThread != null) {
            writerThread.wake();
        }
    }

    private void reconcile() {
        if (metadata != null) {
            metadata.reconcile()
                    .onSuccess(this::unopened)
                    .onFailure(failure -> log.write(LogLine.error("listeners").with("failure", failure)));
        }
    }

    private void unopened(List<String> failures) {
        log.write(failures.stream()
                .map(failure -> LogLine.error("listener").with("detail", failure))
                .toList());
    }

    /** Where machines ask. */
    public HostPort metadata() {
        return metadataAt;
    }

    /** Where people ask. */
    public HostPort control() {
        return controlAt;
    }

    /** The path of a link that opens the console as the user of this process, once. */
    public String signInPath() {
        return control.signInPath();
    }

    /** Whether there is such a machine. */
    public boolean knows(MachineId machine) {
        return gateway.view().find(machine) != null;
    }

    public CommandGateway gateway() {
        return gateway;
    }

    /** From now on nothing new is done; what is under way is. */
    void end() {
        serviceStatus.end();
    }

    /** Ends in order: no new requests, answers to those the writer has, its last turn, then the store. */
    @Override
    public void close() {
        end();
        resourceStack.undo(failure -> log.write(LogLine.error("close").with("failure", failure)));
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new CompletionException(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CompletionException(interrupted);
        }
    }
}
