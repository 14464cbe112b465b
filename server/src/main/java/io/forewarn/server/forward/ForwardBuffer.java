package io.forewarn.server.forward;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Buffers fire-and-forget commands for the writer. It is limited in bytes; when it is full, new commands are dropped.
 * Any thread.
 */
final class ForwardBuffer {
    /**
     * A command that waits to be sent.
     *
     * @param rejected whether it was sent before and rejected
     */
    record Waiting(ForwardedCommand command, boolean rejected) {}

    /** How many messages may be in flight at once. */
    static final int MESSAGES = 4;

    private final int room;
    private final boolean idempotent;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int used;
    private int inFlight;

    /**
     * @param room capacity in bytes
     * @param idempotent whether a command may arrive twice
     */
    ForwardBuffer(int room, boolean idempotent) {
        this.room = room;
        this.idempotent = idempotent;
    }

    synchronized void add(ForwardedCommand command) {
        add(new Waiting(command, false));
    }

    private void add(Waiting one) {
        int weight = one.command.size();
        if (used + weight <= room) {
            used += weight;
            waiting.add(one);
        }
    }

    /** Whether another message may be sent, which limits what is in flight to a writer that hangs. If so, it counts until {@link #over}. */
    synchronized boolean startMessage() {
        if (waiting.isEmpty() || inFlight >= MESSAGES) {
            return false;
        }
        inFlight++;
        return true;
    }

    /** A message was answered, or failed. */
    synchronized void over() {
        inFlight--;
    }

    /** The first commands that fit into a message; at least one, even if it is larger than the limit. */
    synchronized List<Waiting> take(int most, int bytes) {
        List<Waiting> some = new ArrayList<>();
        int taken = 0;
        while (!waiting.isEmpty() && some.size() < most) {
            int weight = waiting.peek().command.size();
            if (taken + weight > bytes && !some.isEmpty()) {
                break;
            }
            taken += weight;
            used -= weight;
            some.add(waiting.remove());
        }
        return some;
    }

    /** They did not reach the writer, and wait again. */
    synchronized void undelivered(List<Waiting> some) {
        some.forEach(this::add);
    }

    /** They were rejected: sent once more and then dropped, because one of them may be the cause. */
    synchronized void refused(List<Waiting> some) {
        some.stream().filter(one -> !one.rejected).forEach(one -> add(new Waiting(one.command, true)));
    }

    /** It is not known whether they arrived. */
    synchronized void unknown(List<Waiting> some) {
        if (idempotent) {
            refused(some);
        }
    }
}
