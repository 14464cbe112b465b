package io.forewarn.server.boot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** What was opened so far, so that it can be closed again: the last first, and each whatever became of the others. */
final class ResourceStack {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T part) {
        opened.push(part);
        return part;
    }

    /** @param failed is told of each part that did not close well */
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
