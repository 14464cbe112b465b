package io.forewarn.server.control;

import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.SubscriptionFilter;
import io.forewarn.server.notification.LogConsumer;
import io.forewarn.server.notification.LogFeed;
import io.forewarn.server.notification.Notification;
import io.forewarn.server.notification.NotificationPage;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.BooleanSupplier;

/**
 * Sends the event stream to one reader. At most one part is in flight, and only when that was sent is more read from
 * the log: a slow reader costs no memory, and one that does not read at all is disconnected. It can resume where it
 * stopped.
 */
final class EventStream implements LogConsumer {
    private static final long SECOND = 1000;
    private static final int HEARTBEAT_SECONDS = 15;
    private static final int PATIENCE_SECONDS = 30;
    private static final int PART = 64 * 1024;

    private final Vertx vertx;
    private final Context context;
    private final HttpServerResponse response;
    private final SubscriptionFilter filter;
    private final LogPosition until;
    private final LogFeed feed;
    private final BooleanSupplier stillOpen;
    private final Runnable gone;
    private final LogPosition from;
    private volatile LogPosition position;
    private volatile boolean sending;
    private volatile boolean over;
    private long timer;
    private int quiet;
    private int stuck;

    EventStream(
            Vertx vertx,
            RequestContext call,
            SubscriptionFilter filter,
            LogPosition from,
            LogPosition until,
            LogFeed feed,
            BooleanSupplier stillOpen,
            Runnable gone) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.response = call.request().response();
        this.filter = filter;
        this.from = from;
        this.position = from;
        this.until = until;
        this.feed = feed;
        this.stillOpen = stillOpen;
        this.gone = gone;
    }

    /** Called on the request's own thread. */
    void begin() {
        response.setChunked(true)
                .putHeader("Content-Type", "text/event-stream; charset=utf-8")
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Accel-Buffering", "no");
        response.closeHandler(closed -> end());
        response.exceptionHandler(broken -> end());
        timer = vertx.setPeriodic(SECOND, tick -> second());
        sending = true;
        feed.follow(this);
        send(Buffer.buffer("retry: 2000\n" + mark(from)));
    }

    /** The reader's position, even if nothing was sent: it resumes from there. */
    private static String mark(LogPosition position) {
        return "id: " + position + "\n\n";
    }

    /** A position is sent only when everything before it was sent. */
    private synchronized void heartbeat() {
        if (!sending) {
            sending = true;
            send(Buffer.buffer(": keep-alive\n" + mark(position)));
        }
    }

    private void second() {
        if (!stillOpen.getAsBoolean()) {
            response.end(": the token is no longer valid\n\n");
            end();
            return;
        }
        if (sending) {
            if (++stuck >= PATIENCE_SECONDS) {
                response.reset();
                end();
            }
        } else if (++quiet >= HEARTBEAT_SECONDS) {
            heartbeat();
        }
    }

    /** Called on the request's own thread. */
    private void send(Buffer part) {
        quiet = 0;
        stuck = 0;
        response.write(part).onComplete(written -> {
            sending = false;
            if (written.failed()) {
                end();
            } else if (isComplete()) {
                finish();
            } else {
                feed.wake();
            }
        });
    }

    /** Everything requested was sent. */
    private boolean isComplete() {
        return until != null && !position.isBefore(until);
    }

    private void finish() {
        if (!over) {
            response.end();
            end();
        }
    }

    private void end() {
        if (!over) {
            over = true;
            vertx.cancelTimer(timer);
            feed.leave(this);
            gone.run();
        }
    }

    @Override
    public LogPosition position() {
        return position;
    }

    @Override
    public boolean wantsMore() {
        return !sending && !over;
    }

    @Override
    public void take(NotificationPage page) {
        Buffer part = Buffer.buffer();
        LogPosition reached = LogPosition.after(page.commit());
        for (Notification notification : page.notifications()) {
            if (position.isBefore(notification.position())
                    && filter.include(notification.entry().group(), notification.news())) {
                part.appendString("id: " + notification.position() + "\ndata: ")
                        .appendBytes(notification.json())
                        .appendString("\n\n");
                if (part.length() > PART) {
                    reached = notification.position();
                    break;
                }
            }
        }
        synchronized (this) {
            position = reached;
            sending |= part.length() > 0;
        }
        if (part.length() > 0) {
            context.runOnContext(v -> {
                if (!over) {
                    send(part);
                }
            });
        } else {
            quietly();
        }
    }

    @Override
    public void skip(LogPosition to) {
        position = to;
        quietly();
    }

    /** Nothing is in flight whose completion would continue the stream. */
    private void quietly() {
        if (isComplete()) {
            sending = true;
            context.runOnContext(v -> finish());
        }
    }
}
