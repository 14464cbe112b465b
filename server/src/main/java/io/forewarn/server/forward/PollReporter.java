package io.forewarn.server.forward;

import io.forewarn.core.engine.MachineView;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reports polls at this node to the writer, which would otherwise take the groups for silent. Each message is sent after the
 * answer to the one before it, and a round is always finished before the next begins, so that no machine is left out for
 * good.
 */
public final class PollReporter {
    private final Supplier<Collection<MachineView>> machines;
    private final Executor walking;
    private final int atOnce;
    private final Function<List<ForwardedReports.Poll>, Future<?>> telling;
    private final Queue<MachineView> untold = new ArrayDeque<>();
    private boolean underWay;

    /**
     * @param walking where all machines are looked at: there may be a million, and whoever answers them must not wait
     * @param telling fails if it is not sure that they were told
     */
    public PollReporter(
            Supplier<Collection<MachineView>> machines,
            Executor walking,
            int atOnce,
            Function<List<ForwardedReports.Poll>, Future<?>> telling) {
        this.machines = machines;
        this.walking = walking;
        this.atOnce = atOnce;
        this.telling = telling;
    }

    /** Begins a round, or goes on with one that could not be finished. */
    public synchronized void tell() {
        if (underWay) {
            return;
        }
        if (untold.isEmpty()) {
            underWay = true;
            walking.execute(this::walk);
        } else {
            next();
        }
    }

    /** Nobody needs to be told any more. */
    public synchronized void forget() {
        untold.clear();
    }

    private void walk() {
        List<MachineView> found =
                machines.get().stream().filter(MachineView::isUntold).toList();
        synchronized (this) {
            untold.addAll(found);
            next();
        }
    }

    private void next() {
        List<MachineView> some = new ArrayList<>();
        while (some.size() < atOnce && !untold.isEmpty()) {
            some.add(untold.remove());
        }
        underWay = !some.isEmpty();
        if (underWay) {
            // Before the poll time is read: a machine that polls meanwhile is reported again.
            some.forEach(machine -> machine.told(true));
            telling.apply(some.stream().map(ForwardedReports.Poll::of).toList())
                    .onComplete(answer -> answered(some, answer.succeeded()));
        }
    }

    private synchronized void answered(List<MachineView> some, boolean told) {
        underWay = false;
        if (told) {
            next();
        } else {
            some.forEach(machine -> machine.told(false));
        }
    }
}
