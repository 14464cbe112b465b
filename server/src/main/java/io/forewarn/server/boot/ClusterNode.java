package io.forewarn.server.boot;

import io.forewarn.core.LostCommits;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.engine.Replica;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoredTime;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Rules;
import io.forewarn.records.JsonFormat;
import io.forewarn.server.clock.ManualTime;
import io.forewarn.server.cluster.ClusterClock;
import io.forewarn.server.cluster.ClusterGateway;
import io.forewarn.server.cluster.ClusterPeers;
import io.forewarn.server.cluster.FormatNegotiation;
import io.forewarn.server.cluster.JoinCheck;
import io.forewarn.server.cluster.LeaderElection;
import io.forewarn.server.cluster.NodeNameGuard;
import io.forewarn.server.control.PeerNodes;
import io.forewarn.server.driver.StartPermit;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.server.metrics.NodeMetrics;
import io.forewarn.server.notification.Notifier;
import io.forewarn.server.settings.ClusterSettings;
import io.forewarn.server.settings.Settings;
import io.forewarn.server.store.StoreFactory;
import io.forewarn.store.etcd.ClusterMembership;
import io.forewarn.store.etcd.EtcdAccess;
import io.forewarn.store.etcd.EtcdFeed;
import io.forewarn.store.etcd.EtcdMembers;
import io.forewarn.store.etcd.EtcdStore;
import io.forewarn.wire.control.HostPort;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Assembles the parts that a cluster node has in addition to a single service. */
final class ClusterNode {
    private static final Duration BETWEEN_WORDS = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 20;
    private static final long PLACE_MILLIS = 100;
    private static final long LEASE_LOOK_MILLIS = 250;

    private final Settings settings;
    private final JsonFormat format;
    private final Vertx vertx;
    private final Log log;
    private final ClusterClock time = new ClusterClock(System::nanoTime, Instant::now);
    private final EtcdFeed feed;
    private final ClusterMembership membership;
    private final EtcdMembers etcdMembers;
    private final FormatNegotiation formatNegotiation;
    private final LeaderElection election;
    private final ResourceStack resourceStack;
    private final StoreRetry awaited;
    private final Runnable wake;
    private volatile ClusterGateway gateway;
    private ClusterPeers peers;

    ClusterNode(
            Settings settings,
            JsonFormat format,
            Vertx vertx,
            Log log,
            Runnable wake,
            Consumer<Throwable> died,
            ResourceStack resourceStack,
            StoreRetry awaited) {
        this.settings = settings;
        this.format = format;
        this.vertx = vertx;
        this.log = log;
        this.resourceStack = resourceStack;
        this.awaited = awaited;
        EtcdAccess access = StoreFactory.access(settings.store());
        feed = resourceStack.add(new EtcdFeed(access, wake));
        membership = new ClusterMembership(access, lease());
        etcdMembers = resourceStack.add(new EtcdMembers(access));
        formatNegotiation = new FormatNegotiation(
                new FormatNegotiation.Range(JsonFormat.OLDEST, JsonFormat.NEWEST),
                format::writeAs,
                System::nanoTime,
                log);
        election = resourceStack.add(new LeaderElection(
                membership,
                lease(),
                time,
                System::nanoTime,
                log,
                new LeaseWatch(this::changed, formatNegotiation, died)));
        this.wake = wake;
    }

    /** Passes on changes of the election. */
    private record LeaseWatch(Runnable wakes, FormatNegotiation dialect, Consumer<Throwable> dies)
            implements LeaderElection.Listener {
        @Override
        public void changed() {
            wakes.run();
        }

        @Override
        public void seen(Map<String, String> nodes) {
            dialect.seen(nodes);
        }

        @Override
        public void died(Throwable fault) {
            dies.accept(fault);
        }
    }

    private void changed() {
        ClusterGateway opened = gateway;
        if (opened != null) {
            opened.released();
        }
        wake.run();
    }

    private Duration lease() {
        return settings.cluster().lease();
    }

    /** The cluster's time. */
    Clock time() {
        return time;
    }

    /** Nothing expires because of a doubtful clock jump at startup. */
    void resumes(StoredTime stored) {
        if (stored.mark() != null) {
            time.doubts(stored.mark().doubt());
        }
    }

    ClusterGateway gateway() {
        return gateway;
    }

    PeerNodes peers() {
        return peers;
    }

    /** Signs the sessions of browsers, which any node may be asked in. */
    byte[] sessionKey() {
        return peers.derivedKey("console sessions");
    }

    /** For Prometheus. */
    NodeMetrics figures() {
        return new ClusterMetrics(gateway, peers);
    }

    /** No work starts on a machine once the lease expired: the next writer asks for its status. */
    boolean mayStartWork() {
        return election.mayStartWork();
    }

    /** Valid only as long as the lease; the program itself can check that it is not too late. */
    StartPermit permit() {
        long left = election.workPermitNanos();
        return left > 0 ? new StartPermit(true, Instant.now().plusNanos(left)) : StartPermit.NEVER;
    }

    /** The same check before a task is passed to a driver, which may queue it. */
    MaintenanceDriver guarded(MaintenanceDriver driver) {
        return new MaintenanceDriver() {
            @Override
            public void start(DriverTask task) {
                if (mayStartWork()) {
                    driver.start(task);
                } else {
                    log.write(LogLine.warning("not-started")
                            .with("event", task.event().id())
                            .with("reason", "the lease expired before the driver was told"));
                }
            }

            @Override
            public void status(DriverTask task) {
                driver.status(task);
            }

            @Override
            public Optional<Duration> expected(Cause cause, boolean rehearsal, Duration given) {
                return driver.expected(cause, rehearsal, given);
            }
        };
    }

    ClusterGateway open(
            Engine.Settings rules,
            EngineContext context,
            FleetWatch fleetWatch,
            Notifier notifier,
            DriverFactory driverFactory)
            throws StoreException {
        Replica.Witness witness = new Replica.Witness() {
            @Override
            public void committed(LogPage page) {
                fleetWatch.committed(page, 0, 0);
                notifier.replicated(page);
            }

            @Override
            public void reloaded(long head) {
                fleetWatch.changed().run();
                notifier.reloaded(head);
            }

            @Override
            public void lost(LostCommits commits) {
                election.reportLoss(commits);
                log.write(LogLine.error("store-set-back")
                        .with("lost", commits)
                        .with(
                                "detail",
                                "etcd was set back to an earlier state, perhaps from a snapshot: what was acknowledged since is"
                                        + " lost; this node has read everything anew, and the audit log will tell of it; incarnations that no running node has"
                                        + " shown may be used again for other documents"));
            }
        };
        if (context.store() instanceof EtcdStore etcd) {
            etcd.claimsWhileElected(membership::electedAt);
        }
        notifier.delivers(false);
        Supplier<EventId> ids = () -> new EventId(UUID.randomUUID());
        gateway = new ClusterGateway(
                new Replica(feed, context.store(), format, new PublishedState(), System::nanoTime, witness),
                new Rules(rules.terms(), ids, context.driver()::expected),
                (replica, patience) -> Engine.over(rules, ids, context, replica, patience),
                engine -> {
                    driverFactory.serve(engine);
                    notifier.delivers(engine != null);
                },
                mark -> follow(context.clock(), mark),
                election,
                time,
                lease(),
                System::nanoTime,
                log);
        peers = resourceStack.add(awaited.by(() -> new ClusterPeers(
                vertx,
                http(),
                membership,
                etcdMembers,
                formatNegotiation,
                gateway,
                election,
                time,
                lease(),
                System::nanoTime,
                log)));
        long looking = vertx.setPeriodic(LEASE_LOOK_MILLIS, timer -> election.checkLease());
        resourceStack.add(() -> vertx.cancelTimer(looking));
        return gateway;
    }

    /** The writer moved the manual clock: this node's clock follows. */
    private static void follow(Clock clock, Instant mark) {
        if (clock instanceof ManualTime manual
                && mark != null
                && mark.isAfter(manual.now().wall())) {
            manual.set(mark);
        }
    }

    private HttpClientOptions http() {
        HttpClientOptions options = new HttpClientOptions();
        return settings.listen().tls()
                ? options.setSsl(true)
                        .setTrustOptions(new PemTrustOptions()
                                .addCertPath(settings.listen().tlsCert()))
                : options;
    }

    /** Joins the cluster, and returns when it is up to date: true if this node is the writer. */
    boolean join(HostPort control, HostPort metadata, CompletableFuture<?> dead) throws StoreException {
        String name = settings.cluster().advertise().isBlank()
                ? reachable(control)
                : settings.cluster().advertise();
        String about = peers.about(metadata, settings.clock().kind(), settings.deciding());
        sayIfDoubtful(name);
        NodeNameGuard nodeNameGuard = new NodeNameGuard(membership, name, System::nanoTime, log);
        JoinCheck joinCheck = new JoinCheck(name, settings.clock().kind());
        awaited.by(() -> {
            while (!election.join(name, about, joinCheck::look)) {
                nodeNameGuard.check();
                pause(PLACE_MILLIS);
            }
            return election;
        });
        long told = System.nanoTime();
        while (!gateway.writes() && !gateway.fresh()) {
            if (dead.isDone()) {
                dead.join();
            }
            if (System.nanoTime() - told > BETWEEN_WORDS.toNanos()) {
                told = System.nanoTime();
                log.write(LogLine.warning("waiting")
                        .with("for", "a writer to be heard")
                        .with(
                                "failure",
                                gateway.trouble().map(Throwable::getMessage).orElse(null)));
            }
            pause(LOOK_MILLIS);
        }
        return gateway.writes();
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RefusedException(Problem.NOT_READY, "the start was interrupted");
        }
    }

    private void sayIfDoubtful(String name) {
        HostPort.parse(name)
                .flatMap(node -> ClusterSettings.doubt(node, settings.store().urls()))
                .ifPresent(why -> log.write(
                        LogLine.warning("address").with("reason", why).with("fix", ClusterSettings.REACHABLE)));
    }

    private static String reachable(HostPort control) {
        if (control.host().equals("0.0.0.0")
                || control.host().equals("::")
                || control.host().equals("[::]")) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "control listens on all addresses, so other nodes do not know which to ask: give cluster.advertise HOST:PORT");
        }
        return control.toString();
    }
}
