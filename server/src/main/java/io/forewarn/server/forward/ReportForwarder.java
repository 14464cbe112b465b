package io.forewarn.server.forward;

import io.forewarn.core.rules.Command;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * Sends fire-and-forget reports to the writer: sightings and refusals several times a second, and polls on request. Any thread.
 */
public final class ReportForwarder implements AutoCloseable {
    /** The most reports in one message. */
    public static final int AT_ONCE = 2_000;

    /** The same in bytes: a quarter of what the writer accepts. */
    private static final int BYTES_AT_ONCE = 1 << 20;

    private static final int ROOM_FOR_SIGHTINGS = 64 << 20;

    /** About as many as the writer itself queues. */
    private static final int ROOM_FOR_DENIALS = 1 << 20;

    private static final long FLUSH_MILLIS = 200;

    private final Vertx vertx;
    private final WriterClient client;
    private final ForwardBuffer sightings = new ForwardBuffer(ROOM_FOR_SIGHTINGS, true);

    /** Separate, so that a caller that is refused over and over cannot displace sightings. */
    private final ForwardBuffer denials = new ForwardBuffer(ROOM_FOR_DENIALS, false);

    private final long flushing;

    public ReportForwarder(Vertx vertx, WriterClient client) {
        this.vertx = vertx;
        this.client = client;
        this.flushing = vertx.setPeriodic(FLUSH_MILLIS, timer -> {
            flush(sightings);
            flush(denials);
        });
    }

    /** A machine received a document. A sighting that is lost is reported again at a later poll. */
    public void sighted(Command.Sight sighting) {
        ForwardedCommand.of(sighting).ifPresent(sightings::add);
    }

    /** A request was refused here. */
    public void denied(Command.Denied denial) {
        ForwardedCommand.of(denial).ifPresent(denials::add);
    }

    private void flush(ForwardBuffer buffer) {
        if (client.writer().isEmpty() || !buffer.startMessage()) {
            return;
        }
        List<ForwardBuffer.Waiting> some = buffer.take(AT_ONCE, BYTES_AT_ONCE);
        List<ForwardedCommand> commands =
                some.stream().map(ForwardBuffer.Waiting::command).toList();
        send(new ForwardedReports(commands, null)).onComplete(sent -> {
            buffer.over();
            if (sent.failed() && sent.cause() instanceof NotDoneException) {
                buffer.undelivered(some);
            } else if (sent.failed()) {
                buffer.unknown(some);
            } else if (sent.result().isRefusal()) {
                buffer.refused(some);
            }
        });
    }

    /** Reports polls. Fails unless the writer confirmed them. */
    public Future<Void> reportPolls(List<ForwardedReports.Poll> polls) {
        return send(new ForwardedReports(null, polls))
                .compose(reply -> reply.isRefusal()
                        ? Future.failedFuture(WriterForwarder.refusal(reply))
                        : Future.succeededFuture());
    }

    private Future<ForwardedReply> send(ForwardedReports reports) {
        return client.send(ForwardedRequest.message(ForwardProtocol.REPORTS, reports));
    }

    @Override
    public void close() {
        vertx.cancelTimer(flushing);
    }
}
