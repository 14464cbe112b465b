package io.forewarn.server.boot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Closes opened resources in reverse order, each regardless of failures of the others. */
final class ResourceStack {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T part) {
        opened.push(part);
        return part;
    }

    /** @param failed receives failures to close */
    void undo(Consumer<Exception> failed) {
        for (AutoCloseable part = opened.poll(); part != null; part = opened.poll()) {
            try {
                part.close();
            } catch (Exception failure) {
                failed.accept(failure);
            }
        }
    }
}
