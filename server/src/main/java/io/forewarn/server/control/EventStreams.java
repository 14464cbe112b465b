package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.SubscriptionFilter;
import io.forewarn.server.notification.LogFeed;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens event streams: checks who may read, from which position, and how many at once. */
final class EventStreams {
    private static final int MOST = 1000;
    /** The maximum per caller. */
    static final int EACH = 250;

    private static final long BETWEEN_LOOKS_MILLIS = 50;
    private static final int CATCHING_UP = 60;

    private final Vertx vertx;
    private final ControlParts parts;
    private final TokenAuthenticator authenticator;
    private final AtomicInteger open = new AtomicInteger();
    private final Map<String, Integer> callers = new ConcurrentHashMap<>();

    EventStreams(Vertx vertx, ControlParts parts, TokenAuthenticator authenticator) {
        this.vertx = vertx;
        this.parts = parts;
        this.authenticator = authenticator;
    }

    void open(RequestContext call) {
        SubscriptionFilter filter = wants(call);
        LogPosition from = from(call);
        boolean follows = call.truth("follow", true);
        String caller = call.caller().identity();
        int his = callers.merge(caller, 1, Integer::sum);
        if (open.incrementAndGet() > MOST || his > EACH) {
            closed(caller);
            throw new RefusedException(
                    Problem.BUSY,
                    his > EACH
                            ? "'" + call.caller().name() + "' has " + EACH + " streams open already; close one"
                            : MOST + " streams are open already; try again in a moment");
        }
        whenReached(call, from, tries(), () -> begin(call, filter, from, follows));
    }

    private void begin(RequestContext call, SubscriptionFilter filter, LogPosition from, boolean follows) {
        LogFeed feed = parts.notifier().feed();
        LogPosition until = follows ? null : feed.end();
        new EventStream(
                        vertx,
                        call,
                        filter,
                        from,
                        until,
                        feed,
                        () -> authenticator.stillOpen(call.caller()),
                        () -> closed(call.caller().identity()))
                .begin();
    }

    private void closed(String caller) {
        open.decrementAndGet();
        callers.computeIfPresent(caller, (name, streams) -> streams == 1 ? null : streams - 1);
    }

    /** Another node may have sent the reader more than this one has applied yet. */
    private int tries() {
        return parts.peers().writes() ? 0 : CATCHING_UP;
    }

    /** Runs only in the request's own context. */
    private void whenReached(RequestContext call, LogPosition from, int tries, Runnable then) {
        LogPosition end = parts.notifier().feed().end();
        if (!end.isBefore(from)) {
            then.run();
        } else if (tries > 0 && !call.isOver()) {
            vertx.setTimer(BETWEEN_LOOKS_MILLIS, look -> call.attempt(() -> whenReached(call, from, tries - 1, then)));
        } else {
            closed(call.caller().identity());
            call.refuse(new RefusedException(
                    Problem.BAD_INPUT,
                    "the stream has not reached " + from + " yet, it is at " + end.commit()
                            + "; that id belongs to another service or store, start without it"));
        }
    }

    private SubscriptionFilter wants(RequestContext call) {
        String asked = ControlHandlers.tenant(call);
        String tenant = call.caller().everyTenant() ? asked : call.caller().tenant();
        PublishedState published = parts.gateway().view();
        Set<GroupId> groups = call.query("group") == null
                ? Set.of()
                : Set.of(new NameLookup(published, call.caller(), asked)
                        .group(call.query("group"))
                        .id());
        return new SubscriptionFilter(
                tenant,
                groups,
                SubscriptionParser.read(
                        call.query("kinds") == null
                                ? null
                                : Arrays.asList(call.query("kinds").split(","))));
    }

    /** After the reader's last id, or from now on. */
    private LogPosition from(RequestContext call) {
        LogPosition end = parts.notifier().feed().end();
        String header = call.request().getHeader("Last-Event-ID");
        String given = header == null || header.isBlank() ? call.query("since") : header;
        if (given == null) {
            return end;
        }
        return LogPosition.parse(given.strip())
                .orElseThrow(() -> new RefusedException(
                        Problem.BAD_INPUT,
                        "'" + given
                                + "' is not a position in the stream; use the id of an event of it, such as 42.0, or"
                                + " 0.0 for the whole log"));
    }
}
