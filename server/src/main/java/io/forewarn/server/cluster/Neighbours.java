package io.forewarn.server.cluster;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.Answer;
import io.forewarn.core.rules.Command;
import io.forewarn.server.control.Peers;
import io.forewarn.store.etcd.Members;
import io.forewarn.store.etcd.Membership;
import io.forewarn.wire.control.EtcdBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.NodeBody;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
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

    /** What a node says of itself. */
    public record About(String metadata) {}

    private final Seat seat;
    private final Tenure tenure;
    private final Seals seals;
    private final Relay relay;
    private final Members members;
    private final Vertx vertx;
    private final long telling;
    private long polledUpTo;

    public Neighbours(
            Vertx vertx,
            HttpClientOptions http,
            Membership membership,
            Members members,
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
        this.seals =
                new Seals(membership.secret(Seals.fresh()), () -> time.now().wall());
        this.relay = new Relay(vertx, http, tenure, seat::writes, seals, lease.multipliedBy(2), elapsedNanos);
        seat.among(tenure, relay);
        this.telling = vertx.setPeriodic(BETWEEN_POLLS_MILLIS, timer -> tellPolls());
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
        Engine engine =
                seat.engine().orElseThrow(() -> new Refusal(Problem.NOT_READY, "this node does not write any more"));
        List<CompletableFuture<Word.Outcome>> outcomes = new ArrayList<>();
        for (Word word : Json.request(Word.Words.class, message).said()) {
            if (word.isPoll()) {
                MachineId machine = new MachineId(word.tenant(), word.machine());
                engine.view().heardOf(machine, Instant.parse(word.at()).toEpochMilli(), word.text());
            } else {
                outcomes.add(decide(engine, word.command()));
            }
        }
        return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                .thenApply(all -> Json.write(new Word.Outcomes(
                        outcomes.stream().map(CompletableFuture::join).toList())));
    }

    private static CompletableFuture<Word.Outcome> decide(Engine engine, Command command) {
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

    private static Word.Outcome outcome(Answer answer) {
        return new Word.Outcome(answer.events().stream().map(EventId::toString).toList(), answer.changes(), null, null);
    }

    private static Word.Outcome outcome(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof Refusal refusal) {
            return new Word.Outcome(List.of(), 0, refusal.problem().name(), refusal.getMessage());
        }
        throw new CompletionException(cause);
    }

    /** Whoever asked here since the last time: else the writer would take its group for silent. */
    private void tellPolls() {
        if (seat.writes()) {
            return;
        }
        long latest = polledUpTo;
        for (MachineView each : seat.view().allMachines()) {
            long polled = each.lastPoll();
            if (polled > polledUpTo) {
                Machine machine = each.machine();
                relay.note(Word.poll(
                        machine.id().tenant(), machine.name(), Instant.ofEpochMilli(polled), each.apiVersion()));
                latest = Math.max(latest, polled);
            }
        }
        polledUpTo = latest;
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
            nodes.add(new NodeBody(
                    node.getKey(),
                    metadata(node.getValue()),
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

    private static String metadata(String about) {
        try {
            return Json.answer(About.class, about.getBytes(StandardCharsets.UTF_8))
                    .metadata();
        } catch (IOException newer) {
            return null;
        }
    }
}
