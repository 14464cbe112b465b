package io.forewarn.server.metadata;

import io.forewarn.core.engine.GroupView;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * Holds a request until its group's document changes (contract §6), or until this node has applied what the caller has
 * seen at another node. Everything runs in the request's context except {@link #run}, which the writer calls.
 */
final class LongPoll implements Runnable {
    private final Vertx vertx;
    private final Context context;
    private final GroupView group;
    private final long incarnation;
    private final RateLimiter limiter;
    private final Runnable answer;
    private long timer;
    private boolean over;

    LongPoll(Vertx vertx, Context context, GroupView group, long incarnation, RateLimiter limiter, Runnable answer) {
        this.vertx = vertx;
        this.context = context;
        this.group = group;
        this.incarnation = incarnation;
        this.limiter = limiter;
        this.answer = answer;
    }

    void start(long millis) {
        timer = vertx.setTimer(millis, id -> end(true));
        group.await(this);
        if (group.document().incarnation() != incarnation) {
            end(true); // It changed between the check and the registration.
        }
    }

    @Override
    public void run() {
        context.runOnContext(v -> end(true));
    }

    /** The client disconnected. */
    void drop() {
        end(false);
    }

    private void end(boolean answered) {
        if (over) {
            return;
        }
        over = true;
        vertx.cancelTimer(timer);
        group.forget(this);
        limiter.release();
        if (answered) {
            answer.run();
        }
    }
}
