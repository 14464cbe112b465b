package io.forewarn.server.cluster;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.rules.Answer;
import io.forewarn.core.rules.Command;
import io.forewarn.server.control.Peers;
import io.forewarn.server.settings.ClockSettings.Kind;
import io.forewarn.store.etcd.Members;
import io.forewarn.store.etcd.Membership;
import io.forewarn.wire.control.EtcdBody;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.NodeBody;
import io.forewarn.wire.control.Version;
import io.forewarn.wire.control.Words;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** The other nodes: what is passed on to them, and what they pass on. */
public final class Neighbours implements Peers, AutoCloseable {
    private static final long BETWEEN_POLLS_MILLIS = 10_000;

    private final Seat seat;
    private final Tenure tenure;
    private final Seals seals;
    private final Relay relay;
    private final Polls polls;
    private final Members members;
    private final Dialect dialect;
    private final Vertx vertx;
    private final long telling;

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
            LongSupplier elapsedNanos)
            throws StoreException {
        this.vertx = vertx;
        this.seat = seat;
        this.tenure = tenure;
        this.members = members;
        this.dialect = dialect;
        this.seals = new Seals(
                membership.secret(Seals.fresh()), tenure::name, () -> time.now().wall());
        Relay.Roles roles = new Relay.Roles(tenure::name, tenure::writer, seat::writes, this::life, seat::commit);
        // Another node writes after two at most.
        this.relay = new Relay(vertx, http, roles, seals, lease.multipliedBy(3), elapsedNanos);
        this.polls = new Polls(() -> seat.view().allMachines(), this::onWorker, Relay.AT_ONCE, relay::tell);
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
    public String about(HostPort metadata, Kind clock) {
        return new About(metadata.toString(), seals.life(), Version.text(), dialect.newest(), Words.of(clock)).text();
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
        return relay.pass(request, gone).toCompletionStage();
    }

    @Override
    public Vouched vouched(String method, String uri, UnaryOperator<String> header) {
        return seals.check(method, uri, header);
    }

    @Override
    public CompletionStage<byte[]> machines(byte[] message) {
        Engine engine = seat.engine().orElseThrow(() -> new Misdirected("this node does not write any more"));
        Word.Words words = Json.message(Word.Words.class, message);
        words.polls().forEach(poll -> engine.view().heardOf(poll.machineId(), poll.millis(), poll.apiVersion()));
        List<CompletableFuture<Word.Outcome>> outcomes = new ArrayList<>();
        words.said().forEach(word -> outcomes.add(decide(engine, word)));
        return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                .thenApply(all -> Json.write(new Word.Outcomes(
                        outcomes.stream().map(CompletableFuture::join).toList())));
    }

    /** One that makes no sense here does not keep the others from being heard. */
    private static CompletableFuture<Word.Outcome> decide(Engine engine, Word word) {
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
            return CompletableFuture.completedFuture(outcome(Answer.NOTHING));
        }
        if (command instanceof Command.Denied denied) {
            engine.denied(denied.asked(), new Refusal(denied.problem(), denied.reason()), denied.actor());
            return CompletableFuture.completedFuture(outcome(Answer.NOTHING));
        }
        return engine.submit(command).handle((answer, failure) -> failure == null ? outcome(answer) : outcome(failure));
    }

    private static CompletableFuture<Word.Outcome> refused(Problem problem, String sentence) {
        return CompletableFuture.completedFuture(outcome(new Refusal(problem, sentence)));
    }

    private static Word.Outcome outcome(Answer answer) {
        return new Word.Outcome(answer.events().stream().map(EventId::toString).toList(), answer.changes(), null, null);
    }

    private static Word.Outcome outcome(Throwable failure) {
        Throwable cause = Refusal.causeOf(failure);
        if (cause instanceof Refusal refusal) {
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
    }

    @Override
    public String writer() {
        return seat.writes()
                ? tenure.name()
                : tenure.writer().filter(w -> !w.equals(tenure.name())).orElse(null);
    }

    @Override
    public List<NodeBody> nodes() {
        String writer = writer();
        List<NodeBody> nodes = new ArrayList<>();
        for (Map.Entry<String, String> node : tenure.nodes().entrySet()) {
            About about = About.of(node.getValue());
            nodes.add(new NodeBody(
                    node.getKey(),
                    about.metadata(),
                    about.release(),
                    dialect.problem(about),
                    node.getKey().equals(writer),
                    node.getKey().equals(tenure.name())));
        }
        return nodes;
    }

    @Override
    public CompletionStage<List<EtcdBody>> etcd() {
        return members.look()
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
        relay.close();
    }
}
