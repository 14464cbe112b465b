package io.forewarn.server.cluster;

import io.forewarn.core.engine.MachineView;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Tells the writer who asked here: else it would take their groups for silent. However many they are, one message follows
 * the answer to another, and a round that takes long is finished before the next begins: nobody is left out for good.
 */
final class Polls {
    private final Supplier<Collection<MachineView>> machines;
    private final int atOnce;
    private final Function<List<Word.Poll>, Future<?>> telling;
    private final Queue<MachineView> untold = new ArrayDeque<>();
    private boolean underWay;
    private boolean allTold = true;
    private long latest;
    private long upTo;

    /** @param telling fails if it is not sure that they were told */
    Polls(Supplier<Collection<MachineView>> machines, int atOnce, Function<List<Word.Poll>, Future<?>> telling) {
        this.machines = machines;
        this.atOnce = atOnce;
        this.telling = telling;
    }

    /** Begins a round, or goes on with one that could not be finished. */
    synchronized void tell() {
        if (underWay) {
            return;
        }
        if (untold.isEmpty()) {
            begin();
        }
        next();
    }

    /** Nobody needs to be told any more. */
    synchronized void forget() {
        untold.clear();
        allTold = false;
    }

    private void begin() {
        // Whoever could not be told in the last round is told in this one.
        upTo = allTold ? latest : upTo;
        allTold = true;
        for (MachineView machine : machines.get()) {
            long polled = machine.lastPoll();
            if (polled > upTo) {
                untold.add(machine);
                latest = Math.max(latest, polled);
            }
        }
    }

    private void next() {
        List<Word.Poll> some = new ArrayList<>();
        while (some.size() < atOnce && !untold.isEmpty()) {
            some.add(Word.Poll.of(untold.remove()));
        }
        underWay = !some.isEmpty();
        if (underWay) {
            telling.apply(some).onComplete(told -> answered(told.succeeded()));
        }
    }

    private synchronized void answered(boolean told) {
        underWay = false;
        if (told) {
            next();
        } else {
            allTold = false;
        }
    }
}
