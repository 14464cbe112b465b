package io.forewarn.server.cluster;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.server.clock.ClockText;
import io.forewarn.server.control.PeerNodes;
import io.forewarn.server.log.Log;
import io.forewarn.server.settings.ClockSettings.Kind;
import io.forewarn.store.etcd.ClusterMembership;
import io.forewarn.store.etcd.EtcdMembers;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.EtcdBody;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** The other nodes: what is passed on to them, and what they pass on. */
public final class ClusterPeers implements PeerNodes, AutoCloseable {
    /** Clocks that differ by no more are not worth a word. */
    private static final Duration TOLD_OFF = Duration.ofSeconds(1);

    private static final long BETWEEN_POLLS_MILLIS = 10_000;
    private static final long BETWEEN_LOOKS_MILLIS = 15_000;

    private final ClusterGateway gateway;
    private final LeaderElection election;
    private final ClusterClock time;
    private final RequestSigner signer;
    private final WriterForwarder forwarder;
    private final PollReporter pollReporter;
    private final EtcdMembers members;
    private final FormatNegotiation formatNegotiation;
    private final Vertx vertx;
    private final boolean secure;
    private final EtcdHealth etcdHealth;
    private final WriterReachability writerReachability;
    private final long telling;
    private final long looking;
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
        WriterForwarder.Roles roles = new WriterForwarder.Roles(
                election::name, election::writer, gateway::writes, this::bootId, gateway::commit);
        // Another node writes after two at most.
        this.forwarder = new WriterForwarder(vertx, http, roles, signer, lease.multipliedBy(3), elapsedNanos);
        this.pollReporter = new PollReporter(
                () -> gateway.view().allMachines(), this::onWorker, WriterForwarder.AT_ONCE, forwarder::tell);
        this.etcdHealth = new EtcdHealth(gateway::writes, log);
        this.writerReachability = new WriterReachability(log);
        this.looking = vertx.setPeriodic(BETWEEN_LOOKS_MILLIS, timer -> etcd());
        this.telling = vertx.setPeriodic(BETWEEN_POLLS_MILLIS, timer -> tellPolls());
    }

    WriterForwarder relay() {
        return forwarder;
    }

    private void onWorker(Runnable errand) {
        Future<Void> unused = vertx.executeBlocking(() -> {
            errand.run();
            return null;
        });
    }

    /** What this node is to say of itself. */
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
    public CompletionStage<Reply> pass(Passed request, BooleanSupplier gone) {
        return forwarder
                .pass(request, gone)
                .recover(failure ->
                        Future.failedFuture(failure instanceof WriterForwarder.NotDone ? why(failure) : failure))
                .toCompletionStage();
    }

    /** There is no writer if etcd does not let any be chosen: whoever waited for one is told what must be cured. */
    private Throwable why(Throwable nobody) {
        return election.problem()
                .<Throwable>map(etcd -> new RefusedException(
                        Problem.STORE_DOWN, "nothing was changed, the store does not take writes: " + etcd))
                .orElse(nobody);
    }

    @Override
    public Vouched vouched(String method, String uri, UnaryOperator<String> header) {
        return signer.check(method, uri, header);
    }

    @Override
    public CompletionStage<byte[]> machines(byte[] message, Executor speller) {
        Engine engine = gateway.engine().orElseThrow(() -> new Misdirected("this node does not write any more"));
        ForwardedCommand.Words words = Json.message(ForwardedCommand.Words.class, message);
        words.polls().forEach(poll -> engine.view().heardOf(poll.machineId(), poll.millis(), poll.apiVersion()));
        List<CompletableFuture<CommandResult>> answers = new ArrayList<>();
        words.said().forEach(word -> answers.add(decide(engine, word)));
        return spelt(answers, speller);
    }

    static CompletableFuture<byte[]> spelt(List<CompletableFuture<CommandResult>> answers, Executor speller) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .handleAsync(
                        (all, refused) -> Json.write(new ForwardedCommand.Outcomes(
                                answers.stream().map(ClusterPeers::outcome).toList())),
                        speller);
    }

    private static ForwardedCommand.Outcome outcome(CompletableFuture<CommandResult> answered) {
        try {
            return outcome(answered.join());
        } catch (CompletionException failed) {
            return outcome(failed);
        }
    }

    /** One that makes no sense here does not keep the others from being heard. */
    private static CompletableFuture<CommandResult> decide(Engine engine, ForwardedCommand word) {
        Command command;
        try {
            command = word.command();
        } catch (RuntimeException newer) {
            return refused(Problem.NOT_READY, "the writer does not understand this: " + newer.getMessage());
        }
        // Who was let in at another node may have been taken out of the fleet since, as this one knows.
        if (!(command instanceof Command.Denied) && !word.fitsWithin(engine.view())) {
            return refused(Problem.FORBIDDEN, "Forbidden");
        }
        if (command instanceof Command.Sight sight) {
            engine.sighted(sight);
            return CompletableFuture.completedFuture(CommandResult.NOTHING);
        }
        if (command instanceof Command.Denied denied) {
            engine.denied(denied.asked(), new RefusedException(denied.problem(), denied.reason()), denied.actor());
            return CompletableFuture.completedFuture(CommandResult.NOTHING);
        }
        return engine.submit(command);
    }

    private static CompletableFuture<CommandResult> refused(Problem problem, String sentence) {
        return CompletableFuture.failedFuture(new RefusedException(problem, sentence));
    }

    private static ForwardedCommand.Outcome outcome(CommandResult result) {
        return new ForwardedCommand.Outcome(
                result.events().stream().map(EventId::toString).toList(), result.changes(), null, null);
    }

    private static ForwardedCommand.Outcome outcome(Throwable failure) {
        Throwable cause = RefusedException.causeOf(failure);
        if (cause instanceof RefusedException refusal) {
            return new ForwardedCommand.Outcome(List.of(), 0, refusal.problem().name(), refusal.getMessage());
        }
        throw new CompletionException(cause);
    }

    private void tellPolls() {
        if (gateway.writes()) {
            pollReporter.forget();
        } else {
            pollReporter.tell();
        }
        knock();
    }

    /** Whether polls would reach the writer, also if there are none to tell at present. */
    private void knock() {
        String writer = writer();
        if (writer == null || gateway.writes()) {
            writerReachability.succeeded();
            return;
        }
        forwarder.tell(List.of()).onComplete(told -> {
            if (told.succeeded()) {
                writerReachability.succeeded();
            } else {
                boolean unanswered =
                        told.cause() instanceof RefusedException refusal && refusal.problem() == Problem.NOT_KNOWN;
                writerReachability.failed(
                        writer,
                        unanswered
                                ? ConnectErrors.unanswered(writer, secure)
                                : told.cause().getMessage());
            }
        });
    }

    @Override
    public Optional<String> unreached() {
        return writerReachability.problem();
    }

    /** In which format records are written. */
    public int format() {
        return formatNegotiation.written();
    }

    /** How many members etcd has; not a number before the first look. */
    public double etcdMembers() {
        return etcdHealth.members();
    }

    /** How many of them answered. */
    public double etcdAnswering() {
        return etcdHealth.answering();
    }

    /** How much was passed on to the writer, by what came of it. */
    public Map<String, LongSupplier> passedOn() {
        return forwarder.passedOn();
    }

    @Override
    public String writer() {
        if (gateway.writes()) {
            return election.name();
        }
        // Who has not been heard for that long may be gone, and a node that is cut off from etcd would not know.
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
                    clockOff(offs.get(node.getKey())),
                    node.getKey().equals(writer),
                    node.getKey().equals(election.name())));
        }
        return nodes;
    }

    private static String clockOff(Duration off) {
        return off == null || off.abs().compareTo(TOLD_OFF) <= 0 ? null : ClockText.signed(off);
    }

    @Override
    public CompletionStage<List<EtcdBody>> etcd() {
        return members.look()
                .whenComplete((all, never) -> etcdHealth.seen(all))
                .thenApply(all -> all.stream().map(ClusterPeers::body).toList());
    }

    private static EtcdBody body(EtcdMembers.Member member) {
        return new EtcdBody(
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
        vertx.cancelTimer(telling);
        vertx.cancelTimer(looking);
        forwarder.close();
    }
}
