package io.forewarn.server.forward;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Buffers messages to the writer that nobody waits for. It is limited in bytes; when it is full, new messages are dropped.
 * Any thread.
 */
final class ForwardBuffer {
    /**
     * A command that waits to be sent.
     *
     * @param notTaken whether it was told before, and not taken
     */
    record Waiting(ForwardedCommand word, boolean notTaken) {}

    /** How many messages may be in flight at once. */
    static final int MESSAGES = 4;

    private final int room;
    private final boolean harmless;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int used;
    private int underWay;

    /**
     * @param room for so many bytes
     * @param harmless whether to be told the same twice is
     */
    ForwardBuffer(int room, boolean harmless) {
        this.room = room;
        this.harmless = harmless;
    }

    synchronized void add(ForwardedCommand command) {
        add(new Waiting(command, false));
    }

    private void add(Waiting one) {
        int weight = one.word.size();
        if (used + weight <= room) {
            used += weight;
            waiting.add(one);
        }
    }

    /** Whether another message may be sent: a writer that hangs must not be sent what nobody counts any more. If so, it counts until it is {@link #over}. */
    synchronized boolean mayBeTold() {
        if (waiting.isEmpty() || underWay >= MESSAGES) {
            return false;
        }
        underWay++;
        return true;
    }

    /** A message was answered, or will not be. */
    synchronized void over() {
        underWay--;
    }

    /** The first of them that fit into a message: not more than so many, and not more bytes unless one alone has. */
    synchronized List<Waiting> take(int most, int bytes) {
        List<Waiting> some = new ArrayList<>();
        int taken = 0;
        while (!waiting.isEmpty() && some.size() < most) {
            int weight = waiting.peek().word.size();
            if (taken + weight > bytes && !some.isEmpty()) {
                break;
            }
            taken += weight;
            used -= weight;
            some.add(waiting.remove());
        }
        return some;
    }

    /** They did not reach the writer: they wait as before. */
    synchronized void undelivered(List<Waiting> some) {
        some.forEach(this::add);
    }

    /** They were rejected: sent once more and then dropped, because one of them may be the cause. */
    synchronized void refused(List<Waiting> some) {
        some.stream().filter(one -> !one.notTaken).forEach(one -> add(new Waiting(one.word, true)));
    }

    /** It is not known whether they were taken. */
    synchronized void unknown(List<Waiting> some) {
        if (harmless) {
            refused(some);
        }
    }
}
