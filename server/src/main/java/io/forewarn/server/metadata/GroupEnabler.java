package io.forewarn.server.metadata;

import io.forewarn.core.Actor;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Command;
import io.forewarn.wire.ProblemStatus;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Enables a group on its first request, or the first after a long silence, and delays the response until that is durable:
 * contract §5. If the store does not accept it, the request is answered anyway, and the group is enabled later.
 */
final class GroupEnabler {
    /** The longest that a read waits for the writer. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final CommandGateway gateway;
    private final long silence;
    private final Duration firstCallDelay;
    private final Map<GroupId, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();
    private final Map<GroupId, Actor> owed = new ConcurrentHashMap<>();

    /** @param silence null if groups are always enabled */
    GroupEnabler(Vertx vertx, CommandGateway gateway, Duration silence, Duration firstCallDelay) {
        this.vertx = vertx;
        this.gateway = gateway;
        this.silence = silence == null ? Long.MAX_VALUE : silence.toMillis();
        this.firstCallDelay = firstCallDelay;
    }

    /** The rules define "enabled"; this only skips groups that polled just now, as nearly all did. */
    boolean needed(GroupView group, long nowMillis) {
        if (silence == Long.MAX_VALUE || (group.state().isEnabled() && nowMillis - group.lastPoll() < silence)) {
            return false;
        }
        return !gateway.rules().enabled(gateway.view(), group.id(), Instant.ofEpochMilli(nowMillis));
    }

    /** Runs {@code next} in the context, once, when the group is enabled or cannot be now. */
    void enable(Context context, GroupView group, Actor actor, Runnable next) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> before = underWay.putIfAbsent(group.id(), mine);
        if (before == null) {
            submit(group.id(), actor).whenComplete((nothing, failure) -> {
                underWay.remove(group.id(), mine);
                mine.complete(null);
            });
        }
        boolean[] done = {false}; // Touched in the context only.
        Runnable once = () -> {
            if (!done[0]) {
                done[0] = true;
                next.run();
            }
        };
        long longest = vertx.setTimer(LONGEST.toMillis(), timer -> context.runOnContext(v -> once.run()));
        (before == null ? mine : before)
                .whenComplete((nothing, failure) -> context.runOnContext(v -> {
                    vertx.cancelTimer(longest);
                    if (before == null && !firstCallDelay.isZero()) {
                        vertx.setTimer(firstCallDelay.toMillis(), timer -> once.run());
                    } else {
                        once.run();
                    }
                }));
    }

    /** Retries what the store did not accept. */
    void settle() {
        owed.forEach((group, actor) -> {
            if (owed.remove(group, actor)) {
                submit(group, actor);
            }
        });
    }

    private CompletableFuture<?> submit(GroupId group, Actor actor) {
        return gateway.submit(new Command.Enable(group, actor)).whenComplete((result, failure) -> {
            if (failure != null && passing(failure)) {
                owed.put(group, actor);
            }
        });
    }

    private static boolean passing(Throwable failure) {
        Throwable cause = RefusedException.causeOf(failure);
        return !(cause instanceof RefusedException refusal) || ProblemStatus.passing(refusal.problem());
    }
}
