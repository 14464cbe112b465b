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
 * Reports polls at this node to the writer, which would otherwise consider the groups silent. Each message is sent after the
 * answer to the one before it, and a round is always finished before the next begins, so that no machine is left out for
 * good.
 */
public final class PollReporter {
    private final Supplier<Collection<MachineView>> machines;
    private final Executor scanning;
    private final int atOnce;
    private final Function<List<ForwardedReports.Poll>, Future<?>> send;
    private final Queue<MachineView> unreported = new ArrayDeque<>();
    private boolean busy;

    /**
     * @param scanning runs the scan over all machines, of which there may be a million, off the event loops
     * @param send fails unless the writer confirmed the polls
     */
    public PollReporter(
            Supplier<Collection<MachineView>> machines,
            Executor scanning,
            int atOnce,
            Function<List<ForwardedReports.Poll>, Future<?>> send) {
        this.machines = machines;
        this.scanning = scanning;
        this.atOnce = atOnce;
        this.send = send;
    }

    /** Begins a round, or continues one that could not be finished. */
    public synchronized void report() {
        if (busy) {
            return;
        }
        if (unreported.isEmpty()) {
            busy = true;
            scanning.execute(this::scan);
        } else {
            next();
        }
    }

    /** Drops the round, because this node became the writer. */
    public synchronized void forget() {
        unreported.clear();
    }

    private void scan() {
        List<MachineView> found =
                machines.get().stream().filter(MachineView::isUnreported).toList();
        synchronized (this) {
            unreported.addAll(found);
            next();
        }
    }

    private void next() {
        List<MachineView> some = new ArrayList<>();
        while (some.size() < atOnce && !unreported.isEmpty()) {
            some.add(unreported.remove());
        }
        busy = !some.isEmpty();
        if (busy) {
            // Before the poll time is read: a machine that polls meanwhile is reported again.
            some.forEach(machine -> machine.reported(true));
            send.apply(some.stream().map(ForwardedReports.Poll::of).toList())
                    .onComplete(answer -> answered(some, answer.succeeded()));
        }
    }

    private synchronized void answered(List<MachineView> some, boolean confirmed) {
        busy = false;
        if (confirmed) {
            next();
        } else {
            some.forEach(machine -> machine.reported(false));
        }
    }
}
