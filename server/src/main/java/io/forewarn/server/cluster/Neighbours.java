package io.forewarn.server.cluster;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.Command;
import io.forewarn.server.clock.ClockText;
import io.forewarn.server.control.Peers;
import io.forewarn.server.log.Log;
import io.forewarn.server.settings.ClockSettings.Kind;
import io.forewarn.store.etcd.Members;
import io.forewarn.store.etcd.Membership;
import io.forewarn.wire.control.EtcdBody;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.NodeBody;
import io.forewarn.wire.control.Version;
import io.forewarn.wire.control.EnumNames;
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
public final class Neighbours implements Peers, AutoCloseable {
    /** Clocks that differ by no more are not worth a word. */
    private static final Duration TOLD_OFF = Duration.ofSeconds(1);

    private static final long BETWEEN_POLLS_MILLIS = 10_000;
    private static final long BETWEEN_LOOKS_MILLIS = 15_000;

    private final Seat seat;
    private final Tenure tenure;
    private final TimeLine time;
    private final Seals seals;
    private final Relay relay;
    private final Polls polls;
    private final Members members;
    private final Dialect dialect;
    private final Vertx vertx;
    private final boolean secure;
    private final EtcdWatch etcdWatch;
    private final Reach reach;
    private final long telling;
    private final long looking;
    private volatile About own = About.of(null);

    public Neighbours(
            Vertx vertx,
            HttpClientOptions http,
            Membership membership,
            Members members,
            Dialect dialect,
            Seat seat,
            Tenure tenure,
            TimeLine time,
            Duration lease,
            LongSupplier elapsedNanos,
            Log log)
            throws StoreException {
        this.vertx = vertx;
        this.secure = http.isSsl();
        this.seat = seat;
        this.tenure = tenure;
        this.time = time;
        this.members = members;
        this.dialect = dialect;
        this.seals = new Seals(
                membership.secret(Seals.fresh()), tenure::name, () -> time.now().wall());
        Relay.Roles roles = new Relay.Roles(tenure::name, tenure::writer, seat::writes, this::life, seat::commit);
        // Another node writes after two at most.
        this.relay = new Relay(vertx, http, roles, seals, lease.multipliedBy(3), elapsedNanos);
        this.polls = new Polls(() -> seat.view().allMachines(), this::onWorker, Relay.AT_ONCE, relay::tell);
        this.etcdWatch = new EtcdWatch(seat::writes, log);
        this.reach = new Reach(log);
        this.looking = vertx.setPeriodic(BETWEEN_LOOKS_MILLIS, timer -> etcd());
        this.telling = vertx.setPeriodic(BETWEEN_POLLS_MILLIS, timer -> tellPolls());
    }

    Relay relay() {
        return relay;
    }

    private void onWorker(Runnable errand) {
        Future<Void> unused = vertx.executeBlocking(() -> {
            errand.run();
            return null;
        });
    }

    /** What this node is to say of itself. */
    public String about(HostPort metadata, Kind clock, Map<String, String> deciding) {
        own = new About(metadata.toString(), seals.life(), Version.text(), dialect.newest(), EnumNames.of(clock), deciding);
        return own.text();
    }

    private String life(String node) {
        return About.of(tenure.nodes().get(node)).life();
    }

    @Override
    public boolean writes() {
        return seat.writes();
    }

    @Override
    public CompletionStage<Reply> pass(Passed request, BooleanSupplier gone) {
        return relay.pass(request, gone)
                .recover(failure -> Future.failedFuture(failure instanceof Relay.NotDone ? why(failure) : failure))
                .toCompletionStage();
    }

    /** There is no writer if etcd does not let any be chosen: whoever waited for one is told what must be cured. */
    private Throwable why(Throwable nobody) {
        return tenure.complaint()
                .<Throwable>map(etcd ->
                        new RefusedException(Problem.STORE_DOWN, "nothing was changed, the store does not take writes: " + etcd))
                .orElse(nobody);
    }

    @Override
    public Vouched vouched(String method, String uri, UnaryOperator<String> header) {
        return seals.check(method, uri, header);
    }

    @Override
    public CompletionStage<byte[]> machines(byte[] message, Executor speller) {
        Engine engine = seat.engine().orElseThrow(() -> new Misdirected("this node does not write any more"));
        Word.Words words = Json.message(Word.Words.class, message);
        words.polls().forEach(poll -> engine.view().heardOf(poll.machineId(), poll.millis(), poll.apiVersion()));
        List<CompletableFuture<CommandResult>> answers = new ArrayList<>();
        words.said().forEach(word -> answers.add(decide(engine, word)));
        return spelt(answers, speller);
    }

    static CompletableFuture<byte[]> spelt(List<CompletableFuture<CommandResult>> answers, Executor speller) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .handleAsync(
                        (all, refused) -> Json.write(new Word.Outcomes(
                                answers.stream().map(Neighbours::outcome).toList())),
                        speller);
    }

    private static Word.Outcome outcome(CompletableFuture<CommandResult> answered) {
        try {
            return outcome(answered.join());
        } catch (CompletionException failed) {
            return outcome(failed);
        }
    }

    /** One that makes no sense here does not keep the others from being heard. */
    private static CompletableFuture<CommandResult> decide(Engine engine, Word word) {
        Command command;
        try {
            command = word.command();
        } catch (RuntimeException newer) {
            return refused(Problem.NOT_READY, "the writer does not understand this: " + newer.getMessage());
        }
        // Who was let in at another node may have been taken out of the fleet since, as this one knows.
        if (!(command instanceof Command.Denied) && !word.isSaidWithin(engine.view())) {
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

    private static Word.Outcome outcome(CommandResult result) {
        return new Word.Outcome(result.events().stream().map(EventId::toString).toList(), result.changes(), null, null);
    }

    private static Word.Outcome outcome(Throwable failure) {
        Throwable cause = RefusedException.causeOf(failure);
        if (cause instanceof RefusedException refusal) {
            return new Word.Outcome(List.of(), 0, refusal.problem().name(), refusal.getMessage());
        }
        throw new CompletionException(cause);
    }

    private void tellPolls() {
        if (seat.writes()) {
            polls.forget();
        } else {
            polls.tell();
        }
        knock();
    }

    /** Whether polls would reach the writer, also if there are none to tell at present. */
    private void knock() {
        String writer = writer();
        if (writer == null || seat.writes()) {
            reach.well();
            return;
        }
        relay.tell(List.of()).onComplete(told -> {
            if (told.succeeded()) {
                reach.well();
            } else {
                boolean unanswered = told.cause() instanceof RefusedException refusal && refusal.problem() == Problem.NOT_KNOWN;
                reach.failed(
                        writer,
                        unanswered
                                ? Unreached.unanswered(writer, secure)
                                : told.cause().getMessage());
            }
        });
    }

    @Override
    public Optional<String> unreached() {
        return reach.problem();
    }

    /** In which format records are written. */
    public int format() {
        return dialect.written();
    }

    /** How many members etcd has; not a number before the first look. */
    public double etcdMembers() {
        return etcdWatch.members();
    }

    /** How many of them answered. */
    public double etcdAnswering() {
        return etcdWatch.answering();
    }

    /** How much was passed on to the writer, by what came of it. */
    public Map<String, LongSupplier> passedOn() {
        return relay.passedOn();
    }

    @Override
    public String writer() {
        if (seat.writes()) {
            return tenure.name();
        }
        // Who has not been heard for that long may be gone, and a node that is cut off from etcd would not know.
        return seat.fresh()
                ? tenure.writer().filter(w -> !w.equals(tenure.name())).orElse(null)
                : null;
    }

    @Override
    public List<NodeBody> nodes() {
        String writer = writer();
        Map<String, Duration> offs = time.offs();
        List<NodeBody> nodes = new ArrayList<>();
        for (Map.Entry<String, String> node : tenure.nodes().entrySet()) {
            About about = About.of(node.getValue());
            nodes.add(new NodeBody(
                    node.getKey(),
                    about.metadata(),
                    about.release(),
                    dialect.problem(about),
                    about.differsFrom(own),
                    clockOff(offs.get(node.getKey())),
                    node.getKey().equals(writer),
                    node.getKey().equals(tenure.name())));
        }
        return nodes;
    }

    private static String clockOff(Duration off) {
        return off == null || off.abs().compareTo(TOLD_OFF) <= 0 ? null : ClockText.signed(off);
    }

    @Override
    public CompletionStage<List<EtcdBody>> etcd() {
        return members.look()
                .whenComplete((all, never) -> etcdWatch.seen(all))
                .thenApply(all -> all.stream().map(Neighbours::body).toList());
    }

    private static EtcdBody body(Members.Member member) {
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
        relay.close();
    }
}
