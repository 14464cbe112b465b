package io.forewarn.server.cluster;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.StoreException;
import io.forewarn.server.clock.ClockText;
import io.forewarn.server.control.PeerNodes;
import io.forewarn.server.forward.ConnectErrorText;
import io.forewarn.server.forward.ForwardReceiver;
import io.forewarn.server.forward.ForwardedReply;
import io.forewarn.server.forward.ForwardedRequest;
import io.forewarn.server.forward.NotDoneException;
import io.forewarn.server.forward.PollReporter;
import io.forewarn.server.forward.ReportForwarder;
import io.forewarn.server.forward.RequestSigner;
import io.forewarn.server.forward.VouchedRequest;
import io.forewarn.server.forward.WriterClient;
import io.forewarn.server.forward.WriterForwarder;
import io.forewarn.server.forward.WriterLocator;
import io.forewarn.server.log.Log;
import io.forewarn.server.settings.ClockSettings.Kind;
import io.forewarn.store.etcd.ClusterMembership;
import io.forewarn.store.etcd.EtcdMembers;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.EtcdMemberBody;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.NodeBody;
import io.forewarn.wire.control.Version;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The other nodes of the cluster, for the control API: which nodes there are, which of them is the writer, and how requests
 * reach it.
 */
public final class ClusterPeers implements PeerNodes, AutoCloseable {
    /** Smaller clock differences are not reported. */
    private static final Duration REPORTED_OFFSET = Duration.ofSeconds(1);

    private static final long POLL_REPORT_MILLIS = 10_000;
    private static final long ETCD_CHECK_MILLIS = 15_000;

    private final ClusterGateway gateway;
    private final LeaderElection election;
    private final ClusterClock time;
    private final RequestSigner signer;
    private final ForwardReceiver receiver;
    private final WriterClient client;
    private final WriterForwarder forwarder;
    private final ReportForwarder reports;
    private final PollReporter pollReporter;
    private final EtcdMembers members;
    private final FormatNegotiation formatNegotiation;
    private final Vertx vertx;
    private final boolean secure;
    private final EtcdHealth etcdHealth;
    private final WriterReachability writerReachability;
    private final long pollTimer;
    private final long etcdTimer;
    private volatile NodeInfo own = NodeInfo.of(null);

    public ClusterPeers(
            Vertx vertx,
            HttpClientOptions http,
            ClusterMembership membership,
            EtcdMembers members,
            FormatNegotiation formatNegotiation,
            ClusterGateway gateway,
            LeaderElection election,
            ClusterClock time,
            Duration lease,
            LongSupplier elapsedNanos,
            Log log)
            throws StoreException {
        this.vertx = vertx;
        this.secure = http.isSsl();
        this.gateway = gateway;
        this.election = election;
        this.time = time;
        this.members = members;
        this.formatNegotiation = formatNegotiation;
        this.signer = new RequestSigner(membership.secret(RequestSigner.fresh()), election::name, () -> time.now()
                .wall());
        this.receiver = new ForwardReceiver(signer, gateway::engine);
        this.client = new WriterClient(
                vertx,
                http,
                new WriterLocator(election::name, election::writer, gateway::writes, this::bootId, gateway::commit),
                signer);
        // Another node takes over within two leases.
        this.forwarder = new WriterForwarder(vertx, client, lease.multipliedBy(3), elapsedNanos);
        this.reports = new ReportForwarder(vertx, client);
        gateway.setForwarders(client, forwarder, reports);
        this.pollReporter = new PollReporter(
                () -> gateway.view().allMachines(), this::onWorker, ReportForwarder.AT_ONCE, reports::reportPolls);
        this.etcdHealth = new EtcdHealth(gateway::writes, log);
        this.writerReachability = new WriterReachability(log);
        this.etcdTimer = vertx.setPeriodic(ETCD_CHECK_MILLIS, timer -> etcd());
        this.pollTimer = vertx.setPeriodic(POLL_REPORT_MILLIS, timer -> reportPolls());
    }

    private void onWorker(Runnable task) {
        Future<Void> unused = vertx.executeBlocking(() -> {
            task.run();
            return null;
        });
    }

    /** A key that all nodes of the cluster share, for one purpose. */
    public byte[] derivedKey(String purpose) {
        return signer.derivedKey(purpose);
    }

    /** What this node publishes about itself. */
    public String about(HostPort metadata, Kind clock, Map<String, String> deciding) {
        own = new NodeInfo(
                metadata.toString(),
                signer.bootId(),
                Version.text(),
                formatNegotiation.newest(),
                EnumNames.of(clock),
                deciding);
        return own.text();
    }

    private String bootId(String node) {
        return NodeInfo.of(election.nodes().get(node)).life();
    }

    @Override
    public boolean writes() {
        return gateway.writes();
    }

    @Override
    public CompletionStage<ForwardedReply> pass(ForwardedRequest request, BooleanSupplier gone) {
        return forwarder
                .forward(request, gone)
                .recover(failure -> Future.failedFuture(failure instanceof NotDoneException ? why(failure) : failure))
                .toCompletionStage();
    }

    /** If etcd prevents an election there is no writer: callers that waited for one get etcd's problem as the reason. */
    private Throwable why(Throwable noWriter) {
        return election.problem()
                .<Throwable>map(etcd -> new RefusedException(
                        Problem.STORE_UNAVAILABLE, "nothing was changed, the store does not accept writes: " + etcd))
                .orElse(noWriter);
    }

    @Override
    public VouchedRequest vouched(String method, String uri, UnaryOperator<String> header) {
        return receiver.check(method, uri, header);
    }

    @Override
    public CompletionStage<?> command(byte[] message) {
        return receiver.command(message);
    }

    @Override
    public void reports(byte[] message) {
        receiver.reports(message);
    }

    private void reportPolls() {
        if (gateway.writes()) {
            pollReporter.forget();
        } else {
            pollReporter.report();
        }
        checkWriter();
    }

    /** Checks that the writer can be reached, even if there are no polls to report. */
    private void checkWriter() {
        String writer = writer();
        if (writer == null || gateway.writes()) {
            writerReachability.succeeded();
            return;
        }
        reports.reportPolls(List.of()).onComplete(sent -> {
            if (sent.succeeded()) {
                writerReachability.succeeded();
            } else {
                boolean unanswered = sent.cause() instanceof RefusedException refusal
                        && refusal.problem() == Problem.OUTCOME_UNKNOWN;
                writerReachability.failed(
                        writer,
                        unanswered
                                ? ConnectErrorText.unanswered(writer, secure)
                                : sent.cause().getMessage());
            }
        });
    }

    @Override
    public Optional<String> forwardingError() {
        return writerReachability.problem();
    }

    /** In which format records are written. */
    public int format() {
        return formatNegotiation.written();
    }

    /** How many members etcd has; NaN before the first check. */
    public double etcdMembers() {
        return etcdHealth.members();
    }

    /** How many of them answered. */
    public double etcdResponding() {
        return etcdHealth.responding();
    }

    /** How many requests were forwarded to the writer, by outcome. */
    public Map<String, LongSupplier> forwardedRequests() {
        return client.counts();
    }

    @Override
    public String writer() {
        if (gateway.writes()) {
            return election.name();
        }
        // A writer that has been silent for so long may be gone, and a node that is cut off from etcd would not know.
        return gateway.fresh()
                ? election.writer().filter(w -> !w.equals(election.name())).orElse(null)
                : null;
    }

    @Override
    public List<NodeBody> nodes() {
        String writer = writer();
        Map<String, Duration> offs = time.offs();
        List<NodeBody> nodes = new ArrayList<>();
        for (Map.Entry<String, String> node : election.nodes().entrySet()) {
            NodeInfo info = NodeInfo.of(node.getValue());
            nodes.add(new NodeBody(
                    node.getKey(),
                    info.metadata(),
                    info.release(),
                    formatNegotiation.problem(info),
                    info.differsFrom(own),
                    clockOffset(offs.get(node.getKey())),
                    node.getKey().equals(writer),
                    node.getKey().equals(election.name())));
        }
        return nodes;
    }

    private static String clockOffset(Duration off) {
        return off == null || off.abs().compareTo(REPORTED_OFFSET) <= 0 ? null : ClockText.signed(off);
    }

    @Override
    public CompletionStage<List<EtcdMemberBody>> etcd() {
        return members.look()
                .whenComplete((all, never) -> etcdHealth.seen(all))
                .thenApply(all -> all.stream().map(ClusterPeers::body).toList());
    }

    private static EtcdMemberBody body(EtcdMembers.Member member) {
        return new EtcdMemberBody(
                member.url(),
                member.name(),
                member.answers(),
                member.leads(),
                member.answers() ? member.bytes() : null,
                member.answers() ? member.behind() : null,
                member.problem());
    }

    @Override
    public void close() {
        vertx.cancelTimer(pollTimer);
        vertx.cancelTimer(etcdTimer);
        reports.close();
        client.close();
    }
}
