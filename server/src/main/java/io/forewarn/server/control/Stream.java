package io.forewarn.server.control;

import io.forewarn.core.notice.Place;
import io.forewarn.core.notice.Wants;
import io.forewarn.server.notify.Feed;
import io.forewarn.server.notify.Follower;
import io.forewarn.server.notify.Notice;
import io.forewarn.server.notify.Sheet;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.BooleanSupplier;

/**
 * One reader of the stream. At most one part is on its way to it, and only when that has gone is more taken from the log: who
 * reads slowly costs no memory, and who does not read at all is dropped. What it missed is there when it comes back.
 */
final class Stream implements Follower {
    private static final long SECOND = 1000;
    private static final int HEARTBEAT_SECONDS = 15;
    private static final int PATIENCE_SECONDS = 30;
    private static final int PART = 64 * 1024;

    private final Vertx vertx;
    private final Context context;
    private final HttpServerResponse response;
    private final Wants wants;
    private final Place until;
    private final Feed feed;
    private final BooleanSupplier stillOpen;
    private final Runnable gone;
    private final Place from;
    private volatile Place place;
    private volatile boolean sending;
    private volatile boolean over;
    private long timer;
    private int quiet;
    private int stuck;

    Stream(
            Vertx vertx,
            Call call,
            Wants wants,
            Place from,
            Place until,
            Feed feed,
            BooleanSupplier stillOpen,
            Runnable gone) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.response = call.request().response();
        this.wants = wants;
        this.from = from;
        this.place = from;
        this.until = until;
        this.feed = feed;
        this.stillOpen = stillOpen;
        this.gone = gone;
    }

    /** On the request's own thread. */
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

    /** Where the reader is, also if it was shown nothing: it goes on from there. */
    private static String mark(Place place) {
        return "id: " + place + "\n\n";
    }

    /** A place is told only when nothing before it is still to be sent. */
    private synchronized void heartbeat() {
        if (!sending) {
            sending = true;
            send(Buffer.buffer(": still here\n" + mark(place)));
        }
    }

    private void second() {
        if (!stillOpen.getAsBoolean()) {
            response.end(": the token no longer opens this\n\n");
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

    /** On the request's own thread. */
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

    /** All is told that was asked for. */
    private boolean isComplete() {
        return until != null && !place.isBefore(until);
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
    public Place place() {
        return place;
    }

    @Override
    public boolean isHungry() {
        return !sending && !over;
    }

    @Override
    public void take(Sheet sheet) {
        Buffer part = Buffer.buffer();
        Place reached = Place.after(sheet.commit());
        for (Notice notice : sheet.notices()) {
            if (place.isBefore(notice.place()) && wants.include(notice.entry().group(), notice.news())) {
                part.appendString("id: " + notice.place() + "\ndata: ")
                        .appendBytes(notice.json())
                        .appendString("\n\n");
                if (part.length() > PART) {
                    reached = notice.place();
                    break;
                }
            }
        }
        synchronized (this) {
            place = reached;
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
    public void skip(Place to) {
        place = to;
        quietly();
    }

    /** Nothing was sent that would come back when it is written. */
    private void quietly() {
        if (isComplete()) {
            sending = true;
            context.runOnContext(v -> finish());
        }
    }
}
