package io.forewarn.server.forward;

import io.forewarn.core.rules.Command;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * Sends the writer what nobody waits for: sightings and refusals several times a second, and polls on request. Any thread.
 */
public final class ReportForwarder implements AutoCloseable {
    /** How many reports are told in one message. */
    public static final int AT_ONCE = 2_000;

    /** The same in bytes: a fourth of what the writer takes. */
    private static final int BYTES_AT_ONCE = 1 << 20;

    private static final int ROOM_FOR_SIGHTINGS = 64 << 20;

    /** As many as the writer itself lets wait, or somewhat more. */
    private static final int ROOM_FOR_DENIALS = 1 << 20;

    private static final long FLUSH_MILLIS = 200;

    private final Vertx vertx;
    private final WriterClient client;
    private final ForwardBuffer sightings = new ForwardBuffer(ROOM_FOR_SIGHTINGS, true);

    /** Separate, so that a caller that is refused over and over cannot crowd out sightings. */
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

    /** A machine was shown a document. A sighting that is lost all the same is told again at a later poll. */
    public void sighted(Command.Sight sighting) {
        ForwardedCommand.of(sighting).ifPresent(sightings::add);
    }

    /** Somebody was refused here. */
    public void denied(Command.Denied denial) {
        ForwardedCommand.of(denial).ifPresent(denials::add);
    }

    private void flush(ForwardBuffer buffer) {
        if (client.writer().isEmpty() || !buffer.mayBeTold()) {
            return;
        }
        List<ForwardBuffer.Waiting> some = buffer.take(AT_ONCE, BYTES_AT_ONCE);
        List<ForwardedCommand> commands =
                some.stream().map(ForwardBuffer.Waiting::word).toList();
        send(new ForwardedReports(commands, null)).onComplete(told -> {
            buffer.over();
            if (told.failed() && told.cause() instanceof NotDoneException) {
                buffer.undelivered(some);
            } else if (told.failed()) {
                buffer.unknown(some);
            } else if (told.result().isRefusal()) {
                buffer.refused(some);
            }
        });
    }

    /** Tells who polled here. Fails if it is not sure that the writer knows. */
    public Future<Void> tell(List<ForwardedReports.Poll> polls) {
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
